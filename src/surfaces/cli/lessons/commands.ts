/** The commands about lessons, in the order of the help. */
import { EXAMPLE_ID, TOOL_OWNER_OPTION } from '../agent-names.ts';
import { type Command, type CommandGroup, type CommandOption, PROJECT_OPTION } from '../command.ts';
import { PROMOTION_COMMANDS } from './promote/commands.ts';

const LESSON = {
  name: 'lesson',
  help: 'Name (its last four characters may be left out) or id',
  required: true,
} as const;
const LESSONS = {
  ...{
    name: 'lessons',
    help: 'Names (the last four characters may be left out) or ids; if one is wrong, nothing changes',
  },
  ...{ required: true, many: true },
} as const;
const REASON: CommandOption = { flags: '--reason <text>', help: "Reason, kept in the lesson's history" };

/** Text and triggers of a lesson: the same options write one and change one. */
const CONTENT: readonly CommandOption[] = [
  { flags: '--summary <text>', help: 'The lesson in one line' },
  { flags: '--fix <text>', help: 'What to do instead, ready to copy' },
  { flags: '--mistake <text>', help: 'What goes wrong, and why' },
  { flags: '--program <words>', help: 'Fire on this program, with its sub-commands: "gh pr diff"', many: true },
  {
    ...{ flags: '--with <word>', help: 'Fire only if the command has this option or word' },
    ...{ many: true, mayBeOption: true },
  },
  {
    ...{ flags: '--without <word>', help: 'Do not fire if the command has this option or word' },
    ...{ many: true, mayBeOption: true },
  },
  { flags: '--tool <name>', help: 'Fire on this tool: shell, read, edit, write …', many: true },
  { flags: '--file <glob>', help: 'Fire on files that match this pattern', many: true },
  { flags: '--keyword <words>', help: 'Fire only if a recent message has these words: "force push"', many: true },
  { flags: '--tag <tag>', help: 'Tag: lang:python, tool:gh …', many: true },
  { flags: '--type <type>', help: 'Type: checklist, pattern, warning or requirement' },
];

const READING: readonly Command[] = [
  {
    name: 'lessons list',
    summary: 'List lessons, the most important first',
    options: [
      { flags: '--status <status>', help: 'Only draft, active or archived lessons' },
      { flags: '--needs-review', help: 'Only drafts and lessons that need a review' },
      { flags: '--search <text>', help: 'Only lessons that contain this text' },
      { flags: '--tag <tag>', help: 'Only lessons with this tag', many: true },
      { flags: '--type <type>', help: 'Only checklist, pattern, warning or requirement' },
      {
        flags: '--origin <origin>',
        help: 'Only lessons from episode (a failure and its fix), self-report (of an agent), user, qa, import or model',
      },
      PROJECT_OPTION,
      { flags: '--sort <by>', help: 'Sort by priority, confidence, seen, created, updated or used; highest first' },
      { flags: '--limit <n>', help: 'Maximum number of rows (default: no limit)' },
      { flags: '--from <n>', help: 'Number of the first row (default: 1)' },
      { flags: '--all', help: 'All lessons, archived ones too' },
    ],
    examples: ['oncebitten lessons list --needs-review', 'oncebitten lessons list --search pytest --sort used'],
    load: async () => (await import('./list.ts')).run,
  },
  {
    name: 'lessons show',
    summary: 'Show a lesson with its triggers, evidence and history',
    arguments: [LESSON],
    examples: ['oncebitten lessons show gh-pr-diff-stat'],
    load: async () => (await import('./show.ts')).run,
  },
  {
    name: 'lessons history',
    summary: 'List every change of a lesson: when, by whom and why',
    arguments: [LESSON],
    examples: ['oncebitten lessons history gh-pr-diff-stat'],
    load: async () => (await import('./history.ts')).run,
  },
  {
    name: 'lessons test',
    summary: 'Test a lesson on past calls, or on one call',
    about:
      'Show on which past calls a lesson would have fired, and whether it would have been right. With --command or --tool, test it on that call.',
    arguments: [LESSON],
    options: [
      { flags: '--command <command>', help: 'Shell command to test, instead of past calls' },
      { flags: '--tool <name>', help: 'Tool to test, as the agent names it: Edit …; needs --input' },
      { flags: '--input <json>', help: 'Input of that tool as JSON' },
      TOOL_OWNER_OPTION,
    ],
    examples: [
      'oncebitten lessons test gh-pr-diff-stat',
      'oncebitten lessons test gh-pr-diff-stat --command "gh pr diff 7 --stat"',
    ],
    load: async () => (await import('./test.ts')).run,
  },
  {
    name: 'lessons audit',
    oldNames: ['audit'],
    summary: 'Find lessons that never fire, or fire too often',
    about:
      'Find bad lessons: lessons that never fire or fire too often, duplicates, and what was kept and dropped while learning.',
    options: [
      {
        flags: '--path <path>',
        help: 'Transcript, or folder of transcripts, to learn from and audit, instead of the store',
      },
      { flags: '--agent <id>', help: 'With --path: only this agent', many: true },
    ],
    examples: ['oncebitten lessons audit', `oncebitten lessons audit --agent ${EXAMPLE_ID} --path ./sessions`],
    load: async () => (await import('./audit.ts')).run,
  },
];

const DECIDING: readonly Command[] = [
  {
    name: 'lessons review',
    oldNames: ['review'],
    summary: 'Go through drafts: approve, edit, reject or skip each',
    options: [
      { flags: '--list', help: 'Only list the drafts' },
      { flags: '--approve <lesson>', help: 'Approve this lesson without asking', many: true },
      { flags: '--reject <lesson>', help: 'Reject this lesson without asking', many: true },
      { flags: '--limit <n>', help: 'Maximum number of drafts (default: setting maxCandidatesPerScan)' },
      { flags: '--from <n>', help: 'Number of the first draft (default: 1)' },
      { flags: '--all', help: 'All drafts' },
      REASON,
    ],
    examples: ['oncebitten lessons review', 'oncebitten lessons review --approve pytest-tty-x7k2 --reject curl-9wnp'],
    load: async () => (await import('./review/review.ts')).run,
  },
  {
    name: 'lessons approve',
    summary: 'Approve drafts: let them fire',
    about: 'Approve drafts and lessons that need a review: let them fire.',
    arguments: [LESSONS],
    options: [REASON],
    examples: ['oncebitten lessons approve gh-pr-diff-stat'],
    load: async () => (await import('./status.ts')).runApprove,
  },
  {
    name: 'lessons reject',
    summary: 'Archive wrong lessons, and never learn them again',
    arguments: [LESSONS],
    options: [REASON],
    examples: ['oncebitten lessons reject gh-pr-diff-stat --reason "the option exists now"'],
    load: async () => (await import('./status.ts')).runReject,
  },
  {
    name: 'lessons feedback',
    oldNames: ['feedback'],
    summary: 'Say whether a lesson helped',
    about: "Say whether a lesson helped. The feedback raises or lowers the lesson's confidence.",
    arguments: [
      {
        name: 'lesson',
        help: 'Lesson, or id of one delivery (see: oncebitten stats deliveries)',
        required: true,
      },
      { name: 'verdict', help: 'helpful or not-helpful', required: true },
    ],
    options: [
      { flags: '--note <text>', help: 'Reason, in your words' },
      { flags: '--by <source>', help: "user or agent; an agent's feedback counts half (default: user)" },
    ],
    examples: [
      'oncebitten lessons feedback gh-pr-diff-stat helpful',
      'oncebitten lessons feedback dlv_01KA3 not-helpful --note "we are on the new version"',
    ],
    load: async () => (await import('./feedback.ts')).run,
  },
  {
    name: 'lessons mute',
    oldNames: ['mute'],
    summary: 'Stop showing a lesson, or all lessons',
    about: 'Stop showing a lesson, or all lessons. Calls are still captured and learned from.',
    arguments: [{ ...LESSON, required: false }],
    options: [
      { flags: '--all', help: 'Mute all lessons' },
      { flags: '--for <span>', help: 'How long: 30m, 2h, 1d (default: until unmute)' },
      {
        flags: '--session <id>',
        help: 'Only in this session: full id, or a unique prefix if the session is already recorded',
      },
    ],
    examples: ['oncebitten lessons mute gh-pr-diff-stat --for 1d', 'oncebitten lessons mute --all --for 2h'],
    load: async () => (await import('./mute.ts')).runMute,
  },
  {
    name: 'lessons unmute',
    oldNames: ['unmute'],
    summary: 'Show a muted lesson, or all lessons, again',
    arguments: [{ ...LESSON, required: false }],
    options: [
      { flags: '--all', help: 'Undo `lessons mute --all`' },
      { flags: '--session <id>', help: 'Only in this session: full id or a unique prefix' },
    ],
    examples: ['oncebitten lessons unmute gh-pr-diff-stat'],
    load: async () => (await import('./mute.ts')).runUnmute,
  },
  {
    name: 'lessons archive',
    summary: 'Put lessons aside: they are kept, but do not fire',
    arguments: [LESSONS],
    options: [REASON],
    examples: ['oncebitten lessons archive gh-pr-diff-stat'],
    load: async () => (await import('./status.ts')).runArchive,
  },
  {
    name: 'lessons restore',
    summary: 'Bring archived lessons back as they were',
    arguments: [LESSONS],
    options: [REASON],
    examples: ['oncebitten lessons restore gh-pr-diff-stat'],
    load: async () => (await import('./status.ts')).runRestore,
  },
];

const WRITING: readonly Command[] = [
  {
    name: 'lessons add',
    summary: 'Write a lesson yourself',
    about: 'Write a lesson yourself: with options, as JSON, or by answering questions in a terminal.',
    options: [
      ...CONTENT,
      { flags: '--priority <n>', help: 'Priority, 1 to 10 (default: 7)' },
      { flags: '--project', help: 'Only for the project of this folder (default: for all projects)' },
      { flags: '--stdin', help: 'Read the lesson as JSON from standard input' },
    ],
    examples: [
      'oncebitten lessons add',
      'oncebitten lessons add --summary "gh pr diff has no --stat" --fix "gh pr diff 7 --name-only" --program "gh pr diff" --with --stat',
    ],
    load: async () => (await import('./add.ts')).run,
  },
  {
    name: 'lessons edit',
    summary: 'Change a lesson',
    about:
      'Change a lesson: with options, with JSON, or in your editor. Learning no longer changes the text of a lesson that you edited.',
    arguments: [LESSON],
    options: [
      ...CONTENT,
      { flags: '--priority <n>', help: 'Priority, 1 to 10' },
      {
        flags: '--mode <mode>',
        help: 'What it does: note (advise), pause (refuse once), rewrite (correct the call) or block (refuse)',
      },
      { flags: '--scope <scope>', help: 'user (all your projects), team, or project (that of this folder)' },
      {
        flags: '--valid-from <time>',
        help: 'Do not fire before: 2026-01-31 or 2026-01-31T12:00:00Z; none for no limit',
      },
      { flags: '--valid-until <time>', help: 'Do not fire from this time on; none for no limit' },
      { flags: '--stdin', help: 'Read the fields to change as JSON from standard input' },
      REASON,
    ],
    examples: [
      'oncebitten lessons edit gh-pr-diff-stat --fix "gh pr diff 7 --name-only" --priority 8',
      `echo '{"scope":{"kind":"user"}}' | oncebitten lessons edit gh-pr-diff-stat --stdin`,
    ],
    load: async () => (await import('./edit.ts')).run,
  },
  {
    name: 'lessons merge',
    summary: 'Merge duplicate lessons into one',
    about:
      'Merge lessons into one. It keeps its own text and triggers, and takes over the evidence and counts of the others.',
    arguments: [
      { name: 'into', help: 'Lesson that stays: name or id', required: true },
      { name: 'from', help: 'Lessons to merge into it', required: true, many: true },
    ],
    options: [REASON],
    examples: ['oncebitten lessons merge gh-pr-diff-stat gh-diff-stat-9wnp'],
    load: async () => (await import('./status.ts')).runMerge,
  },
  {
    name: 'lessons delete',
    summary: 'Delete lessons and their text for good',
    about: 'Delete lessons and their text for good. They may be learned again; to prevent that, reject them instead.',
    arguments: [LESSONS],
    options: [
      { flags: '--dry-run', help: 'Only show what would be deleted' },
      { flags: '--yes', help: 'Do not ask for confirmation' },
    ],
    examples: ['oncebitten lessons delete gh-pr-diff-stat'],
    load: async () => (await import('./delete.ts')).run,
  },
  {
    name: 'lessons undo',
    summary: 'Undo your last change to lessons, or to one lesson',
    about:
      'Undo your last command that changed lessons, or the last change of one lesson. Repeat it to undo earlier ones.',
    arguments: [{ name: 'lesson', help: 'Name or id (default: your last command)', required: false }],
    options: [{ flags: '--redo', help: 'Undo the last undo' }],
    examples: ['oncebitten lessons undo', 'oncebitten lessons undo gh-pr-diff-stat'],
    load: async () => (await import('./undo.ts')).run,
  },
];

const SHARING: readonly Command[] = [
  {
    name: 'lessons share',
    summary: 'Write lessons into this repository, for your team',
    about: 'Write lessons into files of this repository (.oncebitten/lessons/), for everybody who works in it.',
    arguments: [LESSONS],
    options: [{ flags: '--force', help: 'Write even if git ignores the file or somebody changed it' }],
    examples: ['oncebitten lessons share gh-pr-diff-stat'],
    load: async () => (await import('./share/share.ts')).run,
  },
  {
    name: 'lessons unshare',
    summary: 'Remove lessons from this repository; you keep them',
    about: 'Remove the files of shared lessons from this repository. The lessons stay in your own store.',
    arguments: [LESSONS],
    options: [{ flags: '--force', help: 'Remove the file even if somebody changed it' }],
    examples: ['oncebitten lessons unshare gh-pr-diff-stat'],
    load: async () => (await import('./share/unshare.ts')).run,
  },
  {
    name: 'lessons export',
    summary: 'Write lessons as one JSON document',
    about: 'Write lessons as one JSON document, without secrets and without paths of this machine.',
    options: [
      { flags: '--out <file>', help: 'File to write (default: standard output)' },
      { flags: '--force', help: 'Replace the file if it exists' },
      { flags: '--status <status>', help: 'Only draft, active or archived lessons' },
      PROJECT_OPTION,
      { flags: '--scope <kind>', help: 'Only lessons of this scope: project, user or team' },
      { flags: '--history', help: 'Include all changes of each lesson: when, by whom and why' },
      { flags: '--with-evidence', help: 'Include the paths of transcripts and of your home folder' },
    ],
    examples: ['oncebitten lessons export --status active --out lessons.json'],
    load: async () => (await import('./share/export.ts')).run,
  },
  {
    name: 'lessons import',
    summary: 'Read lessons from a file, as drafts',
    about:
      'Read lessons from a file, as drafts: an Oncebitten export, a lessons.json, a process-knowledge graph, or rules as in AGENTS.md.',
    arguments: [{ name: 'file', help: 'File, or - for standard input', required: true }],
    options: [
      { flags: '--dry-run', help: 'Only show what would be imported' },
      {
        flags: '--format <form>',
        help: 'own (Oncebitten export), lessons-json, process-knowledge or rules (default: detected)',
      },
      {
        flags: '--scope <kind>',
        help: 'project (of this folder) or user (default: as in the file, otherwise user)',
      },
      {
        flags: '--trust',
        help: 'The file is your own export: keep the status of lessons, and replace older ones of yours',
      },
    ],
    examples: [
      'oncebitten lessons import lessons.json --dry-run',
      'oncebitten lessons import AGENTS.md --scope project',
    ],
    load: async () => (await import('./share/import.ts')).run,
  },
  {
    name: 'lessons starter',
    summary: 'Get lessons about tools that hold for everyone',
    about: 'Show, install or remove lessons about tools that hold for everyone. They are installed as drafts.',
    options: [
      { flags: '--list', help: 'Show the lessons, and how they did in real sessions (default)' },
      { flags: '--install', help: 'Add the lessons that are missing, as drafts' },
      { flags: '--remove', help: 'Remove the starter lessons that you did not change' },
    ],
    examples: ['oncebitten lessons starter', 'oncebitten lessons starter --install'],
    load: async () => (await import('./share/starter.ts')).run,
  },
];

export const LESSON_COMMANDS: readonly (Command | CommandGroup)[] = [
  {
    name: 'lessons',
    summary: 'Read, review, write and share lessons',
    about:
      'A lesson says which calls go wrong, and what to do instead. It fires when an agent is about to make such a call: then the agent is shown the lesson. A draft does not fire until you approve it.',
  },
  ...inSection('Read:', READING),
  ...inSection('Decide:', DECIDING),
  ...inSection('Write and change:', WRITING),
  ...inSection('Share:', SHARING),
  ...PROMOTION_COMMANDS,
];

function inSection(section: string, commands: readonly Command[]): readonly Command[] {
  return commands.map((command) => ({ ...command, section }));
}
