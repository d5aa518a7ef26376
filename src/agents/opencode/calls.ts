/**
 * Converts a call of OpenCode (from a hook or from its history) to a started call: canonical tool name, and the input
 * fields that lessons can match.
 */

import type { StartedCall, ToolInput } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { isRecord } from '../../base/records.ts';
import { makeToolInput } from '../call-texts.ts';
import { findText, toJson, toWires, type Wire } from '../wire.ts';

export function toStartedCall(rawTool: string, input: unknown, callId: string): StartedCall {
  const tool = toToolName(rawTool);
  return { callId, tool, rawTool, input: toInput(tool, input) };
}

function toInput(tool: ToolName, input: unknown): ToolInput {
  const wire: Wire = isRecord(input) ? input : {};
  const command = findText(wire, 'command');
  const path = findText(wire, 'filePath') ?? findPatched(wire);
  const content = findContent(wire);
  return makeToolInput(tool, { command, path, content }, toJson(input));
}

function findContent(wire: Wire): string | undefined {
  const edits = toWires(wire.edits).map((edit) => findText(edit, 'newString') ?? '');
  if (edits.length > 0) return edits.join('\n');
  return findText(wire, 'newString') ?? findText(wire, 'content') ?? findText(wire, 'patchText');
}

/** The first file of a patch. */
function findPatched(wire: Wire): string | undefined {
  return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(findText(wire, 'patchText') ?? '')?.[1]?.trim();
}

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

/** OpenCode's own tools with an underscore, which do not belong to an MCP server. */
const OWN = new Set([
  'plan_enter',
  'plan_exit',
  'lsp_diagnostics',
  'lsp_hover',
  'list_mcp_resources',
  'list_mcp_resource_templates',
  'read_mcp_resource',
]);

/** Maps OpenCode's tool names to our canonical ones. */
function toToolName(rawTool: string): ToolName {
  return TOOLS.get(rawTool) ?? (OWN.has(rawTool) ? undefined : toMcpName(rawTool)) ?? 'other';
}

/** `server_tool`: the end of the server's name is unknown. A tool of the project looks the same. */
function toMcpName(rawTool: string): ToolName | undefined {
  const [, server, tool] = /^([^_]+)_(.+)$/s.exec(rawTool) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}
