/** The MCP servers of Cursor. */
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import { facts } from './facts.ts';

export const cursorMcp: AgentMcp = {
  facts,
  clientName: /^cursor\b/i,
  files: ['mcp.json'],
  format: 'json',
  key: 'mcpServers',
  toEntry: ({ command, args }) => ({ command, args }),
  consent: 'Cursor asks you to allow a new server before it uses it.',
};
