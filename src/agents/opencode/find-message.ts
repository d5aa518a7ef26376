/** A message of a session: what its parts are read by. */
import { findNumber, findWire, type Wire } from '../wire.ts';
import type { SessionFacts } from './find-origin.ts';

export interface Message {
  readonly wire: Wire;
  readonly isUser: boolean;
  /** A fork begins with copies of the messages before it: they are told where they were written. */
  readonly isCopy: boolean;
  /** The words by which a compacted conversation goes on. */
  readonly isSummary: boolean;
  readonly createdMs: number | undefined;
  readonly endedMs: number | undefined;
}

/** Undefined for a role we do not know. */
export function findMessage(wire: Wire, session: SessionFacts): Message | undefined {
  if (wire.role !== 'user' && wire.role !== 'assistant') return undefined;
  const time = findWire(wire, 'time') ?? {};
  const createdMs = findNumber(time, 'created');
  return {
    wire,
    isUser: wire.role === 'user',
    isCopy: createdMs !== undefined && session.createdMs !== undefined && createdMs < session.createdMs,
    isSummary: wire.summary === true,
    createdMs,
    endedMs: findNumber(time, 'completed'),
  };
}
