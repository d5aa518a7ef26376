/** The wire shapes of Codex, as far as we read them. Every field may be missing: it is other people's software. */

import { findNumber, findText, findWire, type Wire } from '../wire.ts';

/** One line of a rollout. */
export interface RowWire {
  /** `response_item/function_call`, `event_msg/item_completed/CommandExecution`, `turn_context` … */
  readonly kind: string;
  readonly at: string | undefined;
  /** The position in the thread, if its history is paginated. */
  readonly ordinal: number | undefined;
  readonly payload: Wire;
}

export function findRow(row: Wire): RowWire | undefined {
  const type = findText(row, 'type');
  if (type === undefined) return undefined;
  const payload = findWire(row, 'payload') ?? {};
  return { kind: toKind(type, payload), at: findText(row, 'timestamp'), ordinal: findNumber(row, 'ordinal'), payload };
}

function toKind(type: string, payload: Wire): string {
  if (type !== 'response_item' && type !== 'event_msg') return type;
  const name = findText(payload, 'type') ?? '?';
  if (name !== 'item_completed') return `${type}/${name}`;
  return `${type}/${name}/${findText(findWire(payload, 'item') ?? {}, 'type') ?? '?'}`;
}

/** `{secs, nanos}`. */
export function findDurationMs(wire: Wire): number | undefined {
  const duration = findWire(wire, 'duration');
  const secs = findNumber(duration ?? {}, 'secs');
  if (secs === undefined) return undefined;
  return Math.round(secs * 1000 + (findNumber(duration ?? {}, 'nanos') ?? 0) / 1_000_000);
}
