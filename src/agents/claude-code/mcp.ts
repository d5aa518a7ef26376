/** The MCP servers of Claude Code: its state file, which it often writes itself. */
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import { facts } from './facts.ts';

export const claudeCodeMcp: AgentMcp = {
  facts,
  clientName: /^claude-code\b/,
  files: ['.claude.json'],
  isInHome: true,
  format: 'json',
  key: 'mcpServers',
  toEntry: ({ command, args }) => ({ type: 'stdio', command, args }),
};
