/** Codex's names of tools as our canonical ones. It has no tools to read and search: that is done in the shell. */
import type { ToolName } from '../../base/tool.ts';

const TOOLS = new Map<string, ToolName>([
  ['exec_command', 'shell'],
  ['shell', 'shell'],
  ['shell_command', 'shell'],
  ['local_shell', 'shell'],
  ['container.exec', 'shell'],
  ['apply_patch', 'edit'],
  ['spawn_agent', 'task'],
  ['web_search', 'web'],
  ['read_file', 'read'],
  ['list_dir', 'glob'],
  ['grep_files', 'grep'],
]);

export function toToolName(rawTool: string): ToolName {
  return TOOLS.get(rawTool) ?? toMcpName(rawTool) ?? 'other';
}

/** The name that a hook is told: a tool of a server stands in the server's namespace. */
export function toRawTool(name: string, namespace: string | undefined): string {
  if (namespace === undefined || !namespace.startsWith('mcp__')) return name;
  return `${namespace.replace(/_+$/, '')}__${name}`;
}

function toMcpName(rawTool: string): ToolName | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(rawTool) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}
