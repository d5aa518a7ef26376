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
    options: [
      {
        flags: '--project [dir]',
        help: "only for this project (default: here), in its settings.local.json, which is yours alone and not the team's",
      },
      { flags: '--plugin', help: 'as a plugin: change no settings, say how to load it' },
      { flags: '--force', help: 'even if the agent does not seem to be on this machine' },
    ],
    examples: ['oncebitten install claude-code', 'oncebitten install claude-code --project .'],
    load: () => import('./commands/install.ts'),
  },
  {
    name: 'uninstall',
    summary: "take our hooks out of an agent's settings again",
    arguments: [{ name: 'agent', help: 'claude-code', required: true }],
    options: [{ flags: '--project [dir]', help: 'from your own settings in this project (default: here)' }],
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
    name: 'failures',
    summary: 'what went wrong, by kind of failure or call by call',
    options: [
      { flags: '--project [dir]', help: 'only in this project: a folder (default: here) or an id' },
      AGENT,
      { flags: '--session <id>', help: 'only in this session' },
      { flags: '--since <time>', help: 'only since then: 2h, 7d, or an ISO time' },
      { flags: '--signature <id>', help: 'only failures of this form' },
      { flags: '--unresolved', help: 'only those after which nothing with the same intent succeeded' },
      { flags: '--each', help: 'every call on its own, newest first, instead of by form' },
      { flags: '--limit <n>', help: 'at most so many rows, default 20' },
    ],
    examples: ['oncebitten failures --since 7d', 'oncebitten failures --project . --unresolved --each --json'],
    load: () => import('./commands/failures.ts'),
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
  {
    name: 'pause',
    summary: 'capture nothing and say nothing, for a while or until resume',
    options: [
      { flags: '--for <span>', help: 'how long: 30m, 2h, 1d; default until resume' },
      { flags: '--project [dir]', help: 'only this project: a folder (default: here) or an id' },
      { flags: '--session <id>', help: 'only this session' },
    ],
    examples: ['oncebitten pause --for 2h', 'oncebitten pause --project .'],
    load: () => import('./commands/pause.ts'),
  },
  {
    name: 'resume',
    summary: 'end a pause; what happened during it stays out',
    options: [
      { flags: '--project [dir]', help: 'of this project: a folder (default: here) or an id' },
      { flags: '--session <id>', help: 'of this session' },
    ],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'mute',
    summary: 'keep a lesson, or everything, silent; capture goes on',
    arguments: [{ name: 'lesson', help: 'slug or id', required: false }],
    options: [
      { flags: '--all', help: 'everything we say' },
      { flags: '--for <span>', help: 'how long: 30m, 2h, 1d; default until unmute' },
      { flags: '--session <id>', help: 'only in this session' },
    ],
    examples: ['oncebitten mute gh-pr-diff-stat-x7k2 --for 1d', 'oncebitten mute --all --for 2h'],
    load: () => import('./commands/mute.ts'),
  },
  {
    name: 'unmute',
    summary: 'let a lesson, or everything, speak again',
    arguments: [{ name: 'lesson', help: 'slug or id', required: false }],
    options: [
      { flags: '--all', help: 'what mute --all silenced' },
      { flags: '--session <id>', help: 'what was muted in this session only' },
    ],
    load: () => import('./commands/unmute.ts'),
  },
  {
    name: 'forget',
    summary: 'remove everything about a project, a session or all, for good',
    options: [
      { flags: '--project [dir]', help: 'a folder (default: here), an id or a name' },
      { flags: '--session <id>', help: 'a session, with its sub-agents' },
      { flags: '--all', help: 'everything that was captured and learned; settings and hooks stay' },
      { flags: '--dry-run', help: 'only show what would go' },
      { flags: '--yes', help: 'do not ask' },
    ],
    examples: ['oncebitten forget --project . --dry-run', 'oncebitten forget --session 0b1c2d --yes'],
    load: () => import('./commands/forget.ts'),
  },
  {
    name: 'retention',
    summary: 'remove what is older than the settings allow, as the daemon does once a day',
    options: [{ flags: '--dry-run', help: 'only show what would go' }],
    load: () => import('./commands/retention.ts'),
  },
  { name: 'doctor', summary: 'check everything, end to end', load: () => import('./commands/doctor.ts') },
];
