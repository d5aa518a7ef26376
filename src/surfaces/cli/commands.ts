/** All commands, in the order of the help. */
import { AGENT_OPTION, EXAMPLE_ID, INSTALLABLE_IDS, SCANNED_IDS, TOOL_OWNER_OPTION } from './agent-names.ts';
import type { Command } from './command.ts';
import { LESSON_COMMANDS } from './lessons/commands.ts';
import { makePageOptions } from './paging.ts';
import { PROMOTION_COMMANDS } from './promote/commands.ts';
import { SHARING_COMMANDS } from './share/commands.ts';
import { MEASURE_COMMANDS } from './stats/commands.ts';

export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    summary: 'learn from the sessions on this machine, report, and start the daemon',
    load: async () => (await import('./install/start.ts')).run,
  },
  {
    name: 'install',
    summary: "add our hooks to an agent's settings",
    arguments: [{ name: 'agent', help: INSTALLABLE_IDS, required: true }],
    options: [
      {
        flags: '--project [dir]',
        help: "only for this project (default: here), in its settings.local.json, which is yours alone and not the team's",
      },
      { flags: '--plugin', help: 'as a plugin: change no settings, say how to load it' },
      {
        flags: '--allow-pause',
        help: 'proven lessons may hold a call back once; asked on a terminal, else notes only',
      },
      {
        flags: '--max-mode <mode>',
        help: 'how far lessons may go: note, pause, rewrite or block (see delivery.maxMode)',
      },
      { flags: '--force', help: 'even if the agent does not seem to be on this machine' },
      { flags: '--dry-run', help: 'show what would change in which file; change nothing and start nothing' },
    ],
    examples: [
      `oncebitten install ${EXAMPLE_ID} --dry-run`,
      `oncebitten install ${EXAMPLE_ID}`,
      `oncebitten install ${EXAMPLE_ID} --project .`,
    ],
    load: async () => (await import('./install/install.ts')).run,
  },
  {
    name: 'uninstall',
    summary: "take our hooks out of an agent's settings again; with the last of them the daemon ends",
    arguments: [{ name: 'agent', help: INSTALLABLE_IDS, required: true }],
    options: [{ flags: '--project [dir]', help: 'from your own settings in this project (default: here)' }],
    load: async () => (await import('./install/uninstall.ts')).run,
  },
  {
    name: 'daemon status',
    summary: 'is the daemon running, and which',
    load: async () => (await import('./daemon/daemon.ts')).runStatus,
  },
  {
    name: 'daemon start',
    summary: 'start the daemon, or replace one of another version',
    load: async () => (await import('./daemon/daemon.ts')).runStart,
  },
  {
    name: 'daemon stop',
    summary: 'ask the daemon to finish and end',
    load: async () => (await import('./daemon/daemon.ts')).runStop,
  },
  {
    name: 'scan',
    summary: 'learn from past sessions',
    options: [
      { flags: '--agent <id>', help: 'only this agent; several times, or a list with commas, for several', many: true },
      { flags: '--path <path>', help: 'a transcript or a folder of them, instead of where the agent keeps them' },
      { flags: '--since <time>', help: 'only files that changed since: 2h, 7d, or a date' },
      { flags: '--again', help: 'read everything from the beginning and learn from it with the rules of this version' },
    ],
    examples: [
      'oncebitten scan',
      'oncebitten scan --again',
      `oncebitten scan --since 7d --agent ${SCANNED_IDS}`,
      `oncebitten scan --agent ${EXAMPLE_ID} --path ./sessions --json`,
    ],
    load: async () => (await import('./data/scan.ts')).run,
  },
  {
    name: 'backtest',
    summary: 'replay past sessions: how many failures were repeats, how many would have been warned of, at what noise',
    options: [
      { flags: '--agent <id>', help: 'only this agent; several times, or a list with commas, for several', many: true },
      { flags: '--path <path>', help: 'a transcript or a folder of them, instead of what the store knows' },
      {
        flags: '--since <when>',
        help: 'count only calls since then (2h, 7d, a time); those before are still the past',
      },
      { flags: '--project [dir]', help: 'count only this project: a folder (default: here), an id or a name' },
      { flags: '--verbose', help: 'with intervals and longer lists' },
      { flags: '--fix', help: 'go through the worst false alarms: archive, edit or mute each lesson with one key' },
    ],
    examples: [
      'oncebitten backtest',
      'oncebitten backtest --project --since 30d --fix',
      `oncebitten backtest --agent ${EXAMPLE_ID} --path ./sessions --json`,
    ],
    load: async () => (await import('./stats/backtest.ts')).run,
  },
  {
    name: 'findings',
    summary: 'what was seen in calls, and what came of it: also what did not become a lesson, and why',
    options: [
      { flags: '--verdict <verdict>', help: 'only new, draft, merged or dropped' },
      { flags: '--agent <id>', help: 'only of this agent' },
      { flags: '--project [dir]', help: 'only in this project: a folder (default: here), an id or a name' },
      ...makePageOptions(50),
    ],
    load: async () => (await import('./sessions/findings.ts')).run,
  },
  {
    name: 'audit',
    summary: 'the junk report: what was kept and what was dropped, lessons that never or too often speak',
    options: [
      { flags: '--agent <id>', help: 'with --path: only this agent', many: true },
      { flags: '--path <path>', help: 'of a transcript or a folder of them, learned from anew, instead of the store' },
    ],
    examples: ['oncebitten audit', `oncebitten audit --agent ${EXAMPLE_ID} --path ./sessions --json`],
    load: async () => (await import('./stats/audit.ts')).run,
  },
  ...LESSON_COMMANDS,
  ...SHARING_COMMANDS,
  ...PROMOTION_COMMANDS,
  ...MEASURE_COMMANDS,
  {
    name: 'failures',
    summary: 'what went wrong, by kind of failure or call by call',
    options: [
      { flags: '--project [dir]', help: 'only in this project: a folder (default: here) or an id' },
      AGENT_OPTION,
      { flags: '--session <id>', help: 'only in this session; full id or a unique prefix' },
      { flags: '--since <time>', help: 'only since then: 2h, 7d, or an ISO time' },
      { flags: '--signature <id>', help: 'only failures of this form' },
      { flags: '--unresolved', help: 'only those after which nothing with the same intent succeeded' },
      { flags: '--each', help: 'every call on its own, newest first, instead of by form' },
      ...makePageOptions(20),
    ],
    examples: ['oncebitten failures --since 7d', 'oncebitten failures --project . --unresolved --each --json'],
    load: async () => (await import('./sessions/failures.ts')).run,
  },
  {
    name: 'history',
    summary: 'how much was done, how much of it failed, and what failed most',
    options: [
      { flags: '--by <what>', help: 'count by agent, project, model, day or week (UTC); default agent and project' },
      AGENT_OPTION,
      { flags: '--project [dir]', help: 'only in this project: a folder (default: here), an id or a name' },
      { flags: '--model <name>', help: 'only in sessions with this model' },
      { flags: '--since <time>', help: 'only since then: 2h, 7d, 2026-01-31 or an ISO time' },
      { flags: '--until <time>', help: 'only until then; a day is meant with its evening' },
      { flags: '--limit <n>', help: 'at most so many rows of each table, default 10, and 5 failures' },
    ],
    examples: ['oncebitten history --since 30d', 'oncebitten history --project . --by week --json'],
    load: async () => (await import('./sessions/history.ts')).run,
  },
  {
    name: 'patterns',
    summary: 'what keeps going wrong: the same failure, files and commands that break, a category that dominates',
    options: [
      { flags: '--kind <kind>', help: 'only repeated-failure, breaking-file, dominant-category or always-breaks' },
      { flags: '--project [dir]', help: 'only in this project: a folder (default: here), an id or a name' },
      AGENT_OPTION,
      { flags: '--since <time>', help: 'only since then: 2h, 30d, 2026-01-31 or an ISO time' },
      ...makePageOptions(20),
    ],
    examples: ['oncebitten patterns --since 30d', 'oncebitten patterns --project . --kind always-breaks --json'],
    load: async () => (await import('./sessions/patterns.ts')).run,
  },
  {
    name: 'compliance',
    summary: 'do agents write lessons down themselves, by agent and model, and which source of lessons to rest on',
    options: [AGENT_OPTION, { flags: '--since <time>', help: 'only since then: 2h, 7d, 2026-01-31 or an ISO time' }],
    examples: ['oncebitten compliance', `oncebitten compliance --agent ${EXAMPLE_ID} --since 30d --json`],
    load: async () => (await import('./stats/compliance.ts')).run,
  },
  {
    name: 'session',
    summary: 'one session as a timeline, or the latest sessions',
    arguments: [
      {
        name: 'id',
        help: 'full id or a unique prefix (default: list the sessions; with --failures, the latest one)',
        required: false,
      },
    ],
    options: [
      { flags: '--failures', help: 'only the calls that failed' },
      {
        flags: '--from <n>',
        help: 'number of the first call, or of the first row in the list of sessions (default 1)',
      },
      {
        flags: '--limit <n>',
        help: 'maximum number of calls (default 100), or of rows in the list of sessions (default 20)',
      },
      { flags: '--all', help: 'every call, or every session in the list of sessions' },
      { flags: '--agent <id>', help: 'only of this agent' },
    ],
    examples: ['oncebitten session', 'oncebitten session --failures', 'oncebitten session 0b1c2d --from 40'],
    load: async () => (await import('./sessions/session.ts')).run,
  },
  {
    name: 'projects list',
    summary: 'the projects, where they were seen and how much is known of them',
    load: async () => (await import('./projects/list.ts')).run,
  },
  {
    name: 'projects join',
    summary: 'make one project part of another: a folder was moved, a remote renamed',
    arguments: [
      { name: 'from', help: 'what it was: an id, a folder (also one that is gone) or a name', required: true },
      { name: 'into', help: 'what it is now', required: true },
    ],
    options: [{ flags: '--dry-run', help: 'only show what would be part of it' }],
    examples: ['oncebitten projects join ~/old/shop ~/new/shop', 'oncebitten projects join prj_1a2b . --dry-run'],
    load: async () => (await import('./projects/join.ts')).runJoin,
  },
  {
    name: 'projects split',
    summary: 'take back a join',
    arguments: [{ name: 'from', help: 'what was joined: an id, a folder or a name', required: true }],
    load: async () => (await import('./projects/join.ts')).runSplit,
  },
  {
    name: 'explain',
    summary: 'which lessons would speak at a call, and why others would not',
    options: [
      { flags: '--tool <name>', help: "the agent's name of the tool: Bash, Edit …" },
      { flags: '--input <json>', help: 'the tool\'s input, e.g. \'{"command":"gh pr diff 7 --stat"}\'' },
      TOOL_OWNER_OPTION,
      { flags: '--cwd <dir>', help: 'the folder the call runs in; default here' },
      { flags: '--said <text>', help: 'a message before the call, for lessons with keywords', many: true },
      { flags: '--transcript <file>', help: "the agent's transcript, for the same: its last messages" },
      { flags: '--subagent <type>', help: 'the sub-agent that makes the call' },
    ],
    load: async () => (await import('./lessons/explain.ts')).run,
  },
  {
    name: 'signature',
    summary: 'the stable form of messages: one signature for each line of standard input',
    options: [
      { flags: '--program <name>', help: 'the program that said it; the same words of another are another failure' },
      { flags: '--merge', help: 'give near-duplicates among the lines one signature; needs all of them first' },
    ],
    examples: ['oncebitten signature --program git < messages', 'oncebitten signature --json < messages'],
    load: async () => (await import('./sessions/signature.ts')).run,
  },
  {
    name: 'pause',
    summary: 'capture nothing and say nothing, for a while or until resume',
    options: [
      { flags: '--for <span>', help: 'how long: 30m, 2h, 1d; default until resume' },
      { flags: '--project [dir]', help: 'only this project: a folder (default: here), an id or a name' },
      {
        flags: '--session <id>',
        help: 'only this session: full id, or a unique prefix if the session is already recorded',
      },
    ],
    examples: ['oncebitten pause --for 2h', 'oncebitten pause --project .'],
    load: async () => (await import('./pause/pause.ts')).runPause,
  },
  {
    name: 'resume',
    summary: 'end a pause; what happened during it stays out',
    options: [
      { flags: '--project [dir]', help: 'of this project: a folder (default: here), an id or a name' },
      { flags: '--session <id>', help: 'of this session; full id or a unique prefix' },
    ],
    load: async () => (await import('./pause/pause.ts')).runResume,
  },
  {
    name: 'mute',
    summary: 'keep a lesson, or everything, silent; capture goes on',
    arguments: [{ name: 'lesson', help: 'slug or id', required: false }],
    options: [
      { flags: '--all', help: 'everything we say' },
      { flags: '--for <span>', help: 'how long: 30m, 2h, 1d; default until unmute' },
      {
        flags: '--session <id>',
        help: 'only in this session: full id, or a unique prefix if the session is already recorded',
      },
    ],
    examples: ['oncebitten mute gh-pr-diff-stat-x7k2 --for 1d', 'oncebitten mute --all --for 2h'],
    load: async () => (await import('./pause/mute.ts')).runMute,
  },
  {
    name: 'unmute',
    summary: 'let a lesson, or everything, speak again',
    arguments: [{ name: 'lesson', help: 'slug or id', required: false }],
    options: [
      { flags: '--all', help: 'what mute --all silenced' },
      { flags: '--session <id>', help: 'what was muted in this session only; full id or a unique prefix' },
    ],
    load: async () => (await import('./pause/mute.ts')).runUnmute,
  },
  {
    name: 'forget',
    summary: 'remove everything about a project, a session or all, for good',
    options: [
      { flags: '--project [dir]', help: 'a folder (default: here), an id or a name' },
      { flags: '--session <id>', help: 'a session, with its sub-agents; full id or a unique prefix' },
      { flags: '--all', help: 'everything that was captured and learned; settings and hooks stay' },
      { flags: '--dry-run', help: 'only show what would go' },
      { flags: '--yes', help: 'do not ask' },
    ],
    examples: ['oncebitten forget --project . --dry-run', 'oncebitten forget --session 0b1c2d --yes'],
    load: async () => (await import('./data/forget.ts')).run,
  },
  {
    name: 'retention',
    summary: 'remove what is older than the settings allow, as the daemon does once a day',
    options: [
      { flags: '--dry-run', help: 'only show what would go' },
      { flags: '--yes', help: 'remove and archive everything that is due at once, also more than 20% of the rows' },
      { flags: '--trust-clock', help: 'the time of this machine is right, although Oncebitten does not trust it' },
    ],
    load: async () => (await import('./data/retention.ts')).run,
  },
  {
    name: 'config path',
    summary: 'where the settings file is',
    load: async () => (await import('./settings/show.ts')).runPath,
  },
  {
    name: 'config init',
    summary:
      'write a settings file with every key as a comment; one that is there gets those it lacks, and what is set stays',
    load: async () => (await import('./settings/change.ts')).runInit,
  },
  {
    name: 'config list',
    summary: 'every setting: its value, where that comes from, its default',
    options: [{ flags: '--changed', help: 'only those that the file or the environment sets' }],
    load: async () => (await import('./settings/show.ts')).runList,
  },
  {
    name: 'config get',
    summary: 'the value of one setting, or of a group',
    arguments: [{ name: 'key', help: 'minScore, store.url, scoring.confidence …', required: true }],
    load: async () => (await import('./settings/show.ts')).runGet,
  },
  {
    name: 'config set',
    summary: 'change one setting in the file; comments and everything else stay',
    arguments: [
      { name: 'key', help: 'minScore, store.url, scoring.confidence.base …', required: true },
      { name: 'value', help: 'a number, true or false, a text, a list as JSON', required: true },
    ],
    examples: [
      'oncebitten config set maxLessonsPerInjection 1',
      `oncebitten config set privateProjects '["~/clients"]'`,
    ],
    load: async () => (await import('./settings/change.ts')).runSet,
  },
  {
    name: 'config unset',
    summary: 'take a setting out of the file, so that its default counts again',
    arguments: [{ name: 'key', help: 'a setting, a group of settings, or an unknown key of the file', required: true }],
    load: async () => (await import('./settings/change.ts')).runUnset,
  },
  {
    name: 'config explain',
    summary: 'what a setting does, what it may be, its default, its variable, and its value now',
    arguments: [{ name: 'key', help: 'minScore, store.url, scoring …', required: true }],
    load: async () => (await import('./settings/show.ts')).runExplain,
  },
  {
    name: 'backup',
    summary: 'write everything that was captured and learned into one file, also while the daemon works',
    options: [
      { flags: '--out <file>', help: 'where to; default a new file in backups/ of the data directory' },
      { flags: '--force', help: 'replace a file that is there' },
    ],
    examples: ['oncebitten backup', 'oncebitten backup --out /mnt/usb/oncebitten.jsonl.gz'],
    load: async () => (await import('./data/backup.ts')).run,
  },
  {
    name: 'restore',
    summary: 'replace everything in the store by a backup; without a file: list the backups',
    arguments: [{ name: 'file', help: 'what backup wrote, of SQLite or PostgreSQL', required: false }],
    options: [
      { flags: '--dry-run', help: 'only check the file and show what would be' },
      { flags: '--yes', help: 'do not ask' },
    ],
    examples: ['oncebitten restore', 'oncebitten restore oncebitten.jsonl.gz --dry-run'],
    load: async () => (await import('./data/restore.ts')).run,
  },
  {
    name: 'doctor',
    summary: 'check everything, end to end',
    load: async () => (await import('./doctor/doctor.ts')).run,
  },
];
