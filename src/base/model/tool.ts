/**
 * Canonical tool names, the tools that are tracked by default, and the prefix that marks a run of the user's own hook.
 * Agents have many names for the same tool; lessons use only these.
 */

export const TOOL_NAMES = ['shell', 'read', 'edit', 'write', 'glob', 'grep', 'task', 'web', 'other'] as const;
/** `mcp:server/tool`: a tool of an MCP server. */
export type ToolName = (typeof TOOL_NAMES)[number] | `mcp:${string}`;

/** The tools whose calls are captured unless a setting says otherwise. */
export const TRACKED_TOOLS: readonly ToolName[] = ['shell', 'edit', 'write', 'read', 'glob', 'grep'];

/** Failures are tracked for every tool. `mcp:*` stands for all tools of MCP servers. */
export function isTracked(
  call: { readonly tool: ToolName; readonly outcome: string },
  tracked: readonly string[],
): boolean {
  if (call.outcome === 'failure' || tracked.includes(call.tool)) return true;
  return call.tool.startsWith('mcp:') && tracked.includes('mcp:*');
}

export function isToolName(text: string): text is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(text) || (text.startsWith('mcp:') && text.length > 4);
}

/** Marks a run of the user's own hook, which the agent records but did not call itself. */
export const HOOK_TOOL_PREFIX = 'hook:';

export function isHookRun(call: object): boolean {
  return 'rawTool' in call && typeof call.rawTool === 'string' && call.rawTool.startsWith(HOOK_TOOL_PREFIX);
}
