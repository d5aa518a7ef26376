/** A call as Gemini CLI records it, with its input reduced to what lessons speak about. */
import type { StartedCall, ToolInput } from '../../base/event.ts';
import type { ToolName } from '../../base/tool.ts';
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
  const command = tool === 'shell' ? findText(wire, 'command') : undefined;
  const path = isFileTool(tool) ? (findText(wire, 'file_path') ?? findText(wire, 'absolute_path')) : undefined;
  const content =
    tool === 'edit' ? findText(wire, 'new_string') : tool === 'write' ? findText(wire, 'content') : undefined;
  return {
    ...(command === undefined ? {} : { command }),
    ...(path === undefined ? {} : { path }),
    ...(content === undefined ? {} : { content }),
    json: toJson(input),
  };
}

function isFileTool(tool: ToolName): boolean {
  return tool === 'read' || tool === 'edit' || tool === 'write';
}

/** Throws for nothing: an input nested deeper than the stack is as good as none. */
function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return '';
  }
}
