/** The installation of our hooks in Claude Code: its settings files, the events we need, and its plugin. */
import type { AgentInstall, AgentPlugin } from '../../base/contracts/agent-install.ts';
import { isEnabled, toManifest, toMarketplace } from '../plugin-manifests.ts';
import { facts } from './facts.ts';

/** Claude Code waits only for events that we may answer, and at its end, where a background process would be killed. */
const WAITING = ['PreToolUse', 'PostToolUseFailure', 'PostToolBatch', 'SessionStart', 'SubagentStart', 'SessionEnd'];

const BACKGROUND = ['PostToolUse', 'Stop', 'UserPromptSubmit', 'SubagentStop', 'PreCompact', 'PostCompact'];

/** Claude Code installs plugins permanently only from a marketplace, so the plugin is in a marketplace of its own. */
const plugin: AgentPlugin = {
  renderManifests: (content) => ({
    '.claude-plugin/marketplace.json': toMarketplace(content),
    [`${content.folder}/.claude-plugin/plugin.json`]: toManifest(content),
  }),
  isOn: isEnabled,
  toCommands: ({ name, dir, pluginDir }) => ({
    once: [['claude', '--plugin-dir', pluginDir]],
    forGood: [
      ['claude', 'plugin', 'marketplace', 'add', dir],
      ['claude', 'plugin', 'install', `${name}@${name}`],
    ],
    undo: [['claude', 'plugin', 'uninstall', `${name}@${name}`]],
  }),
};

export const claudeCodeInstall: AgentInstall = {
  facts,
  program: { name: 'claude', seenVersion: '2.1.325' },
  hooks: {
    userFile: 'settings.json',
    projectFile: 'settings.local.json',
    sharedFiles: ['settings.json'],
    managedFiles: {
      linux: '/etc/claude-code/managed-settings.json',
      darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
      win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
    },
    switches: [
      { key: 'disableAllHooks', managedOnly: false },
      { key: 'allowManagedHooksOnly', managedOnly: true },
    ],
    events: [...WAITING.map((name) => ({ name, async: false })), ...BACKGROUND.map((name) => ({ name, async: true }))],
    timeout: 2,
    // Cursor does so with the hooks of Claude's settings.
    redirects: true,
    // Otherwise it takes Git Bash, where there is one.
    windows: { shell: 'powershell', isNamed: true },
  },
  plugin,
  limits: [
    'the model reads a note together with the result of the call, not before the call',
    'failed edits (text not found), wrong arguments and unknown tools show up only after the whole batch of calls; Oncebitten learns of them later, from the transcript',
    'no hook runs for a call that you refuse; Oncebitten learns of it from the transcript',
    'hooks get stdout and stderr of a command as one text',
    'native builds of Claude Code search with shell commands instead of Glob and Grep calls',
    'no hook runs in a session that was started with --bare',
  ],
};
