/** The names and places of Codex. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'codex',
  name: 'Codex CLI',
  home: { env: 'CODEX_HOME', folder: '.codex' },
  // `worktrees/<id>/<name>` in its home.
  worktree: /^.*[/\\]\.codex[/\\]worktrees[/\\][^/\\]+[/\\](?<name>[^/\\]+)/,
};
