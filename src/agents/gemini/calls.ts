/**
 * Converts a call in Gemini CLI's records to a started call: canonical tool name (names of older builds included), and
 * the input fields that lessons can match.
 */

import type { StartedCall, ToolInput } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { isRecord } from '../../base/records.ts';
import { makeToolInput } from '../call-texts.ts';
import { findText, toJson, type Wire } from '../wire.ts';

/** Undefined for a record without an id or a tool. */
export function findStartedCall(record: Wire): StartedCall | undefined {
  const callId = findText(record, 'id');
  const rawTool = findText(record, 'name');
  if (callId === undefined || rawTool === undefined) return undefined;
  const tool = toToolName(rawTool, findText(record, 'displayName'));
  return { callId, tool, rawTool, input: toInput(tool, record.args) };
}

function toInput(tool: ToolName, input: unknown): ToolInput {
  const wire: Wire = isRecord(input) ? input : {};
  const command = findText(wire, 'command');
  const path = findText(wire, 'file_path') ?? findText(wire, 'absolute_path');
  const content =
    tool === 'edit' ? findText(wire, 'new_string') : tool === 'write' ? findText(wire, 'content') : undefined;
  return makeToolInput(tool, { command, path, content }, toJson(input));
}

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

/**
 * Maps Gemini CLI's tool names, including those of older builds, to our canonical ones. For a server's tool, the
 * display name separates the two names, while the raw name joins them.
 */
export function toToolName(rawTool: string, displayName = ''): ToolName {
  return TOOLS.get(rawTool) ?? toShownMcpName(displayName) ?? toMcpName(rawTool) ?? 'other';
}

function toShownMcpName(displayName: string): ToolName | undefined {
  const [, tool, server] = /^(.+) \((.+) MCP Server\)$/.exec(displayName) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}

/** `mcp_server_tool`: for a server with an underscore in its name, the border to the tool's name is unknown. */
function toMcpName(rawTool: string): ToolName | undefined {
  const [, server, tool] = /^mcp_+([^_].*?)_+(.+)$/.exec(rawTool) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}
