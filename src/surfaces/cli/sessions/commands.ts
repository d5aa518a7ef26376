/** The commands about past sessions: what agents did, and what failed. */
import { AGENT_OPTION } from '../agent-names.ts';
import { type Command, PROJECT_OPTION, SESSION_OPTION, SINCE_OPTION } from '../command.ts';
import { makePageOptions } from '../paging.ts';

export const SESSION_COMMANDS: readonly Command[] = [
  {
    name: 'sessions',
    summary: 'Show past sessions and what failed in them',
    about: 'List the latest sessions. The commands below show one session, or what failed in many.',
    options: [AGENT_OPTION, ...makePageOptions(20)],
    examples: ['oncebitten sessions', 'oncebitten sessions --limit 50'],
    load: async () => (await import('./session.ts')).run,
  },
  {
    name: 'sessions show',
    oldNames: ['session'],
    summary: 'Show the calls of a session as a timeline',
    arguments: [{ name: 'id', help: 'Full id or a unique prefix (without it, sessions are listed)', required: false }],
    options: [
      { flags: '--failures', help: 'Only failed calls; without an id, those of the latest session' },
      AGENT_OPTION,
      { flags: '--limit <n>', help: 'Maximum number of calls (default: 100)' },
      { flags: '--from <n>', help: 'Number of the first call to show (default: 1)' },
      { flags: '--all', help: 'Show all calls' },
    ],
    examples: ['oncebitten sessions show 0b1c2d --from 40', 'oncebitten sessions show --failures'],
    load: async () => (await import('./session.ts')).run,
  },
  {
    name: 'sessions failures',
    oldNames: ['failures'],
    summary: 'List failed calls by kind of failure, or one by one',
    options: [
      { flags: '--each', help: 'List each failed call, newest first, instead of kinds of failure' },
      { flags: '--unresolved', help: 'Only failures that no later call with the same intent fixed' },
      { flags: '--signature <id>', help: 'Only this kind of failure: its signature, as the list shows it' },
      SESSION_OPTION,
      PROJECT_OPTION,
      AGENT_OPTION,
      SINCE_OPTION,
      ...makePageOptions(20),
    ],
    examples: [
      'oncebitten sessions failures --since 7d',
      'oncebitten sessions failures --project . --unresolved --each',
    ],
    load: async () => (await import('./failures.ts')).run,
  },
  {
    name: 'sessions history',
    oldNames: ['history'],
    summary: 'Count sessions, calls and failures over time',
    about: 'Count sessions, calls and failures by agent, project, model, day or week, and show what failed most.',
    options: [
      {
        flags: '--by <unit>',
        help: 'Count by agent, project, model, day or week, in UTC (default: agent and project)',
      },
      AGENT_OPTION,
      PROJECT_OPTION,
      { flags: '--model <name>', help: 'Only sessions with this model' },
      SINCE_OPTION,
      { flags: '--until <time>', help: 'Only until this time; a date includes the whole day' },
      { flags: '--limit <n>', help: 'Maximum number of rows in each table (default: 10, and 5 failures)' },
    ],
    examples: ['oncebitten sessions history --since 30d', 'oncebitten sessions history --project . --by week'],
    load: async () => (await import('./history.ts')).run,
  },
  {
    name: 'sessions patterns',
    oldNames: ['patterns'],
    summary: 'Show what keeps failing: commands, files, categories',
    about: 'Show what keeps failing: repeated failures, files and commands that often fail, and dominant categories.',
    options: [
      { flags: '--kind <kind>', help: 'Only repeated-failure, breaking-file, dominant-category or always-breaks' },
      PROJECT_OPTION,
      AGENT_OPTION,
      SINCE_OPTION,
      ...makePageOptions(20),
    ],
    examples: [
      'oncebitten sessions patterns --since 30d',
      'oncebitten sessions patterns --project . --kind always-breaks',
    ],
    load: async () => (await import('./patterns.ts')).run,
  },
  {
    name: 'sessions findings',
    otherNames: ['findings'],
    summary: 'List mistakes found in calls, and what became of them',
    about: 'List the mistakes that were found in past calls, whether each became a lesson, and why if it did not.',
    options: [
      {
        flags: '--verdict <verdict>',
        help: 'Only new (became a lesson), draft, merged (into a known lesson) or dropped',
      },
      AGENT_OPTION,
      PROJECT_OPTION,
      ...makePageOptions(50),
    ],
    examples: ['oncebitten sessions findings --verdict dropped', 'oncebitten sessions findings --all --json'],
    load: async () => (await import('./findings.ts')).run,
  },
  {
    name: 'sessions signature',
    otherNames: ['signature'],
    summary: 'Print the signature of each message on standard input',
    about:
      'Print the signature of each message on standard input, one per line. Messages that differ only in paths, numbers and the like have the same signature.',
    options: [
      {
        flags: '--program <name>',
        help: 'Program that printed the messages; the same message of another program is another failure',
      },
      { flags: '--merge', help: 'Give near-duplicates the same signature; reads all lines before it prints' },
    ],
    examples: ['oncebitten sessions signature --program git < messages.txt'],
    load: async () => (await import('./signature.ts')).run,
  },
];
