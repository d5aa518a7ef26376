/**
 * Cursor, VS Code, Copilot and Codex also run the hooks in Claude's settings. Their own adapters hear them; answering
 * here too would count every call twice.
 */
import type { Wire } from './wire.ts';

/** Keys that Claude Code never sends. */
const FOREIGN_KEYS = [
  'cursor_version',
  'conversation_id',
  'generation_id',
  'turn_id', // Codex
  'tool_result', // Copilot
] as const;

export function isForeignCaller(wire: Wire): boolean {
  if (FOREIGN_KEYS.some((key) => Object.hasOwn(wire, key))) return true;
  // VS Code, Gemini and Copilot put a time on every event; `prompt_id` is Claude Code's own.
  return Object.hasOwn(wire, 'timestamp') && !Object.hasOwn(wire, 'prompt_id');
}
