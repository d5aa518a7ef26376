/**
 * Builds the tool input and shortens the long texts of a call, for the hooks and transcripts of every agent. The tool
 * input has only the fields that lessons can match for that tool: command, path or content. A long text keeps its head
 * and its tail, because errors are at one of the ends, and it is cut between words, because redaction runs later and
 * does not recognize half a secret.
 */

import type { ToolInput } from '../base/model/event.ts';
import type { ToolName } from '../base/model/tool.ts';

interface InputParts {
  readonly command?: string | undefined;
  readonly path?: string | undefined;
  readonly content?: string | undefined;
}

export function makeToolInput(tool: ToolName, { command, path, content }: InputParts, json: string): ToolInput {
  const isWriting = tool === 'edit' || tool === 'write';
  return {
    ...(command !== undefined && tool === 'shell' ? { command } : {}),
    ...(path !== undefined && (isWriting || tool === 'read') ? { path } : {}),
    ...(content !== undefined && isWriting ? { content } : {}),
    json,
  };
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
