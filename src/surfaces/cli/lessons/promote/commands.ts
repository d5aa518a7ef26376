/** The commands that write proven lessons into the instruction files of agents, and remove them again. */
import { INSTRUCTION_FILES, TARGET_NAMES } from '../../agent-names.ts';
import type { Command, CommandGroup, CommandOption } from '../../command.ts';

const LESSONS = {
  ...{ name: 'lessons', help: 'Names or ids of lessons, or ids of promotions; if one is wrong, nothing changes' },
  ...{ required: true, many: true },
} as const;
const FILES = Object.values(INSTRUCTION_FILES)
  .map(([file]) => file)
  .join(', ');
const TARGET: CommandOption = {
  flags: '--target <file>',
  help: `Where to: ${TARGET_NAMES}, or a Markdown file of the project (default: each of ${FILES} that exists)`,
  many: true,
};
const REASON: CommandOption = { flags: '--reason <text>', help: "Reason, kept in the lesson's history" };
const DRY_RUN: CommandOption = { flags: '--dry-run', help: 'Only show how the files would change' };

export const PROMOTION_COMMANDS: readonly (Command | CommandGroup)[] = [
  {
    name: 'lessons promote',
    section: 'Share:',
    summary: 'Write proven lessons into AGENTS.md and the like',
    about: `Write proven lessons into files that agents read in every session (${FILES}), and remove them again. A lesson is proposed, then approved by you, then applied.`,
  },
  {
    name: 'lessons promote list',
    oldNames: ['promote list'],
    summary: 'List proven lessons, and the state of each promotion',
    options: [{ flags: '--all', help: 'Include other projects, and rejected and rolled-back promotions' }],
    examples: ['oncebitten lessons promote list'],
    load: async () => (await import('./list.ts')).run,
  },
  {
    name: 'lessons promote show',
    oldNames: ['promote show'],
    summary: 'Show why a lesson is proposed, and what would be written',
    arguments: [{ name: 'lesson', help: 'Name or id of a lesson, or id of a promotion', required: true }],
    options: [TARGET],
    examples: ['oncebitten lessons promote show gh-pr-diff-stat'],
    load: async () => (await import('./show.ts')).run,
  },
  {
    name: 'lessons promote propose',
    oldNames: ['promote propose'],
    summary: 'Propose lessons yourself',
    about: 'Propose lessons yourself, also after a rejection or a rollback.',
    arguments: [LESSONS],
    options: [TARGET, { flags: '--force', help: 'Propose lessons that are not proven yet' }, REASON],
    examples: ['oncebitten lessons promote propose gh-pr-diff-stat --force'],
    load: async () => (await import('./proposals.ts')).runProposePromotion,
  },
  {
    name: 'lessons promote approve',
    oldNames: ['promote approve'],
    summary: 'Allow proposed or proven lessons to be written',
    about: 'Allow proposed or proven lessons to be written into files. You vouch for them.',
    arguments: [LESSONS],
    options: [TARGET, { flags: '--force', help: 'Approve lessons that name your home folder' }, REASON],
    examples: ['oncebitten lessons promote approve gh-pr-diff-stat --target skill'],
    load: async () => (await import('./proposals.ts')).runApprovePromotion,
  },
  {
    name: 'lessons promote reject',
    oldNames: ['promote reject'],
    summary: 'Keep lessons out of files; they still fire',
    arguments: [LESSONS],
    options: [TARGET, REASON],
    examples: ['oncebitten lessons promote reject gh-pr-diff-stat'],
    load: async () => (await import('./proposals.ts')).runRejectPromotion,
  },
  {
    name: 'lessons promote apply',
    oldNames: ['promote apply'],
    summary: 'Write approved lessons into their files',
    about:
      'Write approved lessons into a marked block of their files. A lesson does not fire in a project that has it in a file.',
    arguments: [LESSONS],
    options: [
      TARGET,
      DRY_RUN,
      { flags: '--create', help: 'Create the file if the project has none' },
      { flags: '--force', help: "Overwrite changes to the lesson's section, and follow links out of the project" },
      REASON,
    ],
    examples: ['oncebitten lessons promote apply gh-pr-diff-stat --dry-run'],
    load: async () => (await import('./apply.ts')).run,
  },
  {
    name: 'lessons promote rollback',
    oldNames: ['promote rollback'],
    summary: 'Remove lessons from their files; they fire again',
    about: 'Remove lessons from their files; the rest of each file stays as it is. The lessons fire on calls again.',
    arguments: [LESSONS],
    options: [
      TARGET,
      DRY_RUN,
      { flags: '--force', help: "Remove the lesson's section even if somebody changed it" },
      REASON,
    ],
    examples: ['oncebitten lessons promote rollback gh-pr-diff-stat'],
    load: async () => (await import('./rollback.ts')).run,
  },
];
