/** The installation of our hooks in Claude Code: its settings files, the events we need, and its plugin. */
import type { AgentInstall, AgentPlugin } from '../../base/contracts/agent-install.ts';
import { facts } from './facts.ts';

/** Claude Code waits only for events that we may answer, and at its end, where a background process would be killed. */
const WAITING = ['PreToolUse', 'SessionStart', 'SubagentStart', 'SessionEnd'];

const BACKGROUND = [
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'UserPromptSubmit',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
];

/** Claude Code installs plugins permanently only from a marketplace, so the plugin is in a marketplace of its own. */
const plugin: AgentPlugin = {
  folder: facts.id,
  render({ name, version, description, note, hooks }) {
    const owner = { name: 'Oncebitten' };
    return {
      '.claude-plugin/marketplace.json': toJson({
        name,
        owner,
        metadata: { description },
        plugins: [{ name, source: `./${facts.id}`, description }],
      }),
      [`${facts.id}/.claude-plugin/plugin.json`]: toJson({ name, version, description, author: owner, license: 'MIT' }),
      [`${facts.id}/hooks/hooks.json`]: toJson({ description: note, hooks }),
    };
  },
  isOn({ enabledPlugins }, name) {
    if (typeof enabledPlugins !== 'object' || enabledPlugins === null) return false;
    return Object.entries(enabledPlugins).some(([key, on]) => on === true && key.startsWith(`${name}@`));
  },
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
  },
  plugin,
  limits: [
    'a note reaches the model together with the result of its call, not before it',
    'an edit that does not match, bad arguments and unknown tools run no hook of their own: Oncebitten learns of them at the end of the batch and from the transcript',
    'a call that the user refused is recorded in the transcript only',
    'stdout and stderr of a command come as one text',
    'native builds search with shell commands: there are no glob and grep calls unless they are switched on',
    'with --bare no hook runs',
  ],
};

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
