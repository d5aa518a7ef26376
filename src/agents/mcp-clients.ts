/** The agents that we install our MCP server into. */
import type { AgentMcp } from '../base/contracts/agent-mcp.ts';
import { claudeCodeMcp } from './claude-code/mcp.ts';
import { codexMcp } from './codex/mcp.ts';
import { copilotMcp } from './copilot/mcp.ts';
import { cursorMcp } from './cursor/mcp.ts';
import { geminiMcp } from './gemini/mcp.ts';
import { opencodeMcp } from './opencode/mcp.ts';

export const MCP_CLIENTS: readonly AgentMcp[] = [
  claudeCodeMcp,
  codexMcp,
  geminiMcp,
  opencodeMcp,
  copilotMcp,
  cursorMcp,
];
