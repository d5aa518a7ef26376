/** What every way to read a session file is given and gives back. */
import type { AgentEvent } from '../base/event.ts';
import type { ReadPoint } from './feed-lines.ts';

export type OnEvents = (events: readonly AgentEvent[]) => void | Promise<void>;

export interface SessionRead {
  readonly from: ReadPoint;
  readonly to: ReadPoint;
  /** See `ScanState`. */
  readonly tail?: string | undefined;
  /** A call is under way, and its session may still live. */
  readonly isOpen: boolean;
  readonly bytes: number;
  readonly skipped: ReadonlyMap<string, number>;
}

export const START: ReadPoint = { offset: 0, lines: 0 };

/** Nobody has written for so long: a call that still waits was under way when its session died. */
export function isSilent(writtenMs: number): boolean {
  return Date.now() - writtenMs > 30 * 60_000;
}
