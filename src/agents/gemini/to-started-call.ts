/** A call as Gemini CLI records it, with its input reduced to what lessons speak about. */
import type { StartedCall, ToolInput } from '../../base/event.ts';
import type { ToolName } from '../../base/tool.ts';
import { makeToolInput } from '../make-tool-input.ts';
import { toJson } from '../to-json.ts';
import { findText, isWire, type Wire } from '../wire.ts';
import { toToolName } from './to-tool-name.ts';

/** Undefined for a record without an id or a tool. */
export function findStartedCall(record: Wire): StartedCall | undefined {
  const callId = findText(record, 'id');
  const rawTool = findText(record, 'name');
  if (callId === undefined || rawTool === undefined) return undefined;
  const tool = toToolName(rawTool, findText(record, 'displayName'));
  return { callId, tool, rawTool, input: toInput(tool, record.args) };
}

function toInput(tool: ToolName, input: unknown): ToolInput {
  const wire: Wire = isWire(input) ? input : {};
  const command = findText(wire, 'command');
  const path = findText(wire, 'file_path') ?? findText(wire, 'absolute_path');
  const content =
    tool === 'edit' ? findText(wire, 'new_string') : tool === 'write' ? findText(wire, 'content') : undefined;
  return makeToolInput(tool, { command, path, content }, toJson(input));
}
