/**
 * Converts a call of Claude Code (from a hook, a batch or a transcript) to a started call: canonical tool name, and the
 * input fields that lessons can match. Hooks and transcripts write the same input differently, so its JSON is
 * normalized to the same text for both.
 */

import type { StartedCall, ToolInput } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { isRecord } from '../../base/records.ts';
import { makeToolInput } from '../call-texts.ts';
import { findText, toWires, type Wire } from '../wire.ts';

export function toStartedCall(rawTool: string, input: unknown, callId: string): StartedCall {
  const tool = toToolName(rawTool);
  return { callId, tool, rawTool, input: toInput(tool, input) };
}

function toInput(tool: ToolName, input: unknown): ToolInput {
  const wire: Wire = isRecord(input) ? input : {};
  const command = findText(wire, 'command');
  const path = findText(wire, 'file_path') ?? findText(wire, 'notebook_path');
  const content = findContent(wire);
  return makeToolInput(tool, { command, path, content }, toJson(input));
}

function findContent(wire: Wire): string | undefined {
  const edits = toWires(wire.edits).map((edit) => findText(edit, 'new_string') ?? '');
  if (edits.length > 0) return edits.join('\n');
  return findText(wire, 'new_string') ?? findText(wire, 'new_source') ?? findText(wire, 'content');
}

/**
 * Renders the same input as the same text, whatever its source: hooks contain it as the tool understood it, reordered
 * and with defaults, a transcript as the model wrote it. Never throws: an input nested too deeply for the stack counts
 * as empty.
 */
function toJson(input: unknown): string {
  try {
    const isFlat = isRecord(input) && Object.values(input).every((value) => typeof value !== 'object');
    return (isFlat ? JSON.stringify(input, toKeys(input)) : JSON.stringify(input, toPlain)) ?? '';
  } catch {
    return '';
  }
}

const GRANTED: Readonly<Record<string, unknown>> = { replace_all: false };

function toKeys(wire: Wire): string[] {
  const keys = Object.keys(wire).filter((key) => !Object.hasOwn(GRANTED, key) || GRANTED[key] !== wire[key]);
  return keys.sort();
}

function toPlain(_key: string, value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(toKeys(value).map((key) => [key, value[key]])) : value;
}

const TOOLS = new Map<string, ToolName>([
  ['Bash', 'shell'],
  ['PowerShell', 'shell'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Write', 'write'],
  ['Read', 'read'],
  ['Glob', 'glob'],
  ['Grep', 'grep'],
  ['Agent', 'task'],
  ['Task', 'task'],
  ['WebFetch', 'web'],
  ['WebSearch', 'web'],
]);

/** Maps Claude Code's tool names to our canonical ones. */
export function toToolName(rawTool: string): ToolName {
  return TOOLS.get(rawTool) ?? toMcpName(rawTool) ?? 'other';
}

/** `mcp__server__tool`; everything after the second double underscore is the tool. */
function toMcpName(rawTool: string): ToolName | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(rawTool) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}
