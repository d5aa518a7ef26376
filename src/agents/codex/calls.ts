/**
 * Converts a call in a Codex rollout to a started call: canonical tool name, command line, folder, and the path and
 * text of a patch. The JSON of shell calls and patches equals the JSON that a hook receives, so that both sources
 * report the same input.
 */

import type { StartedCall, ToolInput } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent, parseRecord } from '../../base/records.ts';
import { MCP_NAME, PATCHED_FILE, type ToolFacts, toCanonicalTool } from '../calls.ts';
import { findText, findTexts, findWire, toJson, type Wire } from '../wire.ts';

/** `function_call`: the arguments are JSON in a text. */
export function toFunctionCall(payload: Wire, callId: string, name: string): StartedCall {
  const rawTool = toRawTool(name, findText(payload, 'namespace'));
  const text = findText(payload, 'arguments') ?? '';
  const wire = parseRecord(text) ?? {};
  const tool = toToolName(rawTool);
  if (tool === 'shell') {
    const call = toShellCall(callId, rawTool, wire.cmd ?? wire.command ?? text);
    return { ...call, input: { ...call.input, more: text } };
  }
  if (tool === 'edit') return toPatchCall(callId, findText(wire, 'input') ?? findText(wire, 'patch') ?? text);
  const path = tool === 'read' ? findText(wire, 'file_path') : undefined;
  return { callId, tool, rawTool, input: dropAbsent({ path, json: text }) };
}

/** `custom_tool_call`: the input is a text in the tool's own language. */
export function toCustomCall(payload: Wire, callId: string, name: string): StartedCall {
  const text = findText(payload, 'input') ?? '';
  if (toToolName(name) === 'edit') return toPatchCall(callId, text);
  const rawTool = toRawTool(name, findText(payload, 'namespace'));
  // `exec` is a script of the code mode; its commands become calls of their own.
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

/** The call whose end an item or a legacy event reports, as far as it describes the call. */
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
  const names = findTexts(wire, 'server', 'tool');
  return names && toPlainCall(callId, `mcp__${names.server}__${names.tool}`, wire.arguments);
}

export function toPatchCall(callId: string, patch: string): StartedCall {
  return toEditCall(callId, parsePatch(patch), toJson({ command: patch }));
}

function toEditCall(callId: string, edit: Edit, json: string): StartedCall {
  return { callId, tool: 'edit', rawTool: 'apply_patch', input: { ...edit, json } };
}

/** Codex has no tools to read and search; it uses the shell. Hooks call `exec_command` Bash. */
export function toToolName(rawTool: string): ToolName {
  return toCanonicalTool(TOOL_FACTS, rawTool);
}

const TOOL_FACTS: ToolFacts = {
  tools: {
    shell: 'Bash exec_command shell shell_command local_shell container.exec',
    edit: 'apply_patch',
    task: 'spawn_agent',
    web: 'web_search',
    read: 'read_file',
    glob: 'list_dir',
    grep: 'grep_files',
  },
  mcp: MCP_NAME,
};

/** The name in a hook's payload: a tool of a server is in the server's namespace. */
function toRawTool(name: string, namespace: string | undefined): string {
  if (namespace === undefined || !namespace.startsWith('mcp__')) return name;
  return `${namespace.replace(/_+$/, '')}__${name}`;
}

/** The command line of a shell call in any of Codex's forms: a text, or a program and its arguments. */
const SCRIPT_FLAG = /^-(?:l?i?c|Command)$/;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

function toShellCommand(command: unknown): string | undefined {
  if (typeof command === 'string') return command || undefined;
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === 'string');
  const [, flag, script] = words;
  if (words.length === 3 && flag !== undefined && SCRIPT_FLAG.test(flag)) return script || undefined;
  return words.map(quote).join(' ') || undefined;
}

function quote(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The folder of a call, in any of Codex's forms. */
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:[/\\])/;

/** `workdir` of a command may be relative to the folder of the turn. */
export function toCwd(workdir: string | undefined, turnCwd: string | undefined): string | undefined {
  if (workdir === undefined || workdir === '.') return turnCwd;
  if (workdir.startsWith('file://')) return toFilePath(workdir) ?? turnCwd;
  if (ABSOLUTE.test(workdir)) return workdir;
  return turnCwd === undefined ? undefined : `${turnCwd}/${workdir}`;
}

function toFilePath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.slice('file://'.length));
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}

interface Edit {
  /** The first file. */
  readonly path?: string;
  /** The new text of all files. */
  readonly content?: string;
}

/** Parses a patch in Codex's own format, or the changes that it made. */
function parsePatch(patch: string): Edit {
  const path = PATCHED_FILE.exec(patch)?.[1]?.trim();
  return toEdit(path, toAdded(patch));
}

/** `{path: {type: add, content} | {type: update, unified_diff}}`. */
function toChangedEdit(changes: Wire): Edit {
  const paths = Object.keys(changes);
  const texts = paths.map((path) => {
    const change = findWire(changes, path) ?? {};
    return findText(change, 'content') ?? toAdded(findText(change, 'unified_diff') ?? '');
  });
  return toEdit(paths[0], texts.filter((text) => text !== '').join('\n'));
}

function toEdit(path: string | undefined, content: string): Edit {
  return dropAbsent({ path: path || undefined, content: content || undefined });
}

function toAdded(diff: string): string {
  return diff
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++ '))
    .map((line) => line.slice(1))
    .join('\n');
}
