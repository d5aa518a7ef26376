/** All commands and groups of commands, in the order of the help: the order in which a user meets them. */
import {
  EXAMPLE_ID,
  HISTORY_OPTION,
  INSTALLABLE_IDS,
  PLUGIN_IDS,
  PROJECT_FILES,
  SCANNED_IDS,
  TOOL_OWNER_OPTION,
} from './agent-names.ts';
import { type Command, type CommandGroup, MODES_HELP, PROJECT_OPTION, SESSION_OPTION, YES_OPTION } from './command.ts';
import { DATA_COMMANDS } from './data/commands.ts';
import { LESSON_COMMANDS } from './lessons/commands.ts';
import { SESSION_COMMANDS } from './sessions/commands.ts';
import { STATS_COMMANDS } from './stats/commands.ts';

const SETUP_COMMANDS: readonly Command[] = [
  {
    name: 'start',
    summary: 'Begin here: learn from your past agent sessions',
    about:
      'Learn from the past agent sessions on this machine (from sample sessions, if there are none), show the lessons, and start the daemon, the background process that answers agents. Only the data directory changes; agents get no lessons until you connect them with `oncebitten install`.',
    examples: ['oncebitten start'],
    load: async () => (await import('./install/start.ts')).run,
  },
  {
    name: 'install',
    summary: 'Connect your coding agents: add hooks to their settings',
    about:
      "Connect a coding agent: add Oncebitten's hooks to its settings file, and start the daemon (the background process that answers the hooks). From its next session on, the agent reads a lesson together with the result of the call that the lesson is about. Without a name: find the agents on this machine, say what each of them gets, and ask which to connect. To undo it: `oncebitten uninstall`.",
    arguments: { '[agent]': `Agent: ${INSTALLABLE_IDS} (default: those on this machine that you pick)` },
    options: {
      '--all': 'Connect all agents that are found on this machine, without asking which',
      '--project [dir]': `Only for the project in this folder (default: the current folder): change ${PROJECT_FILES} there, not your user settings`,
      '--plugin': `Write a plugin, change no settings file, and print the commands that load and remove it (${PLUGIN_IDS} only)`,
      '--mcp':
        'Add the MCP server of Oncebitten to the settings of the agent, and no hooks: the agent gets tools to search lessons, propose one and report its calls',
      '--allow-pause':
        'Same as --max-mode pause: let a lesson stop a call the first time, if past calls prove the lesson right (default: Oncebitten asks you; without a terminal, off)',
      '--max-mode <mode>': `The most that a lesson may do: ${MODES_HELP}; saved as the setting delivery.maxMode, whose default is note`,
      '--force': 'Install even if the agent is not found on this machine',
      '--dry-run': 'Show which files would change and how; change nothing',
    },
    examples: ['oncebitten install', `oncebitten install ${EXAMPLE_ID} --dry-run`],
    load: async () => (await import('./install/install.ts')).run,
  },
  {
    name: 'uninstall',
    summary: 'Disconnect your coding agents: remove the hooks',
    about:
      "Disconnect a coding agent: remove Oncebitten's hooks and MCP server from its settings; the rest of the files stays. The daemon stops when no agent is connected any more. Lessons and data stay. (A plugin is removed with the command that `install --plugin` printed.)",
    arguments: { '[agent]': `Agent: ${INSTALLABLE_IDS} (default: those with hooks that you pick)` },
    options: {
      '--all': 'Disconnect all agents that have the hooks, without asking which',
      '--mcp': 'Remove only the MCP server, not the hooks',
      '--project [dir]': `Undo \`install --project\` in this folder (default: the current folder): change ${PROJECT_FILES} there`,
    },
    examples: [`oncebitten uninstall ${EXAMPLE_ID}`],
    load: async () => (await import('./install/uninstall.ts')).run,
  },
  {
    name: 'doctor',
    summary: 'Check the installation, and say how to fix problems',
    about:
      'Check hooks, daemon (the background process), store (the database) and settings from end to end, make a test call, and say how to fix each problem. The exit code is 1 if there is an error.',
    examples: ['oncebitten doctor'],
    load: async () => (await import('./doctor/doctor.ts')).run,
  },
];

const DEMO: Command = {
  name: 'demo',
  summary: 'Watch an agent repeat a mistake and read the lesson',
  about:
    'Play an agent that makes a mistake, and makes it again in another session, and show what the agent reads then. The agent is scripted; hook command, daemon and store are real, in a temporary folder that is removed at the end. Needs no agent, and does not touch your data. Takes less than a minute.',
  options: { '--fast': 'Do not pause between the steps (default without a terminal)' },
  examples: ['oncebitten demo'],
  load: async () => (await import('./demo/demo.ts')).run,
};

const COMPLETIONS: Command = {
  name: 'completions',
  summary: 'Print a script that completes commands in your shell',
  about: 'Print a script for your shell, which completes the commands and options of Oncebitten when you press Tab.',
  arguments: { '<shell>': 'Shell: bash, zsh or fish' },
  examples: ['eval "$(oncebitten completions bash)"', 'oncebitten completions fish | source'],
  load: async () => (await import('./completions/completions.ts')).makeRun(COMMANDS_AND_GROUPS),
};

const OPEN: Command = {
  name: 'open',
  summary: 'Open the dashboard in your browser',
  about:
    'Open the dashboard in your browser: failures, lessons, sessions, health and settings as pages. The daemon (the background process) serves it to this machine only. Nobody can read it without the token that this command gives your browser.',
  options: { '--print': 'Print the address with its token, and open nothing' },
  examples: ['oncebitten open'],
  load: async () => (await import('./open/open.ts')).run,
};

const EXPLAIN: Command = {
  name: 'explain',
  summary: 'Show which lessons an agent would see for a call',
  about:
    'Show which lessons would fire on a call that you describe, and the text that the agent would read. For lessons about the same program or tool that would not fire, show the reason. With --failure, show the known fix of that failure instead. The call is not run.',
  options: {
    '--command <command>': 'Shell command that the agent would run',
    '--tool <name>': 'Instead of --command: tool of the call, as the agent names it: Bash, Edit …; needs --input',
    '--input <json>': 'Input of that tool as JSON: \'{"file_path":"a.ts"}\'',
    '--failure <text>':
      'The call failed with this error: show the known fix (what solved the same failure earlier) that the agent would get, or why it would get none',
    '--call <id>':
      'Like --failure, for a recorded call: its id (or the beginning of it). Tool, input and session come from the record',
    ...TOOL_OWNER_OPTION,
    '--cwd <dir>': 'Folder in which the call runs (default: this folder)',
    '--session <id>':
      'With --failure: the session that makes the call. A known fix that this session was shown before is not shown again',
    '--said <text...>': 'Message in the conversation before the call, for lessons that fire only after certain words',
    '--transcript <file>': "The agent's session file, to take the last messages from instead of --said",
    '--subagent <type>':
      'Type of the sub-agent that makes the call, as the agent names it: Explore … (default: no sub-agent)',
  },
  examples: [
    "oncebitten explain --command 'gh pr diff 7 --stat'",
    "oncebitten explain --command 'gh pr diff 7 --stat' --failure 'unknown flag: --stat'",
  ],
  load: async () => (await import('./explain/explain.ts')).run,
};

const CAPTURE_COMMANDS: readonly Command[] = [
  {
    name: 'scan',
    summary: 'Read new session files now, and learn from them',
    about:
      'Learn from past agent sessions: read what agents added to their session files (transcripts) since the last scan. A lesson that your past calls prove right fires from the next call on; any other new lesson is a draft until you approve it (`oncebitten lessons review`). The daemon scans by itself, too.',
    options: {
      ...HISTORY_OPTION,
      '--path <path>': "Session file, or folder of session files, to read instead of the agents' own folders",
      '--since <time>': 'Only files that changed since this time: 2h, 7d, 2026-01-31 or 2026-01-31T12:00',
      '--again':
        'Read all session files from the beginning: use it after an update, because a new version may learn more from the same sessions. Nothing is counted twice, and your decisions about lessons stay',
    },
    examples: ['oncebitten scan', `oncebitten scan --since 7d --agent ${SCANNED_IDS}`],
    load: async () => (await import('./scan/scan.ts')).run,
  },
  {
    name: 'learn',
    summary: 'Let your own language model propose lessons',
    about:
      'Let a language model read failed calls of your past sessions and propose lessons. Failures are sent in packs. A pack has the failures of one project, without secrets. No failure is sent twice. Nothing is sent without your yes, and --dry-run shows every word of it. Each proposed lesson is tested on your past calls, like every other lesson. There are three ways to get answers: Oncebitten asks the model itself (the setting models.provider: your coding agent, an API or a server on this machine); you export files, give them to any model and read its answers back (--export, then --answers); or your running agent answers (--next, then --answer).',
    options: {
      '--dry-run': 'Print the prompt and the packs, word for word; send and change nothing',
      '--provider <name>':
        'Language model to ask: agent (the coding agent on this machine, with your login), anthropic or openai (default: the setting models.provider)',
      '--export <dir>': 'Write the prompt, the schema of the answer and the packs to this folder; send nothing',
      '--answers <dir>': 'Take the answers in this folder: <pack>.answer.json beside each pack of --export',
      '--next':
        'Print the prompt and the next pack, for a running agent to answer; the project of this folder comes first',
      '--answer <file>':
        'Take the answer to a pack of --next from this file (-: standard input), and say what became of each proposal; afterwards the answer file is deleted, if it is the one that --next named',
      '--pack <name>': 'With --answer: the pack that it answers (default: the only one that waits for an answer)',
      '--by <kind>':
        'With --export: packs of a whole project, or of each session alone (project or session; default: project)',
      '--packs <n>': 'At most this many packs, the newest failures first',
      '--since <time>': 'Only failures since this time: 2h, 7d, 2026-01-31 or 2026-01-31T12:00',
      ...PROJECT_OPTION,
      ...HISTORY_OPTION,
      '--path <path>': "Session file, or folder of session files, to read instead of the agents' own folders",
      '--verbose': 'List every proposed lesson with the result of its test on your past calls',
      ...YES_OPTION,
    },
    examples: ['oncebitten learn --dry-run', 'oncebitten learn --provider agent'],
    load: async () => (await import('./learn/learn.ts')).run,
  },
  {
    name: 'pause',
    summary: 'Stop capturing calls and showing lessons for a while',
    about:
      'Stop capturing calls and showing lessons, for a while or until `oncebitten resume`. Calls made during this time are never learned from, not even by a later scan. To silence lessons but still learn from calls, use `oncebitten lessons mute --all`. (The lesson mode `pause` is another thing: it holds one call back once.)',
    options: {
      '--for <span>': 'How long: 30m, 2h, 1d, 2w (default: until `oncebitten resume`)',
      ...PROJECT_OPTION,
      '--session <id>': 'Only this session: full id, or a unique prefix if the session is already recorded',
    },
    examples: ['oncebitten pause --for 2h', 'oncebitten pause --project .'],
    load: async () => (await import('./pause/pause.ts')).runPause,
  },
  {
    name: 'resume',
    summary: 'End `pause`: capture calls and show lessons again',
    about:
      'End `oncebitten pause`. Give the same --project or --session as there; without them, the pause of everything ends. Calls made during the pause are never learned from.',
    options: { ...PROJECT_OPTION, ...SESSION_OPTION },
    examples: ['oncebitten resume', 'oncebitten resume --project .'],
    load: async () => (await import('./pause/pause.ts')).runResume,
  },
];

const CONFIG_COMMANDS: readonly (Command | CommandGroup)[] = [
  {
    name: 'config',
    summary: 'Show, explain and change settings',
    about:
      'Show, explain and change settings. They are in one file, config.jsonc in the data directory; an environment variable takes precedence over the file.',
  },
  {
    name: 'config list',
    summary: 'List all settings with value, origin and default',
    about: 'List all settings with their value, its origin (default, file or environment variable) and the default.',
    options: { '--changed': 'Only settings that the file or an environment variable sets' },
    examples: ['oncebitten config list --changed'],
    load: async () => (await import('./config/show.ts')).runList,
  },
  {
    name: 'config get',
    summary: 'Print the value of a setting or a group of settings',
    arguments: { '<key>': 'Setting or group, as `config list` shows it: minScore, scoring …' },
    examples: ['oncebitten config get delivery.maxMode'],
    load: async () => (await import('./config/show.ts')).runGet,
  },
  {
    name: 'config set',
    summary: 'Change a setting in the settings file',
    about:
      'Change a setting in the settings file. Comments and other settings stay as they are. A running daemon uses the new value at once (settings of the store: at its next start).',
    arguments: {
      '<key>': 'Setting, as `config list` shows it: minScore, store.url …',
      '<value>': 'Number, true, false, text, or a list as JSON; `config explain` names the allowed values',
    },
    examples: [
      'oncebitten config set maxLessonsPerInjection 1',
      `oncebitten config set privateProjects '["~/clients"]'`,
    ],
    load: async () => (await import('./config/change.ts')).runSet,
  },
  {
    name: 'config unset',
    summary: 'Remove a setting from the file: its default applies again',
    arguments: { '<key>': 'Setting, group of settings, or an unknown key in the file' },
    examples: ['oncebitten config unset delivery.maxMode'],
    load: async () => (await import('./config/change.ts')).runUnset,
  },
  {
    name: 'config explain',
    summary: 'Explain a setting: meaning, allowed values, default',
    about: 'Explain a setting: its meaning, allowed values, default, environment variable and current value.',
    arguments: { '<key>': 'Setting or group: minScore, store.url, scoring …' },
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
  {
    name: 'daemon',
    summary: 'Control the background process that answers agents',
    about:
      'The daemon is a background process: it answers the hooks of connected agents, and learns from new sessions. It starts by itself at a call of a connected agent, and ends after four hours without a call.',
  },
  {
    name: 'daemon status',
    summary: 'Show whether the daemon runs, and its version',
    about: 'Show whether the daemon runs, its version, its last scan, its problems, and what is paused or muted.',
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
    about:
      'Let the daemon finish its work, and stop it. The next call of a connected agent starts it again; to stop capturing and showing lessons, use `oncebitten pause` or `oncebitten uninstall`.',
    examples: ['oncebitten daemon stop'],
    load: async () => (await import('./daemon/daemon.ts')).runStop,
  },
];

const MCP: Command = {
  name: 'mcp',
  summary: 'Serve lessons to a program over MCP (stdio)',
  about:
    'Run the MCP server of Oncebitten on standard input and output, until the client ends. You do not type this command: a client starts it, after `oncebitten install <agent> --mcp` or your own entry in its settings. It gives the client tools to search lessons, propose one, say whether one helped, check a call, list failures and record calls.',
  examples: ['oncebitten mcp'],
  load: async () => (await import('../mcp/run-stdio.ts')).run,
};

export const COMMANDS_AND_GROUPS: readonly (Command | CommandGroup)[] = [
  ...SETUP_COMMANDS,
  DEMO,
  OPEN,
  ...LESSON_COMMANDS,
  EXPLAIN,
  ...STATS_COMMANDS,
  ...SESSION_COMMANDS,
  ...CAPTURE_COMMANDS,
  ...CONFIG_COMMANDS,
  ...DATA_COMMANDS,
  ...DAEMON_COMMANDS,
  MCP,
  COMPLETIONS,
];

export const COMMANDS: readonly Command[] = COMMANDS_AND_GROUPS.filter((entry) => 'load' in entry);
