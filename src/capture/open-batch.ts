/** Events on their way to a listener that may be slow: it is not asked for every one, and never gets too many at once. */
import type { AgentEvent } from '../base/event.ts';
import type { OnEvents } from './session-read.ts';

const BATCH = 256;

export interface Batch {
  add(events: readonly AgentEvent[]): void;
  /** Then the reader has to wait for `flush` before it goes on. */
  readonly isFull: boolean;
  flush(): Promise<void>;
}

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
