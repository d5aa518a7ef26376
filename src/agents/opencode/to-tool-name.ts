/** OpenCode's tools by our names. */
import type { ToolName } from '../../base/tool.ts';

const TOOLS: ReadonlyMap<string, ToolName> = new Map<string, ToolName>([
  ['bash', 'shell'],
  ['read', 'read'],
  ['edit', 'edit'],
  ['multiedit', 'edit'],
  ['patch', 'edit'],
  ['apply_patch', 'edit'],
  ['write', 'write'],
  ['glob', 'glob'],
  ['list', 'glob'],
  ['grep', 'grep'],
  ['task', 'task'],
  ['webfetch', 'web'],
  ['websearch', 'web'],
  ['codesearch', 'web'],
]);

/** Its own tools with an underscore, which are no MCP server's. */
const OWN = new Set([
  'plan_enter',
  'plan_exit',
  'lsp_diagnostics',
  'lsp_hover',
  'list_mcp_resources',
  'list_mcp_resource_templates',
  'read_mcp_resource',
]);

export function toToolName(rawTool: string): ToolName {
  return TOOLS.get(rawTool) ?? (OWN.has(rawTool) ? undefined : toMcpName(rawTool)) ?? 'other';
}

/** `server_tool`: nothing tells where the server's name ends. A tool that a project brings along looks the same. */
function toMcpName(rawTool: string): ToolName | undefined {
  const [, server, tool] = /^([^_]+)_(.+)$/s.exec(rawTool) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}
