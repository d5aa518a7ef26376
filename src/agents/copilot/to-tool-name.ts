/** Copilot CLI's own names of tools as our canonical ones. (Its hooks may speak Claude's: see `guests/`.) */
import type { ToolName } from '../../base/tool.ts';

const TOOLS = new Map<string, ToolName>([
  ['bash', 'shell'],
  ['powershell', 'shell'],
  ['edit', 'edit'],
  ['apply_patch', 'edit'],
  ['create', 'write'],
  ['view', 'read'],
  ['glob', 'glob'],
  ['grep', 'grep'],
  ['rg', 'grep'],
  ['task', 'task'],
  ['web_fetch', 'web'],
  ['web_search', 'web'],
]);

/** A server's tool comes with both names apart. */
export function toToolName(rawTool: string, server?: string, serverTool?: string): ToolName {
  if (server !== undefined) return `mcp:${server}/${serverTool ?? rawTool}`;
  return TOOLS.get(rawTool) ?? 'other';
}
