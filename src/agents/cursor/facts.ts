/** The names and places of Cursor. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'cursor',
  name: 'Cursor',
  home: { folder: '.cursor' },
  // `worktrees/<name>/<id>` in its home.
  worktree: /^.*[/\\]\.cursor[/\\]worktrees[/\\](?<name>[^/\\]+)[/\\][^/\\]+/,
};
