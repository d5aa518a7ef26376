/** All commands, in the order of the help. */
import type { Command, CommandOption } from './command.ts';

const AGENT: CommandOption = { flags: '--agent <id>', help: 'only this agent (claude-code)' };

export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    summary: 'learn from the sessions on this machine, report, and start the daemon',
    load: () => import('./commands/start.ts'),
  },
  {
    name: 'install',
    summary: "add our hooks to an agent's settings",
    arguments: [{ name: 'agent', help: 'claude-code', required: true }],
    options: [{ flags: '--project <dir>', help: 'into the settings of this project instead of the user' }],
    examples: ['oncebitten install claude-code'],
    load: () => import('./commands/install.ts'),
  },
  {
    name: 'uninstall',
    summary: "take our hooks out of an agent's settings again",
    arguments: [{ name: 'agent', help: 'claude-code', required: true }],
    options: [{ flags: '--project <dir>', help: 'from the settings of this project' }],
    load: () => import('./commands/uninstall.ts'),
  },
  {
    name: 'daemon status',
    summary: 'is the daemon running, and which',
    load: () => import('./commands/daemon-status.ts'),
  },
  {
    name: 'daemon start',
    summary: 'start the daemon, or replace one of another version',
    load: () => import('./commands/daemon-start.ts'),
  },
  { name: 'daemon stop', summary: 'ask the daemon to finish and end', load: () => import('./commands/daemon-stop.ts') },
  {
    name: 'scan',
    summary: 'learn from past sessions',
    options: [
      AGENT,
      { flags: '--path <path>', help: 'a transcript or a folder of them, instead of where the agent keeps them' },
    ],
    examples: ['oncebitten scan', 'oncebitten scan --agent claude-code --path ./sessions --json'],
    load: () => import('./commands/scan.ts'),
  },
  {
    name: 'lessons list',
    summary: 'the lessons, weightiest first',
    options: [{ flags: '--status <status>', help: 'only draft, active or archived' }],
    load: () => import('./commands/lessons-list.ts'),
  },
  {
    name: 'lessons show',
    summary: 'one lesson with its triggers, evidence and history',
    arguments: [{ name: 'lesson', help: 'slug or id', required: true }],
    load: () => import('./commands/lessons-show.ts'),
  },
  {
    name: 'lessons add',
    summary: 'write a lesson yourself',
    options: [
      { flags: '--summary <text>', help: 'the lesson in one line' },
      { flags: '--fix <text>', help: 'what to do, copy-pasteable' },
      { flags: '--mistake <text>', help: 'what goes wrong and why' },
      {
        flags: '--program <words>',
        help: 'speak at this command: program and sub-commands, e.g. "gh pr diff"',
        many: true,
      },
      { flags: '--with <word>', help: 'only when the command has this option or word', many: true },
      { flags: '--without <word>', help: 'not when the command has this option or word', many: true },
      { flags: '--tool <name>', help: 'speak at this tool: shell, read, edit, write …', many: true },
      { flags: '--file <glob>', help: 'speak at files like this', many: true },
      { flags: '--priority <n>', help: '1 to 10, default 7' },
      { flags: '--project', help: 'only in the project of this folder, instead of everywhere' },
      { flags: '--stdin', help: 'read the lesson as JSON from standard input' },
    ],
    examples: [
      'oncebitten lessons add --summary "gh pr diff has no --stat" --fix "gh pr diff 7 --name-only" --program "gh pr diff" --with --stat',
    ],
    load: () => import('./commands/lessons-add.ts'),
  },
  {
    name: 'explain',
    summary: 'which lessons would speak at a call, and why others would not',
    options: [
      { flags: '--tool <name>', help: "the agent's name of the tool: Bash, Edit …" },
      { flags: '--input <json>', help: 'the tool\'s input, e.g. \'{"command":"gh pr diff 7 --stat"}\'' },
      { flags: '--agent <id>', help: 'whose tool it is (claude-code)' },
      { flags: '--cwd <dir>', help: 'the folder the call runs in; default here' },
    ],
    load: () => import('./commands/explain.ts'),
  },
  { name: 'doctor', summary: 'check everything, end to end', load: () => import('./commands/doctor.ts') },
];
