/** The MCP servers of Copilot CLI. */
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import { facts } from './facts.ts';

export const copilotMcp: AgentMcp = {
  facts,
  clientName: /\bcopilot\b/,
  files: ['mcp-config.json'],
  format: 'json',
  key: 'mcpServers',
  toEntry: ({ command, args }) => ({ type: 'local', command, args, tools: ['*'] }),
};
