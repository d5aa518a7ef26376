/** The commands about past sessions: what agents did, and what failed. */
import { AGENT_OPTION } from '../agent-names.ts';
import {
  CATEGORY_OPTION,
  type Command,
  PROJECT_OPTION,
  RANGE_OPTIONS,
  SESSION_OPTION,
  SINCE_OPTION,
} from '../command.ts';
import { makePageOptions } from '../paging.ts';

const ALL_CLASSES = 'List all rows, and the failures that the list leaves out (failed tests, network failures …)';

export const SESSION_COMMANDS: readonly Command[] = [
  {
    name: 'sessions',
    summary: 'Show past sessions and what failed in them',
    about:
      'List the latest sessions that hooks or a scan have recorded. The commands below show one session, or the failed calls of many.',
    options: {
      ...PROJECT_OPTION,
      ...AGENT_OPTION,
      ...RANGE_OPTIONS,
      '--category <name>': 'Only sessions with a failure of this category: wrong_usage, not_found …',
      ...makePageOptions(20),
    },
    examples: ['oncebitten sessions', 'oncebitten sessions --limit 50'],
    load: async () => (await import('./session.ts')).run,
  },
  {
    name: 'sessions show',
    oldNames: ['session'],
    summary: 'Show the calls of a session as a timeline',
    about: 'Show the calls of a session in their order, with outcome, duration and the lessons that were shown.',
    arguments: {
      '[id]': 'Id of the session, as `oncebitten sessions` shows it, or a unique prefix (default: list the sessions)',
    },
    options: {
      '--failures': 'Only failed calls; without an id, those of the latest session',
      ...AGENT_OPTION,
      '--limit <n>': 'Maximum number of calls (default: 100)',
      '--from <n>': 'Number of the first call to show (default: 1)',
      '--all': 'Show all calls',
    },
    examples: ['oncebitten sessions show 0b1c2d --from 40', 'oncebitten sessions show --failures'],
    load: async () => (await import('./session.ts')).run,
  },
  {
    name: 'sessions failures',
    oldNames: ['failures'],
    summary: 'List failed calls by kind of failure, or one by one',
    about:
      'List the failed calls of all sessions by kind of failure, with the known fix and the lesson about it, or one by one (--each). The kinds that were repeated most in later sessions come first. Times are in UTC.\n\nFailures of one kind have the same signature: the same program and the same message, apart from numbers, paths and names.\n\nThe list leaves out, and only counts, failures that another call usually does not fix: failed tests, lints and builds, searches that found nothing, edits whose text was not found, network failures, exit codes without a message.\n\nA masked failure is a failed call whose command hid the exit code (`| tail`, `|| true`).',
    options: {
      '--each': 'List each failed call, newest first',
      '--unresolved': 'Only failures after which no similar call worked',
      '--signature <id>': 'Only failures of this kind: its id (sig…), as the list shows it',
      ...SESSION_OPTION,
      ...PROJECT_OPTION,
      ...AGENT_OPTION,
      ...RANGE_OPTIONS,
      ...CATEGORY_OPTION,
      ...makePageOptions(20, ALL_CLASSES),
    },
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
    options: {
      '--by <unit>': 'Count by agent, project, model, day or week, in UTC (default: agent and project)',
      ...AGENT_OPTION,
      ...PROJECT_OPTION,
      ...RANGE_OPTIONS,
      '--limit <n>': 'Maximum number of rows in each table (default: 10; 5 in the table of failures)',
    },
    examples: ['oncebitten sessions history --since 30d', 'oncebitten sessions history --project . --by week'],
    load: async () => (await import('./history.ts')).run,
  },
  {
    name: 'sessions patterns',
    oldNames: ['patterns'],
    summary: 'Show what keeps failing: commands, files, categories',
    about:
      'Show what keeps failing, with the known fix and the lesson about it, if there is one: failures that come back (the same list as `sessions failures`), files and commands that often fail, and categories (such as missing_path) that most failures belong to.',
    options: {
      '--kind <kind>': 'Only repeated-failure, always-breaks (9 of 10 calls fail), breaking-file or dominant-category',
      ...PROJECT_OPTION,
      ...AGENT_OPTION,
      ...SINCE_OPTION,
      ...makePageOptions(20, ALL_CLASSES),
    },
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
    about:
      'List the mistakes that Oncebitten found in past calls, newest first, and what became of each: a lesson, a draft, more evidence for a known lesson, or nothing, with the reason.',
    options: {
      '--verdict <verdict>':
        'Only mistakes with this result: new (an active lesson), draft, merged (more evidence for a known lesson) or dropped',
      ...AGENT_OPTION,
      ...PROJECT_OPTION,
      ...makePageOptions(50),
    },
    examples: ['oncebitten sessions findings --verdict dropped', 'oncebitten sessions findings --all --json'],
    load: async () => (await import('./findings.ts')).run,
  },
  {
    name: 'sessions signature',
    otherNames: ['signature'],
    summary: 'Show which error messages count as the same failure',
    about:
      'Print the signature of each error message on standard input, one per line. Messages that differ only in numbers, paths and names have the same signature, so they count as the same failure. Nothing is stored.',
    options: {
      '--program <name>':
        'Program that printed the messages; the same message of another program has another signature',
      '--merge': 'Give one signature to messages that are nearly the same; reads all lines before it prints',
    },
    examples: ['oncebitten sessions signature --program git < messages.txt'],
    load: async () => (await import('./signature.ts')).run,
  },
];
