/** The commands about lessons, in the order of the help. */
import { TOOL_OWNER_OPTION } from '../agent-names.ts';
import type { Command, CommandOption } from '../command.ts';

const LESSON = { name: 'lesson', help: 'name (its last four signs may be left out) or id', required: true } as const;
const LESSONS = {
  ...{ name: 'lessons', help: 'names (their last four signs may be left out) or ids; all of them or none' },
  ...{ required: true, many: true },
} as const;
const REASON: CommandOption = { flags: '--reason <text>', help: 'why, for the history' };

/** What a lesson says and when: the same to write one and to change one. */
const WORDS: readonly CommandOption[] = [
  { flags: '--summary <text>', help: 'the lesson in one line' },
  { flags: '--fix <text>', help: 'what to do, copy-pasteable' },
  { flags: '--mistake <text>', help: 'what goes wrong and why' },
  {
    flags: '--program <words>',
    help: 'speak at this command: program and sub-commands, e.g. "gh pr diff"',
    many: true,
  },
  { flags: '--with <word>', help: 'only when the command has this option or word', many: true, mayBeOption: true },
  { flags: '--without <word>', help: 'not when the command has this option or word', many: true, mayBeOption: true },
  { flags: '--tool <name>', help: 'speak at this tool: shell, read, edit, write …', many: true },
  { flags: '--file <glob>', help: 'speak at files like this', many: true },
  { flags: '--keyword <words>', help: 'only when this is said in the last messages, e.g. "force push"', many: true },
  { flags: '--tag <tag>', help: 'lang:python, tool:gh …', many: true },
  { flags: '--type <type>', help: 'checklist, pattern, warning or requirement' },
];

export const LESSON_COMMANDS: readonly Command[] = [
  {
    name: 'lessons list',
    summary: 'the lessons, weightiest first',
    options: [
      { flags: '--status <status>', help: 'only draft, active or archived' },
      { flags: '--type <type>', help: 'only checklist, pattern, warning or requirement' },
      { flags: '--origin <origin>', help: 'only those from episode, self-report, user, qa, import or model' },
      { flags: '--all', help: 'every lesson, archived ones too' },
      { flags: '--limit <n>', help: 'maximum number of rows (default: no limit)' },
      { flags: '--from <n>', help: 'number of the first row (default 1)' },
      { flags: '--needs-review', help: 'only drafts and what needs review' },
      { flags: '--project [dir]', help: 'only of this project: a folder (default: here), an id or a name' },
      { flags: '--tag <tag>', help: 'only with this tag; several times for several', many: true },
      { flags: '--search <text>', help: 'only those that say this' },
      { flags: '--sort <by>', help: 'priority, confidence, seen, created, updated or used; highest first' },
    ],
    examples: ['oncebitten lessons list --needs-review', 'oncebitten lessons list --search pytest --sort used'],
    load: async () => (await import('./list.ts')).run,
  },
  {
    name: 'lessons show',
    summary: 'one lesson with its triggers, evidence and history',
    arguments: [LESSON],
    load: async () => (await import('./show.ts')).run,
  },
  {
    name: 'lessons add',
    summary: 'write a lesson yourself: with flags, as JSON, or by answering questions',
    options: [
      ...WORDS,
      { flags: '--priority <n>', help: '1 to 10, default 7' },
      { flags: '--project', help: 'only in the project of this folder, instead of everywhere' },
      { flags: '--stdin', help: 'read the lesson as JSON from standard input' },
    ],
    examples: [
      'oncebitten lessons add --summary "gh pr diff has no --stat" --fix "gh pr diff 7 --name-only" --program "gh pr diff" --with --stat',
    ],
    load: async () => (await import('./add.ts')).run,
  },
  {
    name: 'lessons edit',
    summary: 'change a lesson: with flags, with JSON, or in your editor; its words are yours from then on',
    arguments: [LESSON],
    options: [
      ...WORDS,
      { flags: '--priority <n>', help: '1 to 10' },
      { flags: '--mode <mode>', help: 'note, pause, rewrite or block, as far as the setting delivery.maxMode lets it' },
      { flags: '--scope <scope>', help: 'user (everywhere), team, or project (that of this folder)' },
      { flags: '--valid-from <time>', help: 'silent before: 2026-01-31 or 2026-01-31T12:00:00Z; none for no limit' },
      { flags: '--valid-until <time>', help: 'silent from then on; none for no limit' },
      { flags: '--stdin', help: 'read what is to change as JSON from standard input' },
      REASON,
    ],
    examples: [
      'oncebitten lessons edit gh-pr-diff-stat-x7k2 --fix "gh pr diff 7 --name-only" --priority 8',
      `echo '{"scope":{"kind":"user"}}' | oncebitten lessons edit gh-pr-diff-stat-x7k2 --stdin`,
    ],
    load: async () => (await import('./edit.ts')).run,
  },
  {
    name: 'lessons approve',
    summary: 'let drafts, and what needs review, speak',
    arguments: [LESSONS],
    options: [REASON],
    load: async () => (await import('./status.ts')).runApprove,
  },
  {
    name: 'lessons reject',
    summary: 'they are wrong: archive them, and do not learn them again',
    arguments: [LESSONS],
    options: [REASON],
    load: async () => (await import('./status.ts')).runReject,
  },
  {
    name: 'lessons archive',
    summary: 'put lessons aside: kept, and silent',
    arguments: [LESSONS],
    options: [REASON],
    load: async () => (await import('./status.ts')).runArchive,
  },
  {
    name: 'lessons restore',
    summary: 'make archived lessons again what they were before',
    arguments: [LESSONS],
    options: [REASON],
    load: async () => (await import('./status.ts')).runRestore,
  },
  {
    name: 'lessons delete',
    summary: 'remove lessons and their text for good; to keep one from being learned again, reject it instead',
    arguments: [LESSONS],
    options: [
      { flags: '--dry-run', help: 'only show what would be removed' },
      { flags: '--yes', help: 'do not ask' },
    ],
    examples: ['oncebitten lessons delete gh-pr-diff-stat-x7k2'],
    load: async () => (await import('./delete.ts')).run,
  },
  {
    name: 'lessons merge',
    summary: 'one lesson takes the place of others: with their evidence and counts, its own words and trigger',
    arguments: [
      { name: 'into', help: 'the one that stays: slug or id', required: true },
      { name: 'from', help: 'those it takes the place of', required: true, many: true },
    ],
    options: [REASON],
    load: async () => (await import('./status.ts')).runMerge,
  },
  {
    name: 'lessons undo',
    summary: 'take back the last change of a lesson, or your last command; again and again, one by one',
    arguments: [
      { name: 'lesson', help: 'slug or id; default your last command, whatever it changed', required: false },
    ],
    options: [{ flags: '--redo', help: 'take back the last undo' }],
    load: async () => (await import('./undo.ts')).run,
  },
  {
    name: 'lessons history',
    summary: 'every change of a lesson: what, when, by whom and why',
    arguments: [LESSON],
    load: async () => (await import('./history.ts')).run,
  },
  {
    name: 'lessons test',
    summary: 'where a lesson would have spoken, and whether it was right; or whether it speaks at one call',
    arguments: [LESSON],
    options: [
      { flags: '--command <command>', help: 'a shell command, instead of the past' },
      { flags: '--tool <name>', help: "with --input, instead of the past: the agent's name of the tool, Edit …" },
      { flags: '--input <json>', help: 'the input of that tool' },
      TOOL_OWNER_OPTION,
    ],
    examples: ['oncebitten lessons test gh-pr-diff-stat-x7k2 --command "gh pr diff 7 --stat"'],
    load: async () => (await import('./test.ts')).run,
  },
  {
    name: 'review',
    summary: 'look at drafts one by one: approve, edit, reject or skip',
    options: [
      { flags: '--limit <n>', help: 'maximum number of drafts (default: the setting maxCandidatesPerScan)' },
      { flags: '--from <n>', help: 'number of the first draft (default 1)' },
      { flags: '--all', help: 'every draft' },
      { flags: '--list', help: 'only list them' },
      { flags: '--approve <lesson>', help: 'without a terminal: approve this one', many: true },
      { flags: '--reject <lesson>', help: 'without a terminal: reject this one', many: true },
      REASON,
    ],
    examples: ['oncebitten review', 'oncebitten review --approve pytest-tty-x7k2 --reject curl-9wnp'],
    load: async () => (await import('../review/review.ts')).run,
  },
];
