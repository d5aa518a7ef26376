/** The commands about lessons, in the order of the help. */
import { EXAMPLE_ID, HISTORY_HELP, TOOL_OWNER_OPTION } from '../agent-names.ts';
import {
  type Command,
  type CommandGroup,
  MODES_HELP,
  type Options,
  PROJECT_OPTION,
  REASON_OPTION,
  YES_OPTION,
} from '../command.ts';
import { PROMOTION_COMMANDS } from './promote/commands.ts';

const NAME = 'Name, as `lessons list` shows it (the ending, such as `-6qvb`, may be left out), or id';
const LESSON = { '<lesson>': NAME };
const LESSONS = {
  '<lessons...>':
    'Names, as `lessons list` shows them (the ending, such as `-6qvb`, may be left out), or ids; if one is wrong, nothing changes',
};

/** Text and triggers of a lesson: the same options write one and change one. */
const CONTENT: Options = {
  '--summary <text>': 'The lesson in one line, up to 300 characters',
  '--fix <text>': 'What to do instead, if possible as a command: "gh pr diff 7 --name-only"',
  '--mistake <text>': 'What goes wrong, and why',
  '--program <words...>': 'Fire on this program, or on a sub-command of it: "gh pr diff"',
  '--with <word...>': 'With --program: fire only if the command has this option or word',
  '--without <word...>': 'With --program: do not fire if the command has this option or word',
  '--tool <name...>':
    'Fire only on calls of this tool: shell, read, edit, write, glob, grep, task, web, mcp:… (with --program: shell)',
  '--file <glob...>': 'Fire on a read, edit or write of these files: "**/migrations/*.sql"',
  '--keyword <words...>':
    'Fire if one of the last five messages has these words: "force push". Together with --tool and --file, the words are no condition: they only move the lesson up among several that fire',
  '--tag <tag...>': 'Tag, to find the lesson by: lang:python, tool:gh …',
};
/** The words of `--with` and `--without` are often options of another program. */
const ANY_VALUE = ['--with', '--without'];

const TYPE =
  'Form of the text for the agent: warning (Risk, Mitigate), pattern (When, Do), requirement (Must) or checklist (boxes to tick)';
const PRIORITY =
  'Importance from 1 to 10: 9 and 10 are CRITICAL (also shown at the start of a session), 7 and 8 HIGH, 4 to 6 MEDIUM, 1 to 3 LOW';

const READING: readonly Command[] = [
  {
    name: 'lessons list',
    summary: 'List lessons, the most important first',
    about:
      'List lessons, the most important first, with name, status (draft, active, archived, muted …), scope and the calls that each fires on.',
    options: {
      '--status <status>': 'Only draft, active or archived lessons (default: draft and active)',
      '--needs-review':
        'Only lessons that wait for your decision: drafts, and lessons that no longer fire because measurements put them in doubt',
      '--search <text>': 'Only lessons with all these words in name, summary, mistake, fix or tags',
      '--tag <tag...>': 'Only lessons with this tag; with several, only lessons that have all of them',
      '--type <type>': 'Only lessons of this type: checklist, pattern, warning or requirement',
      '--origin <origin>':
        'Only lessons from this source: episode (a failure and its fix), self-report (written by an agent in a session), user (you), import (a file), model (proposed by a language model)',
      '--project [project]':
        'Only lessons that hold in this project, those for all projects included: a folder, an id or a name; without a value: the project of this folder',
      '--agent <agent>': 'Only lessons learned from sessions of this agent',
      '--model <name>': 'Only lessons learned from sessions with this model',
      '--since <time>':
        'Only lessons that were learned or written, or whose mistake was seen, since this time: 7d, 2026-01-31 or 2026-01-31T12:00 (UTC)',
      '--until <time>': 'Only lessons that were learned or written, or whose mistake was seen, until this time',
      '--category <name>': 'Only lessons about failures of this category: wrong_usage, not_found …',
      '--sort <by>':
        'Sort by priority, confidence, seen (how often), created, updated or used (fired last); highest first (default: priority, then confidence)',
      '--limit <n>': 'Maximum number of rows (default: no limit)',
      '--from <n>': 'Number of the first row (default: 1)',
      '--all': 'Include archived lessons',
    },
    examples: ['oncebitten lessons list --needs-review', 'oncebitten lessons list --search pytest --sort used'],
    load: async () => (await import('./list.ts')).run,
  },
  {
    name: 'lessons show',
    summary: 'Show a lesson with its triggers, evidence and history',
    about:
      'Show everything about a lesson: its text, its trigger (the calls that it fires on), whether it fires, and what it may do to a call (note, pause, rewrite or block), the calls that taught it, its statistics and its history.',
    arguments: { ...LESSON },
    examples: ['oncebitten lessons show gh-pr-diff-stat'],
    load: async () => (await import('./show.ts')).run,
  },
  {
    name: 'lessons history',
    summary: 'List every change of a lesson: when, by whom and why',
    arguments: { ...LESSON },
    examples: ['oncebitten lessons history gh-pr-diff-stat'],
    load: async () => (await import('./show.ts')).runHistory,
  },
  {
    name: 'lessons test',
    summary: 'Test a lesson on past calls, or on one call',
    about:
      'Show on which past calls a lesson would have fired, and whether it would have been right (the call failed in the way that the lesson is about). With --command, or --tool and --input, say whether the lesson fires on that call. Nothing is run or changed. For all lessons on one call: `oncebitten explain`.',
    arguments: { ...LESSON },
    options: {
      '--command <command>': 'Shell command to test, instead of past calls',
      '--tool <name>': 'Tool to test, as the agent names it: Edit …; needs --input',
      '--input <json>': 'Input of that tool as JSON: \'{"file_path":"a.ts"}\'',
      ...TOOL_OWNER_OPTION,
    },
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
      'Find bad lessons: lessons that fired on no past call or on too many, and duplicates. Also count the mistakes that became lessons or drafts, and those that did not, with the reason. Nothing is changed.',
    options: {
      '--path <path>':
        'Session file, or folder of session files: learn from these sessions, store nothing, and audit the result (default: audit your stored lessons)',
      '--agent <id...>': `With --path. ${HISTORY_HELP}`,
    },
    examples: ['oncebitten lessons audit', `oncebitten lessons audit --agent ${EXAMPLE_ID} --path ./sessions`],
    load: async () => (await import('./audit.ts')).run,
  },
];

const DECIDING: readonly Command[] = [
  {
    name: 'lessons review',
    oldNames: ['review'],
    summary: 'Go through drafts: approve, edit, reject or skip each',
    about:
      'Go through the lessons that wait for your decision, one by one in a terminal, and approve, edit, reject or skip each with one key. These are drafts, and lessons that no longer fire because measurements put them in doubt. A draft fires only in the session that taught it, until you approve it or later calls prove it right.',
    options: {
      '--list': 'Print these lessons and ask nothing (default without a terminal)',
      '--approve <lesson...>': 'Approve this lesson and ask nothing',
      '--reject <lesson...>': 'Reject this lesson and ask nothing',
      '--limit <n>': 'Maximum number of lessons (default: 50, from the setting maxCandidatesPerScan)',
      '--from <n>': 'Number of the first lesson (default: 1)',
      '--all': 'Show all lessons that wait',
      ...REASON_OPTION,
    },
    examples: ['oncebitten lessons review', 'oncebitten lessons review --approve pytest-tty-x7k2 --reject curl-9wnp'],
    load: async () => (await import('./review.ts')).run,
  },
  {
    name: 'lessons approve',
    summary: 'Approve drafts: they fire from the next call on',
    about:
      'Approve lessons that wait for your decision: drafts, and lessons that no longer fire because measurements put them in doubt. They fire from the next call on. (To let a lesson into AGENTS.md, use `oncebitten lessons promote approve`.)',
    arguments: { ...LESSONS },
    options: { ...REASON_OPTION },
    examples: ['oncebitten lessons approve gh-pr-diff-stat'],
    load: async () => (await import('./change-lessons.ts')).runApprove,
  },
  {
    name: 'lessons reject',
    summary: 'Archive wrong lessons, and never learn them again',
    about:
      'Archive wrong lessons: they no longer fire, and the same mistake teaches no new lesson. To bring one back: `oncebitten lessons restore`. To stop a right lesson for a while: `oncebitten lessons mute`.',
    arguments: { ...LESSONS },
    options: { ...REASON_OPTION },
    examples: ['oncebitten lessons reject gh-pr-diff-stat --reason "the option exists now"'],
    load: async () => (await import('./change-lessons.ts')).runReject,
  },
  {
    name: 'lessons feedback',
    oldNames: ['feedback'],
    summary: 'Say whether a lesson helped',
    about:
      "Say whether a lesson helped. The feedback raises or lowers the lesson's confidence, a number from 0 to 1; below 0.5 (the setting minConfidence) the lesson no longer fires.",
    arguments: {
      '<lesson>':
        'Name or id of the lesson; or the id of one delivery (the lesson shown at one call), as `stats deliveries` shows it',
      '<verdict>': 'helpful or not-helpful',
    },
    options: {
      '--note <text>': 'Reason in your words, up to 500 characters',
      '--by <source>': "Who says it: user or agent; an agent's feedback counts half (default: user)",
    },
    examples: [
      'oncebitten lessons feedback gh-pr-diff-stat helpful',
      'oncebitten lessons feedback dlv_01KA3 not-helpful --note "we are on the new version"',
    ],
    load: async () => (await import('./feedback.ts')).run,
  },
  {
    name: 'lessons mute',
    oldNames: ['mute'],
    summary: 'Silence a lesson, or all, for a time or until `unmute`',
    about:
      'Stop showing a lesson, or all lessons (give a lesson or --all). You can also give the id of a failure (sig…, see `oncebitten sessions failures`): then agents no longer see the known fix of that failure, nor the warning before the call that failed. Muted lessons are kept, and Oncebitten still records calls and learns from them. To put a lesson aside and out of the lists, use `oncebitten lessons archive`; to stop capturing, too, `oncebitten pause`.',
    arguments: { '[lesson]': NAME },
    options: {
      '--all': 'Mute all lessons',
      '--for <span>': 'How long: 30m, 2h, 1d, 2w (default: until `oncebitten lessons unmute`)',
      '--session <id>':
        'Only in this session: full id, or a unique prefix if the session is already recorded (default: everywhere)',
    },
    examples: ['oncebitten lessons mute gh-pr-diff-stat --for 1d', 'oncebitten lessons mute --all --for 2h'],
    load: async () => (await import('./mute.ts')).runMute,
  },
  {
    name: 'lessons unmute',
    oldNames: ['unmute'],
    summary: 'Show a muted lesson, or all lessons, again',
    about:
      'Show a muted lesson again, or end `lessons mute --all` (give a lesson or --all). To undo `lessons mute --session <id>`, give the same --session. Lessons that you muted one by one stay muted after `lessons unmute --all`.',
    arguments: { '[lesson]': NAME },
    options: {
      '--all': 'Undo `lessons mute --all`',
      '--session <id>': 'Undo `lessons mute --session`: full id or a unique prefix',
    },
    examples: ['oncebitten lessons unmute gh-pr-diff-stat'],
    load: async () => (await import('./mute.ts')).runUnmute,
  },
  {
    name: 'lessons archive',
    summary: 'Put lessons aside, until `restore`',
    about:
      'Put lessons aside: they are kept, but do not fire and are not learned again, until `oncebitten lessons restore`. For a time or for one session, use `oncebitten lessons mute`; for a lesson that is wrong, `oncebitten lessons reject`.',
    arguments: { ...LESSONS },
    options: { ...REASON_OPTION },
    examples: ['oncebitten lessons archive gh-pr-diff-stat'],
    load: async () => (await import('./change-lessons.ts')).runArchive,
  },
  {
    name: 'lessons restore',
    summary: 'Bring archived lessons back as they were',
    about: 'Bring archived or rejected lessons back as they were before: active or draft.',
    arguments: { ...LESSONS },
    options: { ...REASON_OPTION },
    examples: ['oncebitten lessons restore gh-pr-diff-stat'],
    load: async () => (await import('./change-lessons.ts')).runRestore,
  },
];

const WRITING: readonly Command[] = [
  {
    name: 'lessons add',
    summary: 'Write a lesson yourself',
    about:
      'Write a lesson yourself: with options, as JSON (--stdin), or without options by answering questions in a terminal. Required: --summary, and at least one of --program, --file and --keyword. If you give several conditions, all must hold; if you repeat one, one of its values is enough. The lesson is active, not a draft (unless you give --draft): it fires from the next call on.',
    options: {
      ...CONTENT,
      '--type <type>': `${TYPE} (default: warning)`,
      '--priority <n>': `${PRIORITY} (default: 7)`,
      '--project': 'Only for the project of this folder (default: for all projects)',
      '--draft': 'Add the lesson as a draft, which fires after you approve it (`oncebitten lessons review`)',
      '--stdin': 'Read the lesson as JSON from standard input; JSON can have more kinds of conditions',
    },
    examples: [
      'oncebitten lessons add',
      'oncebitten lessons add --summary "gh pr diff has no --stat" --fix "gh pr diff 7 --name-only" --program "gh pr diff" --with --stat',
    ],
    anyValue: ANY_VALUE,
    load: async () => (await import('./add.ts')).run,
  },
  {
    name: 'lessons edit',
    summary: 'Change a lesson',
    about:
      'Change a lesson: with options, with JSON (--stdin), or without options in your editor ($VISUAL or $EDITOR). An option replaces that part of the lesson; the other parts stay. Learning no longer changes the text of a lesson that you edited.',
    arguments: { ...LESSON },
    options: {
      ...CONTENT,
      '--type <type>': TYPE,
      '--priority <n>': PRIORITY,
      '--mode <mode>': `What the lesson does when it fires: ${MODES_HELP}; the setting delivery.maxMode limits it`,
      '--scope <scope>':
        'Where it fires: user (all your projects), team (all your projects; a `user` lesson about the same thing is shown instead) or project (that of this folder)',
      '--valid-from <time>': 'Do not fire before this time: 2026-01-31 or 2026-01-31T12:00:00Z; none: no limit',
      '--valid-until <time>': 'Do not fire from this time on; none: no limit',
      '--stdin': 'Read the parts to change as JSON from standard input',
      ...REASON_OPTION,
    },
    examples: [
      'oncebitten lessons edit gh-pr-diff-stat --fix "gh pr diff 7 --name-only" --priority 8',
      `echo '{"scope":{"kind":"user"}}' | oncebitten lessons edit gh-pr-diff-stat --stdin`,
    ],
    anyValue: ANY_VALUE,
    load: async () => (await import('./edit.ts')).run,
  },
  {
    name: 'lessons merge',
    summary: 'Merge duplicate lessons into one',
    about:
      'Merge lessons into one. The lesson <into> keeps its text and trigger (the calls that it fires on), and gets the evidence and counts of the others, which are archived.',
    arguments: {
      '<into>': 'Name or id of the lesson that stays',
      '<from...>': 'Names or ids of the lessons to merge into it',
    },
    options: { ...REASON_OPTION },
    examples: ['oncebitten lessons merge gh-pr-diff-stat gh-diff-stat-9wnp'],
    load: async () => (await import('./change-lessons.ts')).runMerge,
  },
  {
    name: 'lessons delete',
    summary: 'Delete lessons and their text for good',
    about:
      'Delete lessons with their text, history and statistics for good; `lessons undo` cannot bring them back. The same mistake in a later session is learned again. To prevent that, use `oncebitten lessons reject`; to keep the lesson but silence it, `oncebitten lessons archive`.',
    arguments: { ...LESSONS },
    options: { '--dry-run': 'Only show what would be deleted', ...YES_OPTION },
    examples: ['oncebitten lessons delete gh-pr-diff-stat'],
    load: async () => (await import('./delete.ts')).run,
  },
  {
    name: 'lessons undo',
    summary: 'Undo your last change to lessons, or to one lesson',
    about:
      'Undo your last command that changed lessons. With a lesson: undo the last change of that lesson, even if Oncebitten made the change. Repeat the command to undo earlier changes. It cannot undo `lessons delete` and `lessons promote`.',
    arguments: { '[lesson]': 'Name or id (default: the lessons that your last command changed)' },
    options: { '--redo': 'Revert the last undo instead' },
    examples: ['oncebitten lessons undo', 'oncebitten lessons undo gh-pr-diff-stat'],
    load: async () => (await import('./undo.ts')).run,
  },
];

const SHARING: readonly Command[] = [
  {
    name: 'lessons share',
    summary: 'Give lessons to others who use Oncebitten in this repo',
    about:
      'Write each lesson into a file of this repository (.oncebitten/lessons/). Commit the file, and the lesson fires for everybody who works there with Oncebitten. To put lessons into a file that agents read without Oncebitten (AGENTS.md …), use `oncebitten lessons promote`.',
    arguments: { ...LESSONS },
    options: {
      '--force':
        'Write even if git ignores the file, somebody changed it, or the lesson contains the path of your home folder',
    },
    examples: ['oncebitten lessons share gh-pr-diff-stat'],
    load: async () => (await import('./share/share.ts')).runShare,
  },
  {
    name: 'lessons unshare',
    summary: 'End `share`: remove the files; you keep the lessons',
    about:
      'Remove the files of shared lessons from this repository. You keep the lessons in your own store (the database).',
    arguments: { ...LESSONS },
    options: { '--force': 'Remove the file even if somebody changed it' },
    examples: ['oncebitten lessons unshare gh-pr-diff-stat'],
    load: async () => (await import('./share/share.ts')).runUnshare,
  },
  {
    name: 'lessons export',
    summary: 'Write lessons as one JSON document',
    about:
      'Write lessons as one JSON document, without secrets and without paths of this machine. `oncebitten lessons import` reads it on another machine. (For a copy of everything stored, use `oncebitten data backup`.)',
    options: {
      '--out <file>': 'File to write (default: standard output)',
      '--force': 'Replace the file if it exists',
      '--status <status>': 'Only draft, active or archived lessons (default: all)',
      ...PROJECT_OPTION,
      '--scope <kind>': 'Only lessons of this scope: project, user, team or session (default: all but session)',
      '--history': 'Include all changes of each lesson: when, by whom and why',
      '--with-evidence': 'Include the paths of session files and of your home folder',
    },
    examples: ['oncebitten lessons export --status active --out lessons.json'],
    load: async () => (await import('./share/export.ts')).run,
  },
  {
    name: 'lessons import',
    summary: 'Read lessons from a file, as drafts',
    about:
      'Read lessons from a file: an Oncebitten export, a lessons.json, a process-knowledge graph, or rules as in AGENTS.md. Imported lessons are drafts: they fire after you approve them (`oncebitten lessons review`).',
    arguments: { '<file>': 'File, or - for standard input' },
    options: {
      '--dry-run': 'Only show what would be imported',
      '--format <form>':
        'Format of the file: own (an Oncebitten export), lessons-json, process-knowledge or rules (default: detected)',
      '--scope <kind>':
        'Where the lessons fire: project (that of this folder) or user (all your projects) (default: as in the file, otherwise user)',
      '--trust':
        'The file is your own export: its lessons keep their status (active ones fire at once), and newer ones replace those in the store',
    },
    examples: [
      'oncebitten lessons import lessons.json --dry-run',
      'oncebitten lessons import AGENTS.md --scope project',
    ],
    load: async () => (await import('./share/import.ts')).run,
  },
  {
    name: 'lessons starter',
    summary: 'Add ready-made lessons about common tools',
    about:
      'List, add or remove the ready-made lessons about common tools that come with Oncebitten. They are added as drafts, which fire after you approve them (`oncebitten lessons review`) or your own sessions prove them right. Give one option at most.',
    options: {
      '--list': 'Show the lessons, and how often each was right in real sessions (default)',
      '--install': 'Add the lessons that you do not have, as drafts',
      '--remove': 'Archive the ready-made lessons that you neither approved nor changed',
    },
    examples: ['oncebitten lessons starter', 'oncebitten lessons starter --install'],
    load: async () => (await import('./share/starter.ts')).run,
  },
];

export const LESSON_COMMANDS: readonly (Command | CommandGroup)[] = [
  {
    name: 'lessons',
    summary: 'Read, review, write and share lessons',
    about:
      'A lesson says which calls go wrong, and what to do instead. The lesson fires on such a call: the agent then reads the lesson together with the result of the call. A new lesson is tested on your past calls. If it would have fired on failures and almost never on calls that worked, it is active. Otherwise it is a draft, which fires only in the session that taught it, until you approve it or later calls prove it right.',
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
