/** What Claude Code is called, where its things are and which of its events we hear. */
import type { AgentFacts, HookEventFacts } from '../../base/agent-adapter.ts';

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
  gaps: [
    'a note reaches the model together with the result of its call, not before it',
    'an edit that does not match, bad arguments and unknown tools fire no hook of their own: they are heard at the end of the batch and from the transcript',
    'a refused call is known from the transcript only',
    'stdout and stderr of a command come as one text',
    'native builds search with shell commands: there are no glob and grep calls unless they are switched on',
    'with --bare no hook runs',
  ],
};
