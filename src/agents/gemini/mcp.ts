/** The MCP servers of Gemini CLI, in the settings file that also has its hooks. */
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import { facts } from './facts.ts';

export const geminiMcp: AgentMcp = {
  facts,
  clientName: /^gemini-cli\b/,
  files: ['settings.json'],
  format: 'json',
  key: 'mcpServers',
  toEntry: ({ command, args }) => ({ command, args }),
};
