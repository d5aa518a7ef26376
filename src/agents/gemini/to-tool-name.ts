/** Gemini CLI's names of tools as our canonical ones, those of older builds included. */
import type { ToolName } from '../../base/tool.ts';

const TOOLS = new Map<string, ToolName>([
  ['run_shell_command', 'shell'],
  ['replace', 'edit'],
  ['write_file', 'write'],
  ['read_file', 'read'],
  ['read_many_files', 'read'],
  ['glob', 'glob'],
  ['list_directory', 'glob'],
  ['grep_search', 'grep'],
  ['search_file_content', 'grep'],
  ['invoke_agent', 'task'],
  ['delegate_to_agent', 'task'],
  ['web_fetch', 'web'],
  ['google_web_search', 'web'],
]);

/** The display name of a server's tool names both apart; the raw name runs them together. */
export function toToolName(rawTool: string, displayName = ''): ToolName {
  return TOOLS.get(rawTool) ?? toShownMcpName(displayName) ?? toMcpName(rawTool) ?? 'other';
}

function toShownMcpName(displayName: string): ToolName | undefined {
  const [, tool, server] = /^(.+) \((.+) MCP Server\)$/.exec(displayName) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}

/** `mcp_server_tool`: a server whose own name has an underscore cannot be told from the tool's first word. */
function toMcpName(rawTool: string): ToolName | undefined {
  const [, server, tool] = /^mcp_+([^_].*?)_+(.+)$/.exec(rawTool) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}
