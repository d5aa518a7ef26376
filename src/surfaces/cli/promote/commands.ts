/** The commands that bring proven lessons into the files that agents always read, and out again. */
import { INSTRUCTION_FILES, TARGET_NAMES } from '../agent-names.ts';
import type { Command, CommandOption } from '../command.ts';

const LESSONS = {
  ...{ name: 'lessons', help: 'slugs or ids of lessons, or ids of promotions; all of them or none' },
  ...{ required: true, many: true },
} as const;
const FILES = Object.values(INSTRUCTION_FILES)
  .map(([file]) => file)
  .join(', ');
const TARGET: CommandOption = {
  flags: '--target <file>',
  help: `${TARGET_NAMES}, or a Markdown file of the project; default: all of ${FILES} that are there`,
  many: true,
};
const REASON: CommandOption = { flags: '--reason <text>', help: 'why, for the history' };
const DRY_RUN: CommandOption = { flags: '--dry-run', help: 'only show what would become of the files' };

export const PROMOTION_COMMANDS: readonly Command[] = [
  {
    name: 'promote list',
    summary: 'lessons that have proven themselves here, and what became of those that were proposed',
    options: [{ flags: '--all', help: 'also of other projects, and all that was rejected or rolled back' }],
    load: async () => (await import('./list.ts')).run,
  },
  {
    name: 'promote show',
    summary: 'one proposal: what, when, why, how often, examples, and what would be written',
    arguments: [{ name: 'lesson', help: 'slug or id of a lesson, or id of a promotion', required: true }],
    options: [TARGET],
    load: async () => (await import('./show.ts')).run,
  },
  {
    name: 'promote propose',
    summary: 'propose lessons yourself, or again what was rejected or rolled back',
    arguments: [LESSONS],
    options: [TARGET, { flags: '--force', help: 'also when it has not proven itself yet' }, REASON],
    load: async () => (await import('./proposals.ts')).runProposePromotion,
  },
  {
    name: 'promote approve',
    summary: 'what is proposed, or proven, may be written; whoever says so vouches for the lesson',
    arguments: [LESSONS],
    options: [TARGET, { flags: '--force', help: 'also when it names your home folder' }, REASON],
    examples: [
      'oncebitten promote approve gh-pr-diff-stat-x7k2',
      'oncebitten promote approve pytest-tty-9wnp --target skill',
    ],
    load: async () => (await import('./proposals.ts')).runApprovePromotion,
  },
  {
    name: 'promote reject',
    summary: 'not in a file: the lessons go on speaking at their calls',
    arguments: [LESSONS],
    options: [TARGET, REASON],
    load: async () => (await import('./proposals.ts')).runRejectPromotion,
  },
  {
    name: 'promote apply',
    summary: 'write approved lessons into their files, in a marked block; they are not said singly there any more',
    arguments: [LESSONS],
    options: [
      TARGET,
      DRY_RUN,
      { flags: '--create', help: 'make the file where the project has none' },
      {
        flags: '--force',
        help: "over somebody's changes of the lesson's section, or through a link out of the project",
      },
      REASON,
    ],
    examples: ['oncebitten promote apply gh-pr-diff-stat-x7k2 --dry-run'],
    load: async () => (await import('./apply.ts')).run,
  },
  {
    name: 'promote rollback',
    summary: 'take lessons out of their files again: the rest stays as it is, and they speak at their calls as before',
    arguments: [LESSONS],
    options: [TARGET, DRY_RUN, { flags: '--force', help: "also when somebody changed the lesson's section" }, REASON],
    load: async () => (await import('./rollback.ts')).run,
  },
];
