/** The commands about the effect of lessons: which were shown, whether they helped, and what they would have done before. */
import { AGENT_OPTION, EXAMPLE_ID } from '../agent-names.ts';
import { type Command, LESSON_OPTION, PROJECT_OPTION, SESSION_OPTION, SINCE_OPTION } from '../command.ts';
import { makePageOptions } from '../paging.ts';

export const STATS_COMMANDS: readonly Command[] = [
  {
    name: 'stats',
    summary: 'Show whether the lessons help, and what they cost',
    about:
      'Show whether the lessons help: how many were shown, what came of them, what they prevented and what they cost.',
    options: [
      SINCE_OPTION,
      AGENT_OPTION,
      PROJECT_OPTION,
      LESSON_OPTION,
      { flags: '--limit <n>', help: 'Maximum number of rows in each table (default: 10)' },
    ],
    examples: ['oncebitten stats', 'oncebitten stats --since 30d --project .'],
    load: async () => (await import('./stats.ts')).run,
  },
  {
    name: 'stats deliveries',
    oldNames: ['deliveries'],
    summary: 'List lessons shown or withheld, newest first',
    about:
      'List the lessons that were shown to agents, or withheld to measure their effect, newest first, and what came of each.',
    options: [LESSON_OPTION, SESSION_OPTION, AGENT_OPTION, PROJECT_OPTION, SINCE_OPTION, ...makePageOptions(20)],
    examples: ['oncebitten stats deliveries', 'oncebitten stats deliveries --lesson gh-pr-diff-stat --limit 50'],
    load: async () => (await import('./deliveries.ts')).run,
  },
  {
    name: 'stats compliance',
    oldNames: ['compliance'],
    summary: 'Show how often agents write lessons down themselves',
    about:
      'Show by agent and model how often agents write lessons down themselves, and which source of lessons to rely on.',
    options: [AGENT_OPTION, SINCE_OPTION],
    examples: ['oncebitten stats compliance', `oncebitten stats compliance --agent ${EXAMPLE_ID} --since 30d`],
    load: async () => (await import('./compliance.ts')).run,
  },
  {
    name: 'stats backtest',
    otherNames: ['backtest'],
    summary: 'Replay past sessions: what lessons would have prevented',
    about:
      'Replay past sessions: count the failures that were repeats, those that a lesson would have warned about, and the false alarms.',
    options: [
      { flags: '--agent <id>', help: 'Only these agents, separated by commas', many: true },
      {
        flags: '--path <path>',
        help: 'Transcript, or folder of transcripts, to replay instead of the stored sessions',
      },
      {
        flags: '--since <time>',
        help: 'Count only calls since this time (2h, 7d, a date); lessons still come from earlier calls',
      },
      {
        flags: '--project [project]',
        help: 'Count only this project: a folder (default: this folder), an id or a name',
      },
      { flags: '--verbose', help: 'Show 95% intervals and longer lists' },
      { flags: '--fix', help: 'Go through the worst false alarms, and archive, edit or mute each lesson with one key' },
    ],
    examples: ['oncebitten stats backtest --since 30d', 'oncebitten stats backtest --project . --fix'],
    load: async () => (await import('./backtest.ts')).run,
  },
];
