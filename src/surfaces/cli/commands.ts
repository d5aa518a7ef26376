/** All commands and groups of commands, in the order of the help: the order in which a user meets them. */
import { EXAMPLE_ID, INSTALLABLE_IDS, SCANNED_IDS, TOOL_OWNER_OPTION } from './agent-names.ts';
import { type Command, type CommandGroup, PROJECT_OPTION, SESSION_OPTION } from './command.ts';
import { DATA_COMMANDS } from './data/commands.ts';
import { LESSON_COMMANDS } from './lessons/commands.ts';
import { SESSION_COMMANDS } from './sessions/commands.ts';
import { STATS_COMMANDS } from './stats/commands.ts';

const SETUP_COMMANDS: readonly Command[] = [
  {
    name: 'start',
    summary: 'Begin here: learn from your past agent sessions',
    about:
      'Learn from the agent sessions on this machine, show what was learned, and start the daemon (the background process).',
    examples: ['oncebitten start'],
    load: async () => (await import('./install/start.ts')).run,
  },
  {
    name: 'install',
    summary: 'Connect a coding agent: add hooks to its settings',
    about: "Connect a coding agent: add Oncebitten's hooks to its settings, so that lessons reach it before it acts.",
    arguments: [{ name: 'agent', help: `Agent: ${INSTALLABLE_IDS}`, required: true }],
    options: [
      {
        flags: '--project [dir]',
        help: 'Only for this project (default: this folder), in your personal settings there',
      },
      { flags: '--plugin', help: 'Install as a plugin: change no settings file, and print how to load the plugin' },
      {
        flags: '--allow-pause',
        help: 'Let proven lessons pause a call once (default: asks in a terminal, otherwise only notes)',
      },
      {
        flags: '--max-mode <mode>',
        help: 'How far lessons may go: note (advise), pause (refuse once), rewrite (correct the call) or block (refuse)',
      },
      { flags: '--force', help: 'Install even if the agent is not found on this machine' },
      { flags: '--dry-run', help: 'Show which files would change and how; change nothing' },
    ],
    examples: [`oncebitten install ${EXAMPLE_ID} --dry-run`, `oncebitten install ${EXAMPLE_ID} --project .`],
    load: async () => (await import('./install/install.ts')).run,
  },
  {
    name: 'uninstall',
    summary: 'Disconnect a coding agent: remove the hooks',
    about:
      "Disconnect a coding agent: remove Oncebitten's hooks from its settings. The daemon stops when no agent is connected any more. Lessons and data stay.",
    arguments: [{ name: 'agent', help: `Agent: ${INSTALLABLE_IDS}`, required: true }],
    options: [
      { flags: '--project [dir]', help: 'Only from your personal settings in this project (default: this folder)' },
    ],
    examples: [`oncebitten uninstall ${EXAMPLE_ID}`],
    load: async () => (await import('./install/uninstall.ts')).run,
  },
  {
    name: 'doctor',
    summary: 'Check the installation, and say how to fix problems',
    about: 'Check hooks, daemon, store and settings from end to end, and say how to fix each problem.',
    examples: ['oncebitten doctor'],
    load: async () => (await import('./doctor/doctor.ts')).run,
  },
];

const EXPLAIN: Command = {
  name: 'explain',
  summary: 'Show which lessons fire on a call, and why others do not',
  about: 'Show which lessons would fire on a call that you describe, and why others would not.',
  options: [
    { flags: '--tool <name>', help: 'Tool, as the agent names it: Bash, Edit …' },
    { flags: '--input <json>', help: 'Input of the tool as JSON, e.g. \'{"command":"gh pr diff 7 --stat"}\'' },
    TOOL_OWNER_OPTION,
    { flags: '--cwd <dir>', help: 'Folder in which the call runs (default: this folder)' },
    {
      flags: '--said <text>',
      help: 'Message before the call, for lessons with keywords',
      many: true,
    },
    { flags: '--transcript <file>', help: "The agent's transcript, to read its last messages instead of --said" },
    { flags: '--subagent <type>', help: 'Sub-agent that makes the call' },
  ],
  examples: [`oncebitten explain --tool Bash --input '{"command":"gh pr diff 7 --stat"}'`],
  load: async () => (await import('./explain/explain.ts')).run,
};

const CAPTURE_COMMANDS: readonly Command[] = [
  {
    name: 'scan',
    summary: 'Learn from past agent sessions',
    about: 'Learn from past agent sessions: read what was added to transcripts since the last scan.',
    options: [
      { flags: '--agent <id>', help: 'Only these agents, separated by commas', many: true },
      {
        flags: '--path <path>',
        help: "Transcript, or folder of transcripts, to read instead of the agent's own folder",
      },
      { flags: '--since <time>', help: 'Only files that changed since this time: 2h, 7d, 2026-01-31 or an ISO time' },
      {
        flags: '--again',
        help: 'Read all sessions from the beginning, and learn from them with the rules of this version',
      },
    ],
    examples: ['oncebitten scan', `oncebitten scan --since 7d --agent ${SCANNED_IDS}`],
    load: async () => (await import('./scan/scan.ts')).run,
  },
  {
    name: 'pause',
    summary: 'Stop capturing calls and showing lessons for a while',
    about: 'Stop capturing calls and showing lessons, for a while or until `resume`.',
    options: [
      { flags: '--for <span>', help: 'How long: 30m, 2h, 1d (default: until resume)' },
      PROJECT_OPTION,
      {
        flags: '--session <id>',
        help: 'Only this session: full id, or a unique prefix if the session is already recorded',
      },
    ],
    examples: ['oncebitten pause --for 2h', 'oncebitten pause --project .'],
    load: async () => (await import('./pause/pause.ts')).runPause,
  },
  {
    name: 'resume',
    summary: 'End a pause',
    about: 'End a pause. Calls made during the pause are not captured afterwards.',
    options: [PROJECT_OPTION, SESSION_OPTION],
    examples: ['oncebitten resume', 'oncebitten resume --project .'],
    load: async () => (await import('./pause/pause.ts')).runResume,
  },
];

const CONFIG_COMMANDS: readonly (Command | CommandGroup)[] = [
  { name: 'config', summary: 'Show, explain and change settings' },
  {
    name: 'config list',
    summary: 'List all settings with value, origin and default',
    options: [{ flags: '--changed', help: 'Only settings that the file or an environment variable sets' }],
    examples: ['oncebitten config list --changed'],
    load: async () => (await import('./config/show.ts')).runList,
  },
  {
    name: 'config get',
    summary: 'Print the value of a setting or a group of settings',
    arguments: [{ name: 'key', help: 'Setting or group: minScore, store.url, scoring.confidence …', required: true }],
    examples: ['oncebitten config get delivery.maxMode'],
    load: async () => (await import('./config/show.ts')).runGet,
  },
  {
    name: 'config set',
    summary: 'Change a setting in the settings file',
    about: 'Change a setting in the settings file. Comments and other settings stay as they are.',
    arguments: [
      { name: 'key', help: 'Setting: minScore, store.url, scoring.confidence.base …', required: true },
      { name: 'value', help: 'Number, true, false, text, or a list as JSON', required: true },
    ],
    examples: [
      'oncebitten config set maxLessonsPerInjection 1',
      `oncebitten config set privateProjects '["~/clients"]'`,
    ],
    load: async () => (await import('./config/change.ts')).runSet,
  },
  {
    name: 'config unset',
    summary: 'Remove a setting from the file: its default applies again',
    arguments: [{ name: 'key', help: 'Setting, group of settings, or an unknown key in the file', required: true }],
    examples: ['oncebitten config unset delivery.maxMode'],
    load: async () => (await import('./config/change.ts')).runUnset,
  },
  {
    name: 'config explain',
    summary: 'Explain a setting: meaning, allowed values, default',
    about: 'Explain a setting: its meaning, allowed values, default, environment variable and current value.',
    arguments: [{ name: 'key', help: 'Setting or group: minScore, store.url, scoring …', required: true }],
    examples: ['oncebitten config explain delivery.maxMode'],
    load: async () => (await import('./config/show.ts')).runExplain,
  },
  {
    name: 'config init',
    summary: 'Write a settings file with every setting as a comment',
    about:
      'Write a settings file that lists every setting as a comment. In an existing file, add the settings that are missing and change nothing else.',
    examples: ['oncebitten config init'],
    load: async () => (await import('./config/change.ts')).runInit,
  },
  {
    name: 'config path',
    summary: 'Print the path of the settings file',
    examples: ['oncebitten config path'],
    load: async () => (await import('./config/show.ts')).runPath,
  },
];

const DAEMON_COMMANDS: readonly (Command | CommandGroup)[] = [
  { name: 'daemon', summary: 'Control the background process that answers agents' },
  {
    name: 'daemon status',
    summary: 'Show whether the daemon runs, and its version',
    examples: ['oncebitten daemon status'],
    load: async () => (await import('./daemon/daemon.ts')).runStatus,
  },
  {
    name: 'daemon start',
    summary: 'Start the daemon, or replace one of another version',
    examples: ['oncebitten daemon start'],
    load: async () => (await import('./daemon/daemon.ts')).runStart,
  },
  {
    name: 'daemon stop',
    summary: 'Let the daemon finish its work, and stop it',
    examples: ['oncebitten daemon stop'],
    load: async () => (await import('./daemon/daemon.ts')).runStop,
  },
];

export const COMMANDS_AND_GROUPS: readonly (Command | CommandGroup)[] = [
  ...SETUP_COMMANDS,
  ...LESSON_COMMANDS,
  EXPLAIN,
  ...STATS_COMMANDS,
  ...SESSION_COMMANDS,
  ...CAPTURE_COMMANDS,
  ...CONFIG_COMMANDS,
  ...DATA_COMMANDS,
  ...DAEMON_COMMANDS,
];

export const COMMANDS: readonly Command[] = COMMANDS_AND_GROUPS.filter((entry) => 'load' in entry);
