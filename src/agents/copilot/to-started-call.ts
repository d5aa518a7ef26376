/** A call as Copilot CLI logs its start, with its input reduced to what lessons speak about. */
import type { StartedCall, ToolInput } from '../../base/event.ts';
import type { ToolName } from '../../base/tool.ts';
import { makeToolInput } from '../make-tool-input.ts';
import { toJson } from '../to-json.ts';
import { findText, isWire, type Wire } from '../wire.ts';
import { toToolName } from './to-tool-name.ts';

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
  const wire: Wire = isWire(input) ? input : typeof input === 'string' ? { input } : {};
  const patch = tool === 'edit' ? findText(wire, 'input') : undefined;
  const command = findText(wire, 'command');
  const path = findText(wire, 'path') ?? PATCHED_FILE.exec(patch ?? '')?.[1];
  const content = findContent(wire, patch);
  return makeToolInput(tool, { command, path, content }, toJson(input));
}

function findContent(wire: Wire, patch: string | undefined): string | undefined {
  return findText(wire, 'new_str') ?? findText(wire, 'file_text') ?? patch;
}
