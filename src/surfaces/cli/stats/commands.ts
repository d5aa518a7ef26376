/** The commands about what lessons do: what was shown, whether it helped, and what people say about it. */
import { AGENT_OPTION } from '../agent-names.ts';
import type { Command, CommandOption } from '../command.ts';
import { makePageOptions } from '../paging.ts';

const PROJECT: CommandOption = {
  flags: '--project [dir]',
  help: 'only in this project: a folder (default: here), an id or a name',
};
const LESSON: CommandOption = { flags: '--lesson <lesson>', help: 'only this lesson: slug or id' };
const SINCE: CommandOption = { flags: '--since <time>', help: 'only since then: 2h, 30d, 2026-01-31 or an ISO time' };

export const MEASURE_COMMANDS: readonly Command[] = [
  {
    name: 'stats',
    summary: 'do the lessons help: what was shown, what came of it, what it prevented, what it cost',
    options: [
      SINCE,
      AGENT_OPTION,
      PROJECT,
      LESSON,
      { flags: '--limit <n>', help: 'at most so many rows of each table, default 10' },
    ],
    examples: ['oncebitten stats', 'oncebitten stats --since 30d --project .', 'oncebitten stats --json'],
    load: async () => (await import('./stats.ts')).run,
  },
  {
    name: 'deliveries',
    summary: 'the latest lessons that were shown or withheld, and what came of each',
    options: [
      LESSON,
      { flags: '--session <id>', help: 'only in this session; full id or a unique prefix' },
      AGENT_OPTION,
      PROJECT,
      SINCE,
      ...makePageOptions(20),
    ],
    examples: ['oncebitten deliveries', 'oncebitten deliveries --lesson gh-pr-diff-stat-x7k2 --limit 50'],
    load: async () => (await import('./deliveries.ts')).run,
  },
  {
    name: 'feedback',
    summary: 'say whether a lesson helped: its confidence moves with it',
    arguments: [
      {
        name: 'about',
        help: 'id of a delivery or the beginning of it (see: deliveries); or a lesson: the last time it was shown',
        required: true,
      },
      { name: 'verdict', help: 'helpful or not-helpful', required: true },
    ],
    options: [
      { flags: '--note <text>', help: 'why, in your words' },
      { flags: '--by <who>', help: 'user or agent; an agent counts half; default user' },
    ],
    examples: [
      'oncebitten feedback gh-pr-diff-stat-x7k2 helpful',
      'oncebitten feedback dlv_01KA3 not-helpful --note "we are on the new version"',
    ],
    load: async () => (await import('./feedback.ts')).run,
  },
];
