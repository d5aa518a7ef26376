/** A call as OpenCode tells it (hook or history) with its input reduced to what lessons speak about. */
import type { StartedCall, ToolInput } from '../../base/event.ts';
import type { ToolName } from '../../base/tool.ts';
import { makeToolInput } from '../make-tool-input.ts';
import { toJson } from '../to-json.ts';
import { findText, isWire, toWires, type Wire } from '../wire.ts';
import { toToolName } from './to-tool-name.ts';

export function toStartedCall(rawTool: string, input: unknown, callId: string): StartedCall {
  const tool = toToolName(rawTool);
  return { callId, tool, rawTool, input: toInput(tool, input) };
}

function toInput(tool: ToolName, input: unknown): ToolInput {
  const wire: Wire = isWire(input) ? input : {};
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
