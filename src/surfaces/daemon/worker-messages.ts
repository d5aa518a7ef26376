/** What the daemon's two threads tell each other. Messages are taken in order. */
import type { AgentEvent } from '../../base/event.ts';
import type { Fact } from '../../base/fact.ts';

export type WorkerMessage =
  | { readonly kind: 'event'; readonly event: AgentEvent; readonly facts: readonly Fact[] }
  /** Everything of this journal segment was told before: once it is stored, the segment goes. */
  | { readonly kind: 'segment'; readonly name: string }
  /** See what waits in the spool. */
  | { readonly kind: 'drain' }
  /** Answered with the same number once everything before it is done. */
  | { readonly kind: 'flush'; readonly number: number }
  | { readonly kind: 'stop' };

export type MainMessage =
  | { readonly kind: 'flushed'; readonly number: number }
  | { readonly kind: 'log'; readonly line: string };

export interface WorkerOptions {
  readonly dataDir: string;
  /** Journal segments that were on disk when the worker was started: nobody will tell it what is in them. */
  readonly leftovers: readonly string[];
}
