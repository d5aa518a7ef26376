/**
 * A call as a rollout tells it, with its input reduced to what lessons speak about. The JSON of shell calls and patches
 * is that which a hook is given, so that both sources tell the same input.
 */

import type { StartedCall, ToolInput } from '../../base/event.ts';
import { toJson } from '../to-json.ts';
import { findText, findWire, type Wire } from '../wire.ts';
import { parseWire } from './codex-wire.ts';
import { type Edit, parsePatch, toChangedEdit } from './parse-patch.ts';
import { toShellCommand } from './to-shell-command.ts';
import { toRawTool, toToolName } from './to-tool-name.ts';

/** `function_call`: the arguments are JSON in a text. */
export function toFunctionCall(payload: Wire, callId: string, name: string): StartedCall {
  const rawTool = toRawTool(name, findText(payload, 'namespace'));
  const text = findText(payload, 'arguments') ?? '';
  const wire = parseWire(text) ?? {};
  const tool = toToolName(rawTool);
  if (tool === 'shell') {
    const call = toShellCall(callId, rawTool, wire.cmd ?? wire.command ?? text);
    return { ...call, input: { ...call.input, more: text } };
  }
  if (tool === 'edit') return toPatchCall(callId, findText(wire, 'input') ?? findText(wire, 'patch') ?? text);
  const path = tool === 'read' ? findText(wire, 'file_path') : undefined;
  return { callId, tool, rawTool, input: { ...(path === undefined ? {} : { path }), json: text } };
}

/** `custom_tool_call`: the input is a text of the tool's own language. */
export function toCustomCall(payload: Wire, callId: string, name: string): StartedCall {
  const text = findText(payload, 'input') ?? '';
  if (toToolName(name) === 'edit') return toPatchCall(callId, text);
  const rawTool = toRawTool(name, findText(payload, 'namespace'));
  // `exec` is a script of the code mode; the commands in it are calls of their own.
  return { callId, tool: toToolName(rawTool), rawTool, input: { json: JSON.stringify({ input: text }) } };
}

export function toShellCall(callId: string, rawTool: string, command: unknown): StartedCall {
  const line = toShellCommand(command);
  const input: ToolInput =
    line === undefined ? { json: toJson(command) } : { command: line, json: toJson({ command: line }) };
  return { callId, tool: 'shell', rawTool, input };
}

export function toPlainCall(callId: string, rawTool: string, input: unknown): StartedCall {
  return { callId, tool: toToolName(rawTool), rawTool, input: { json: toJson(input) } };
}

/** The call that an item or a legacy event tells the end of, as far as it says. */
export function findEndedCall(kind: string, wire: Wire, callId: string): StartedCall | undefined {
  switch (kind) {
    case 'CommandExecution':
    case 'exec_command_end':
      return toShellCall(callId, 'exec_command', wire.command);
    case 'FileChange':
    case 'patch_apply_end':
      return toEditCall(callId, toChangedEdit(findWire(wire, 'changes') ?? {}), toJson(wire.changes));
    case 'McpToolCall':
      return toMcpCall(callId, wire);
    case 'mcp_tool_call_end':
      return toMcpCall(callId, findWire(wire, 'invocation') ?? {});
    case 'ImageView':
      return toPlainCall(callId, 'view_image', { path: wire.path });
    case 'CollabAgentToolCall':
      return toPlainCall(callId, findText(wire, 'tool') ?? 'agent', { message: wire.prompt });
    default: {
      const tool = findText(wire, 'tool');
      return tool === undefined ? undefined : toPlainCall(callId, tool, wire.arguments);
    }
  }
}

function toMcpCall(callId: string, wire: Wire): StartedCall | undefined {
  const [server, tool] = [findText(wire, 'server'), findText(wire, 'tool')];
  if (server === undefined || tool === undefined) return undefined;
  return toPlainCall(callId, `mcp__${server}__${tool}`, wire.arguments);
}

function toPatchCall(callId: string, patch: string): StartedCall {
  return toEditCall(callId, parsePatch(patch), toJson({ command: patch }));
}

function toEditCall(callId: string, edit: Edit, json: string): StartedCall {
  return { callId, tool: 'edit', rawTool: 'apply_patch', input: { ...edit, json } };
}
