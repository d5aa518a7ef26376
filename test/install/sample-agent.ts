/** What the installation needs to know of an agent, apart from the real ones, so that these tests stand alone. */
import { claudeCodeInstall } from '../../src/agents/claude-code/install.ts';
import type { AgentInstall } from '../../src/base/contracts/agent-install.ts';

export const sampleAgent: AgentInstall = {
  ...claudeCodeInstall,
  hooks: {
    userFile: 'settings.json',
    projectFile: 'settings.local.json',
    sharedFiles: ['settings.json'],
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

export const eventNames = sampleAgent.hooks.events.map((event) => event.name);
