/** The MCP servers of OpenCode, in its settings file, which may have comments. */
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import { facts } from './facts.ts';

export const opencodeMcp: AgentMcp = {
  facts,
  clientName: /^opencode\b/,
  files: ['opencode.json', 'opencode.jsonc'],
  format: 'json',
  key: 'mcp',
  toEntry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
};
