/** The commands that write proven lessons into the instruction files of agents, and remove them again. */
import { DEFAULT_FILE, INSTRUCTION_FILES, SKILLS_FOLDER, TARGET_NAMES } from '../../agent-names.ts';
import { type Command, type CommandGroup, type Options, REASON_OPTION } from '../../command.ts';

const LESSONS = {
  '<lessons...>':
    'Names or ids of lessons; or ids of promotions (one lesson in one file), as `lessons promote list` shows them; if one is wrong, nothing changes',
};
const FILES = Object.values(INSTRUCTION_FILES)
  .map(([file]) => file)
  .join(', ');
const USED_FILES = `each of ${FILES} that the project has; if it has none, ${DEFAULT_FILE}`;
const TARGET = makeTarget(USED_FILES);
/** By the default settings. */
const PROVEN = 'measured in at least 5 sessions, in which agents mostly avoided the mistake';
const DRY_RUN = { '--dry-run': 'Only show how the files would change' };
/** For steps after `propose`. */
const PROPOSED_TARGET = makeTarget('all files that the lesson was proposed for');

export const PROMOTION_COMMANDS: readonly (Command | CommandGroup)[] = [
  {
    name: 'lessons promote',
    section: 'Share:',
    summary: `Write proven lessons into ${FILES}`,
    about: `Write lessons into files of this project that agents read in every session (${FILES}), and remove them again. A lesson in such a file no longer fires in this project. (\`lessons share\` instead writes a file that only Oncebitten reads.)\n\nSteps:\n1. \`list\` shows the proven lessons (${PROVEN}) and the lessons that you proposed.\n2. \`approve\` allows Oncebitten to write a lesson.\n3. \`apply\` writes an approved lesson into the file.\n\nFor a lesson that is not proven, run \`propose\` first.`,
  },
  {
    name: 'lessons promote list',
    oldNames: ['promote list'],
    summary: 'List proven lessons, and the state of each promotion',
    about: `List the proven lessons of this project (${PROVEN}), and the promotions (one lesson in one file) with their state: pending (proposed), approved, applied (written) or rolled back. Nothing is changed.`,
    options: { '--all': 'Include other projects, and rejected and rolled-back promotions' },
    examples: ['oncebitten lessons promote list'],
    load: async () => (await import('./list.ts')).run,
  },
  {
    name: 'lessons promote show',
    oldNames: ['promote show'],
    summary: 'Show why a lesson is proposed, and the text for the file',
    arguments: { '<lesson>': 'Name or id of a lesson; or the id of a promotion, as `lessons promote list` shows it' },
    options: { ...TARGET },
    examples: ['oncebitten lessons promote show gh-pr-diff-stat'],
    load: async () => (await import('./show.ts')).run,
  },
  {
    name: 'lessons promote propose',
    oldNames: ['promote propose'],
    summary: 'Propose a lesson that is not proven yet',
    about:
      'Put lessons on the list of those to be copied into a file such as AGENTS.md. Proven lessons are on this list already. Use this command for unproven lessons (with --force), and for lessons that you rejected or rolled back. No file changes; the next step is `oncebitten lessons promote approve`.',
    arguments: { ...LESSONS },
    options: {
      ...TARGET,
      '--force': 'Propose lessons that are not proven yet',
      ...REASON_OPTION,
    },
    examples: ['oncebitten lessons promote propose gh-pr-diff-stat --force'],
    load: async () => (await import('./steps.ts')).runPropose,
  },
  {
    name: 'lessons promote approve',
    oldNames: ['promote approve'],
    summary: 'Allow proposed or proven lessons to be written',
    about:
      'Allow Oncebitten to write proposed or proven lessons into files. By this you also vouch for their text. No file changes yet: the next step is `oncebitten lessons promote apply`. (To let a draft fire, use `oncebitten lessons approve`.)',
    arguments: { ...LESSONS },
    options: {
      ...makeTarget(`the files that it was proposed for; without a proposal, ${USED_FILES}`),
      '--force': 'Approve even lessons that contain the path of your home folder',
      ...REASON_OPTION,
    },
    examples: ['oncebitten lessons promote approve gh-pr-diff-stat --target skill'],
    load: async () => (await import('./steps.ts')).runApprove,
  },
  {
    name: 'lessons promote reject',
    oldNames: ['promote reject'],
    summary: 'Keep lessons out of files; they still fire',
    about:
      'Keep lessons out of files; they still fire on calls. A rejected lesson is not offered again, unless you propose it. (For a wrong lesson, use `oncebitten lessons reject`.)',
    arguments: { ...LESSONS },
    options: { ...PROPOSED_TARGET, ...REASON_OPTION },
    examples: ['oncebitten lessons promote reject gh-pr-diff-stat'],
    load: async () => (await import('./steps.ts')).runReject,
  },
  {
    name: 'lessons promote apply',
    oldNames: ['promote apply'],
    summary: 'Write approved lessons into files of this project',
    about:
      'Write lessons that you approved with `oncebitten lessons promote approve` into a marked block of AGENTS.md or the other files that you approved them for. Afterwards the lessons no longer fire in this project, because agents read them in the file. To undo it: `oncebitten lessons promote rollback`.',
    arguments: { ...LESSONS },
    options: {
      ...PROPOSED_TARGET,
      ...DRY_RUN,
      '--create': 'Create the approved file if it does not exist (default: ask in a terminal; without one, refuse)',
      '--force':
        "Write even if somebody edited the lesson's lines in the file, or the file is a link out of the project",
      ...REASON_OPTION,
    },
    examples: ['oncebitten lessons promote apply gh-pr-diff-stat --dry-run'],
    load: async () => (await import('./steps.ts')).runApply,
  },
  {
    name: 'lessons promote rollback',
    oldNames: ['promote rollback'],
    summary: 'Remove lessons from the files, so that they fire again',
    about: 'Remove lessons from their files; the rest of each file stays as it is. The lessons fire on calls again.',
    arguments: { ...LESSONS },
    options: {
      ...PROPOSED_TARGET,
      ...DRY_RUN,
      '--force': "Remove the lesson's lines even if somebody edited them",
      ...REASON_OPTION,
    },
    examples: ['oncebitten lessons promote rollback gh-pr-diff-stat'],
    load: async () => (await import('./steps.ts')).runRollback,
  },
];

function makeTarget(fallback: string): Options {
  return {
    '--target <file...>': `File: ${TARGET_NAMES} (${SKILLS_FOLDER}/oncebitten-<tool>/SKILL.md) or a Markdown file of the project (default: ${fallback})`,
  };
}
