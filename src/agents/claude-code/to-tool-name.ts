/** Claude Code's names of tools as our canonical ones. */
import type { ToolName } from '../../base/tool.ts';

const TOOLS = new Map<string, ToolName>([
  ['Bash', 'shell'],
  ['PowerShell', 'shell'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Write', 'write'],
  ['Read', 'read'],
  ['Glob', 'glob'],
  ['Grep', 'grep'],
  ['Agent', 'task'],
  ['Task', 'task'],
  ['WebFetch', 'web'],
  ['WebSearch', 'web'],
]);

export function toToolName(rawTool: string): ToolName {
  return TOOLS.get(rawTool) ?? toMcpName(rawTool) ?? 'other';
}

/** `mcp__server__tool`; what stands behind the second pair of underscores is the tool, whatever it contains. */
function toMcpName(rawTool: string): ToolName | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(rawTool) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}
