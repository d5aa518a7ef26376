/** The installation of our hooks in Codex: its hooks files and the events we need. */
import type { AgentInstall, AgentPlugin } from '../../base/contracts/agent-install.ts';
import { toManifest, toMarketplace } from '../plugin-manifests.ts';
import { facts } from './facts.ts';
import { codexSkips } from './trust.ts';

/** Codex does not run hooks with `async`, so it waits for all of them. */
const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
];

/** Codex would read the marketplace of Claude Code in the same folder, if it had none of its own. */
const plugin: AgentPlugin = {
  renderManifests: (content) => ({
    '.agents/plugins/marketplace.json': toMarketplace(content),
    [`${content.folder}/.codex-plugin/plugin.json`]: toManifest(content),
  }),
  recordFile: 'config.toml',
  isOn: ({ text }, name) =>
    new RegExp(`^\\[plugins\\."${name}@[^"]*"\\]\\n(?:(?!\\[).*\\n)*?enabled *= *true`, 'm').test(text),
  toCommands: ({ name, dir }) => ({
    once: [],
    forGood: [
      ['codex', 'plugin', 'marketplace', 'add', dir],
      ['codex', 'plugin', 'add', `${name}@${name}`],
    ],
    undo: [['codex', 'plugin', 'remove', `${name}@${name}`]],
  }),
};

export const codexInstall: AgentInstall = {
  facts,
  program: { name: 'codex', seenVersion: '0.166.0' },
  hooks: {
    userFile: 'hooks.json',
    projectFile: 'hooks.json',
    sharedFiles: [],
    managedFiles: {},
    switches: [],
    skips: codexSkips,
    events: EVENTS.map((name) => ({ name, async: false })),
    timeout: 2,
    windows: { shell: 'cmd' },
  },
  plugin,
  consent:
    'Codex runs new hooks only after you have allowed them, and skips them without a word until then. Start codex, type /hooks, and trust the hooks of Oncebitten.',
  limits: [
    'hooks do not get the exit code of a command; Oncebitten reads it from the session file',
    'no hook runs after a patch that does not apply or a call that you refuse; Oncebitten reads these from the session file',
    'a hook could correct a call only by also allowing it to run, so a lesson that would correct a call pauses it instead',
    'Codex silently skips hooks that you have not trusted with /hooks',
  ],
};
