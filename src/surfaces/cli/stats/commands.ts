/** The commands about the effect of lessons: which were shown, whether they helped, and what they would have done before. */
import { AGENT_OPTION, EXAMPLE_ID, HISTORY_OPTION } from '../agent-names.ts';
import {
  CATEGORY_OPTION,
  type Command,
  LESSON_OPTION,
  PROJECT_OPTION,
  RANGE_OPTIONS,
  SESSION_OPTION,
  SINCE_OPTION,
} from '../command.ts';
import { makePageOptions } from '../paging.ts';

export const STATS_COMMANDS: readonly Command[] = [
  {
    name: 'stats',
    summary: 'Show whether the lessons help, and what they cost',
    about:
      'Show whether the lessons help: how many were shown, whether agents repeated the mistake afterwards, how many mistakes the lessons prevented, and what the lessons cost in time and text. To measure what a learned lesson prevents, Oncebitten withholds it (does not show it) in about 1 of 10 sessions, and compares.',
    options: {
      ...RANGE_OPTIONS,
      ...AGENT_OPTION,
      ...PROJECT_OPTION,
      ...CATEGORY_OPTION,
      ...LESSON_OPTION,
      '--limit <n>': 'Maximum number of rows in each table (default: 10)',
    },
    examples: ['oncebitten stats', 'oncebitten stats --since 30d --project .'],
    load: async () => (await import('./stats.ts')).run,
  },
  {
    name: 'stats deliveries',
    oldNames: ['deliveries'],
    summary: 'List lessons shown or withheld, newest first',
    about:
      'List the deliveries, newest first. A delivery is one lesson at one call, with its outcome: whether the agent made the mistake again. To measure the effect, Oncebitten withholds a learned lesson in about 1 of 10 sessions, after it was shown five times; to switch that off: `oncebitten config set holdout.share 0`.',
    options: {
      ...LESSON_OPTION,
      ...SESSION_OPTION,
      ...AGENT_OPTION,
      ...PROJECT_OPTION,
      ...RANGE_OPTIONS,
      ...makePageOptions(20),
    },
    examples: ['oncebitten stats deliveries', 'oncebitten stats deliveries --lesson gh-pr-diff-stat --limit 50'],
    load: async () => (await import('./deliveries.ts')).run,
  },
  {
    name: 'stats compliance',
    oldNames: ['compliance'],
    summary: 'Show how often agents report their own mistakes',
    about:
      'Show, by agent and model, how often agents report their own mistakes, and which source teaches Oncebitten more: these reports or the failed calls. At the start of a session, Oncebitten asks the agent to write down each mistake that it makes, and the fix (setting selfReportProtocol).',
    options: { ...AGENT_OPTION, ...SINCE_OPTION },
    examples: ['oncebitten stats compliance', `oncebitten stats compliance --agent ${EXAMPLE_ID} --since 30d`],
    load: async () => (await import('./compliance.ts')).run,
  },
  {
    name: 'stats backtest',
    otherNames: ['backtest'],
    summary: 'Replay past sessions: what lessons would have prevented',
    about:
      'Replay past sessions call by call, in a temporary store: count the failures that repeated an earlier one, the repeats that a lesson would have warned about, and the warnings at calls that worked (false alarms). Only --fix changes your lessons.',
    options: {
      ...HISTORY_OPTION,
      '--path <path>': 'Session file, or folder of session files, to replay (default: all sessions in the store)',
      '--since <time>': 'Count only calls since this time: 2h, 7d, 2026-01-31; lessons still come from earlier calls',
      '--project [project]':
        'Count only this project: a folder, an id or a name; without a value: the project of this folder; lessons still come from all projects',
      '--answers <dir>':
        'Also replay with the lessons that a model proposed: a folder with its answers to `oncebitten learn --export <dir> --by session`. Each counts only for calls after the session that it was learned from',
      '--verbose': 'Show 95% intervals and longer lists',
      '--fix':
        'Go through the lessons with most false alarms in a terminal, and archive, edit or mute each with one key',
    },
    examples: ['oncebitten stats backtest --since 30d', 'oncebitten stats backtest --project . --fix'],
    load: async () => (await import('./backtest.ts')).run,
  },
];
