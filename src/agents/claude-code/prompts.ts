/**
 * Finds the prompts that a person typed, in transcript rows and hook payloads. Claude Code also writes to the model in
 * the user's name (task notifications, slash commands, reminders), and these texts are not prompts.
 */

import { findText, findWire, toBlocksText, type Wire } from '../wire.ts';
import type { RowWire } from './wire.ts';

export function findPrompt(row: RowWire): string | undefined {
  const text = row.type === 'attachment' ? findQueued(row) : findTyped(row);
  return text !== undefined && isHumanPrompt(text) ? text : undefined;
}

/** Text in the user's name, whoever wrote it. */
export function findTurnText(row: RowWire): string | undefined {
  if (row.type === 'attachment') return findText(findWire(row, 'attachment') ?? {}, 'prompt');
  return toContentText(findWire(row, 'message')?.content);
}

function findTyped(row: RowWire): string | undefined {
  if (row.isMeta === true || row.isCompactSummary === true || row.isSidechain === true) return undefined;
  if (row.toolUseResult !== undefined || !isByHuman(row)) return undefined;
  return toContentText(findWire(row, 'message')?.content);
}

function toContentText(content: unknown): string {
  return typeof content === 'string' ? content : toBlocksText(content);
}

/** Typed while the agent was working. */
function findQueued(row: RowWire): string | undefined {
  const queued = findWire(row, 'attachment');
  if (queued?.type !== 'queued_command' || !isByHuman(queued)) return undefined;
  return (queued.commandMode ?? 'prompt') === 'prompt' ? findText(queued, 'prompt') : undefined;
}

function isByHuman(wire: Wire): boolean {
  const origin = findWire(wire, 'origin');
  return origin === undefined || origin.kind === 'human';
}

/** Task notifications, slash commands, shell escapes and reminders come in tags. */
const HARNESS_TEXT = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user|Operation stopped by hook)/;

/** Values of `source` of UserPromptSubmit that do not stand for a person. */
const HARNESS_SOURCES = new Set(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event']);

export function isHumanPrompt(text: string, source?: string): boolean {
  return text.trim() !== '' && !HARNESS_TEXT.test(text) && !(source !== undefined && HARNESS_SOURCES.has(source));
}
