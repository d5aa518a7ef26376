/**
 * The shapes that all readers of session files share: the listener for events, the result of a read, the batch, which
 * limits how many events a slow listener gets at once, and the filter for sessions that are our own questions.
 */

import type { AgentEvent } from '../../base/model/event.ts';
import { PACK_MARKER } from '../../base/model/pack.ts';
import type { ReadPoint } from './read-lines.ts';

export type OnEvents = (events: readonly AgentEvent[]) => void | Promise<void>;

export interface SessionRead {
  readonly from: ReadPoint;
  readonly to: ReadPoint;
  /** See `ScanState`. */
  readonly tail?: string | undefined;
  /** A call is running, and its session may still be alive. */
  readonly isOpen: boolean;
  readonly bytes: number;
  readonly skipped: ReadonlyMap<string, number>;
}

export const FILE_START: ReadPoint = { offset: 0, lines: 0 };

/** Has nobody written for so long that a waiting call must have been running when its session died? */
export function isSilent(writtenMs: number): boolean {
  return Date.now() - writtenMs > 30 * 60_000;
}

const BATCH = 256;

export interface Batch {
  add(events: readonly AgentEvent[]): void;
  /** The reader must wait for `flush` before it continues. */
  readonly isFull: boolean;
  flush(): Promise<void>;
}

/** Collects events for a listener that may be slow: it is called less often, and never with too many at once. */
export function openBatch(onEvents: OnEvents): Batch {
  let waiting: AgentEvent[] = [];
  return {
    add(events) {
      for (const event of events) waiting.push(event);
    },
    get isFull() {
      return waiting.length >= BATCH;
    },
    async flush() {
      const events = waiting;
      waiting = [];
      if (events.length > 0) await onEvents(events);
    },
  };
}

const PACK_START = `<!-- ${PACK_MARKER}`;

interface OwnSessions {
  readonly take: OnEvents;
  /** A session of ours was left out. */
  readonly found: boolean;
}

/**
 * Leaves out sessions in which we asked an agent's model about a pack: their first prompt begins with the marker. The
 * agent may keep such a session, although nobody worked in it. `isBegun`: the beginning was read before.
 */
export function openOwnSessions(onEvents: OnEvents, isBegun: boolean): OwnSessions {
  const begun = new Set<string>();
  const own = new Set<string>();
  return {
    get found() {
      return own.size > 0;
    },
    take(events) {
      if (isBegun) return onEvents(events);
      for (const event of events) {
        if (event.kind !== 'prompted' || event.contextId !== '' || begun.has(event.sessionId)) continue;
        begun.add(event.sessionId);
        if (event.text.trimStart().startsWith(PACK_START)) own.add(event.sessionId);
      }
      const others = own.size === 0 ? events : events.filter(({ sessionId }) => !own.has(sessionId));
      return others.length === 0 ? undefined : onEvents(others);
    },
  };
}
