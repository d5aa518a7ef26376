/** Whether a row in the user's name says that they stopped the agent. */
import type { RowWire } from './claude-wire.ts';

const SENTENCE = /^\[Request interrupted by user(?: for tool use)?\]$/;

export function isInterruption(row: RowWire, text: string): boolean {
  return row.type === 'user' && row.interruptedByShutdown !== true && SENTENCE.test(text.trim());
}
