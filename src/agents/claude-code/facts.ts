/** The names and places of Claude Code. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'claude-code',
  name: 'Claude Code',
  home: { env: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  processVariable: 'CLAUDE_PID',
  instructions: { target: 'claude', files: ['CLAUDE.md', '.claude/CLAUDE.md'] },
  skillsFolder: '.claude/skills',
};
