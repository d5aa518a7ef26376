/**
 * Calls as agents write them: the canonical name of the tool, the input fields that lessons can match, and long texts
 * shortened. The names and keys that differ between agents are data (`CallFacts`).
 */

import type { StartedCall, ToolInput } from '../base/model/event.ts';
import { TOOL_NAMES, type ToolName } from '../base/model/tool.ts';
import { dropAbsent, isRecord } from '../base/records.ts';
import { isListed } from '../base/shell/programs/find-program.ts';
import { findText, toJson, toWires, type Wire } from './wire.ts';

/** The agent's names of its tools. */
export interface ToolFacts {
  /** By our name of the tool, separated by blanks. Any other name is that of an MCP server's tool, or `other`. */
  readonly tools: Readonly<Partial<Record<(typeof TOOL_NAMES)[number], string>>>;
  /** Finds the groups `server` and `tool` in the name of an MCP server's tool. */
  readonly mcp?: RegExp;
}

export interface CallFacts extends ToolFacts {
  /** Keys of a tool's input; the first one present counts. */
  readonly pathKeys: readonly string[];
  /** The same for the new text. The first key is also that of each edit in a list of edits. */
  readonly contentKeys: readonly string[];
  /** The key of a patch. Its first file is the path, if no other key names one. */
  readonly patchKey?: string;
  /** Renders the whole input. Absent: as it is. */
  readonly renderInput?: (input: unknown) => string;
}

/** `mcp__server__tool`; everything after the second double underscore is the tool. */
export const MCP_NAME = /^mcp__(?<server>.+?)__(?<tool>.+)$/;
/** The file in a patch of the format that Codex introduced. */
export const PATCHED_FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m;

export function toStartedCall(facts: CallFacts, rawTool: string, input: unknown, callId: string): StartedCall {
  const tool = toCanonicalTool(facts, rawTool);
  return { callId, tool, rawTool, input: toToolInput(facts, tool, input) };
}

export function toCanonicalTool({ tools, mcp }: ToolFacts, rawTool: string): ToolName {
  const own = TOOL_NAMES.find((tool) => isListed(rawTool, tools[tool]));
  return own ?? (mcp && findMcpTool(mcp, rawTool)) ?? 'other';
}

export function findMcpTool(name: RegExp, text: string): ToolName | undefined {
  const { server, tool } = name.exec(text)?.groups ?? {};
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}

/** Only the fields that lessons can match for that tool: command, path or content. */
export function toToolInput(facts: CallFacts, tool: ToolName, input: unknown): ToolInput {
  const { pathKeys, contentKeys, patchKey = '', renderInput = toJson } = facts;
  // A patch can be the whole input.
  const wire: Wire = isRecord(input) ? input : { [patchKey]: input };
  const isWriting = tool === 'edit' || tool === 'write';
  const patch = findText(wire, patchKey) ?? '';
  return dropAbsent({
    command: tool === 'shell' ? findText(wire, 'command') : undefined,
    path:
      isWriting || tool === 'read' ? (findFirst(wire, pathKeys) ?? PATCHED_FILE.exec(patch)?.[1]?.trim()) : undefined,
    content: isWriting ? (findEdits(wire, contentKeys[0]) ?? findFirst(wire, contentKeys)) : undefined,
    json: renderInput(input),
  });
}

function findFirst(wire: Wire, keys: readonly string[]): string | undefined {
  return keys.map((key) => findText(wire, key)).find((text) => text !== undefined);
}

function findEdits(wire: Wire, key = ''): string | undefined {
  const edits = toWires(wire.edits).map((edit) => findText(edit, key) ?? '');
  return edits.length === 0 ? undefined : edits.join('\n');
}

export const TEXT_WINDOW_CHARS = 16 * 1024;

const CUT_MARK = '\n[…]\n';
/** How far a cut may move to find the end of a line or a word. */
const SLACK = 2048;
const EDGES = ['\n', ' ', '"', ','];

/**
 * Shortens a long text to its head and its tail, because errors are at one of the ends. Cuts between words, because
 * redaction runs later and does not recognize half a secret.
 */
export function cutText(text: string, max: number = TEXT_WINDOW_CHARS): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - CUT_MARK.length) / 2);
  return text.slice(0, toHeadEnd(text, half)) + CUT_MARK + text.slice(toTailStart(text, text.length - half));
}

function toHeadEnd(text: string, at: number): number {
  for (const edge of EDGES) {
    const found = text.lastIndexOf(edge, at);
    if (found > at - Math.min(SLACK, at / 2)) return found;
  }
  // A single endless word, like an encoded file, is dropped, because half of it is useless and may be half a secret.
  return Math.max(0, ...EDGES.map((edge) => text.lastIndexOf(edge, at)));
}

function toTailStart(text: string, at: number): number {
  const slack = Math.min(SLACK, (text.length - at) / 2);
  for (const edge of EDGES) {
    const found = text.indexOf(edge, at);
    if (found !== -1 && found < at + slack) return found + 1;
  }
  const later = EDGES.map((edge) => text.indexOf(edge, at)).filter((found) => found !== -1);
  return Math.min(text.length, ...later.map((found) => found + 1));
}
