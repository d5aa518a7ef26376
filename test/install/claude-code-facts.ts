/** What the installation needs to know of Claude Code, apart from the adapter, so that these tests stand alone. */
import type { AgentFacts } from '../../src/base/contracts/agent-adapter.ts';

export const claudeCodeFacts: AgentFacts = {
  id: 'claude-code',
  name: 'Claude Code',
  home: { env: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  program: { name: 'claude', seenVersion: '2.1.325' },
  modes: ['note'],
  hooks: {
    settingsFile: 'settings.json',
    ownSettingsFile: 'settings.local.json',
    managedFiles: {},
    switches: [],
    timeout: 2,
    events: [
      { name: 'PreToolUse', async: false },
      { name: 'PostToolUse', async: true },
      { name: 'PostToolUseFailure', async: false },
      { name: 'SessionStart', async: false },
      { name: 'SessionEnd', async: true },
    ],
  },
};

export const eventNames = claudeCodeFacts.hooks.events.map((event) => event.name);
