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
  sessions: { folder: 'projects', suffix: '.jsonl' },
  hooks: { settingsFile: 'settings.json', events, timeout: 2 },
};
