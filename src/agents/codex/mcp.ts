/** The MCP servers of Codex, in its settings file. */
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import { facts } from './facts.ts';

export const codexMcp: AgentMcp = {
  facts,
  clientName: /^codex\b/,
  files: ['config.toml'],
  format: 'toml',
  key: 'mcp_servers',
  toEntry: ({ command, args }) => ({ command, args }),
};
