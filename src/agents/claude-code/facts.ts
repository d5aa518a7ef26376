/** What Claude Code is called, where its things are and which of its events we hear. */
import type { AgentFacts, HookEventFacts } from '../../base/contracts/agent-adapter.ts';

/** The agent waits only where we may answer, and at its end, where a background process would be cut off. */
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

const events: readonly HookEventFacts[] = [
  ...WAITING.map((name) => ({ name, async: false })),
  ...BACKGROUND.map((name) => ({ name, async: true })),
];

export const facts: AgentFacts = {
  id: 'claude-code',
  name: 'Claude Code',
  home: { env: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  program: { name: 'claude', seenVersion: '2.1.325' },
  hooks: {
    settingsFile: 'settings.json',
    ownSettingsFile: 'settings.local.json',
    managedFiles: {
      linux: '/etc/claude-code/managed-settings.json',
      darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
      win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
    },
    switches: [
      { key: 'disableAllHooks', managedOnly: false },
      { key: 'allowManagedHooksOnly', managedOnly: true },
    ],
    events,
    timeout: 2,
  },
  modes: ['note', 'pause', 'rewrite', 'block'],
};
