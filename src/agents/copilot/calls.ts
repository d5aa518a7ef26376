/**
 * Converts the start of a call in Copilot CLI's log to a started call: canonical tool name, and the input fields that
 * lessons can match. The table has Copilot CLI's own tool names; its hooks may use Claude's.
 */

import type { StartedCall, ToolInput } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { isRecord } from '../../base/records.ts';
import { makeToolInput } from '../call-texts.ts';
import { findText, toJson, type Wire } from '../wire.ts';

/** Undefined for a start without an id or a tool. */
export function findStartedCall(data: Wire): StartedCall | undefined {
  const callId = findText(data, 'toolCallId');
  const rawTool = findText(data, 'toolName');
  if (callId === undefined || rawTool === undefined) return undefined;
  const tool = toToolName(rawTool, findText(data, 'mcpServerName'), findText(data, 'mcpToolName'));
  return { callId, tool, rawTool, input: toInput(tool, data.arguments) };
}

const PATCHED_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m;

function toInput(tool: ToolName, input: unknown): ToolInput {
  // A patch can be the whole input.
  const wire: Wire = isRecord(input) ? input : typeof input === 'string' ? { input } : {};
  const patch = tool === 'edit' ? findText(wire, 'input') : undefined;
  const command = findText(wire, 'command');
  const path = findText(wire, 'path') ?? PATCHED_FILE.exec(patch ?? '')?.[1];
  const content = findContent(wire, patch);
  return makeToolInput(tool, { command, path, content }, toJson(input));
}

function findContent(wire: Wire, patch: string | undefined): string | undefined {
  return findText(wire, 'new_str') ?? findText(wire, 'file_text') ?? patch;
}

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

/**
 * Maps Copilot CLI's own tool names to our canonical ones. (Its hooks may use Claude's: see `guest.ts`.) The tool of a
 * server comes with both names separately.
 */
export function toToolName(rawTool: string, server?: string, serverTool?: string): ToolName {
  if (server !== undefined) return `mcp:${server}/${serverTool ?? rawTool}`;
  return TOOLS.get(rawTool) ?? 'other';
}
