/** A call as Copilot CLI logs its start, with its input reduced to what lessons speak about. */
import type { StartedCall, ToolInput } from '../../base/event.ts';
import type { ToolName } from '../../base/tool.ts';
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
  const command = tool === 'shell' ? findText(wire, 'command') : undefined;
  const path = isFileTool(tool) ? (findText(wire, 'path') ?? PATCHED_FILE.exec(patch ?? '')?.[1]) : undefined;
  const content = tool === 'edit' || tool === 'write' ? findContent(wire, patch) : undefined;
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

function findContent(wire: Wire, patch: string | undefined): string | undefined {
  return findText(wire, 'new_str') ?? findText(wire, 'file_text') ?? patch;
}

/** Throws for nothing: an input nested deeper than the stack is as good as none. */
function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return '';
  }
}
