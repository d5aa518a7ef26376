/**
 * Recognizes which agent runs a hook of Claude's settings, by the keys of the payload. Cursor, VS Code and Copilot run
 * these hooks too, Codex runs the hooks of Claude's plugins, and their events must never count as Claude Code's. The
 * first matching row of the table decides.
 */

import { findText, type Wire } from '../wire.ts';
import { facts } from './facts.ts';

interface Fingerprint {
  readonly agent: string;
  /** Keys that must all be present, with any value. */
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  readonly transcript?: RegExp;
}

const FINGERPRINTS: readonly Fingerprint[] = [
  { agent: 'cursor', has: ['cursor_version'] },
  { agent: 'cursor', has: ['conversation_id'] },
  { agent: 'cursor', has: ['generation_id'] },
  { agent: 'codex', transcript: /[\\/]rollout-[^\\/]+\.jsonl(\.zst)?$/ },
  { agent: 'gemini-cli', transcript: /[\\/]chats[\\/]session-[^\\/]+\.jsonl$/ },
  { agent: 'copilot', has: ['tool_result'] },
  { agent: 'copilot', transcript: /[\\/]session-state[\\/].*events\.jsonl$/ },
  { agent: facts.id, has: ['prompt_id'] },
  { agent: facts.id, transcript: /[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/ },
  // Claude Code also names the turn, but only with a message that it displays.
  { agent: 'codex', has: ['turn_id'], lacks: ['message_id'] },
  // Both put a time on every event, unlike Claude Code; Copilot gives calls no id and no transcript.
  { agent: 'copilot', has: ['timestamp'], lacks: ['transcript_path', 'tool_use_id'] },
  { agent: 'vscode', has: ['timestamp'] },
];

/** Without any mark it is Claude Code, because these are its settings. */
export function toCallerId(wire: Wire): string {
  return FINGERPRINTS.find((row) => holds(row, wire))?.agent ?? facts.id;
}

function holds({ has = [], lacks = [], transcript }: Fingerprint, wire: Wire): boolean {
  if (transcript !== undefined && !transcript.test(findText(wire, 'transcript_path') ?? '')) return false;
  return has.every((key) => Object.hasOwn(wire, key)) && !lacks.some((key) => Object.hasOwn(wire, key));
}

/** Does the payload come from another agent that runs Claude's hooks? It must never count as Claude Code's. */
export function isForeignCaller(wire: Wire): boolean {
  return toCallerId(wire) !== facts.id;
}
