/** Messages between the daemon's two threads, handled in order. */
import type { AgentEvent } from '../../base/model/event.ts';
import type { Fact } from '../../base/model/fact.ts';
import type { Knowledge } from '../../base/model/knowledge.ts';
import type { Trouble } from '../../loop/home/trouble.ts';
import type { ScanStatus } from '../../loop/scan/scan-counts.ts';

export interface ToldEvent {
  readonly event: AgentEvent;
  /** What was said: the other facts are told by the event itself. */
  readonly facts: readonly Fact[];
}

export type WorkerMessage =
  | { readonly kind: 'events'; readonly told: readonly ToldEvent[] }
  /** All events of this journal segment were sent; it is removed once they are stored. */
  | { readonly kind: 'segment'; readonly name: string }
  /** See what waits in the spool. */
  | { readonly kind: 'drain' }
  /** See what changed in the lesson files of repositories. */
  | { readonly kind: 'look' }
  /** Answered with the same number once everything before it is done. */
  | { readonly kind: 'flush'; readonly number: number }
  | { readonly kind: 'stop' };

export type MainMessage =
  /** The store is open and the worker takes events. */
  | { readonly kind: 'ready' }
  /** So many events are done with. */
  | { readonly kind: 'taken'; readonly events: number }
  | { readonly kind: 'flushed'; readonly number: number; readonly all: boolean }
  | { readonly kind: 'trouble'; readonly topic: Trouble['topic']; readonly text: string; readonly next: string }
  | { readonly kind: 'fine'; readonly topic: Trouble['topic'] }
  /** What the store knows for the main thread, in place of what was sent before. */
  | { readonly kind: 'knowledge'; readonly knowledge: Knowledge }
  /** Status of its own scans. */
  | { readonly kind: 'scan'; readonly status: ScanStatus }
  | { readonly kind: 'log'; readonly line: string };

export interface WorkerOptions {
  readonly dataDir: string;
  /** Journal segments that were on disk when the worker was started: nobody will tell it what is in them. */
  readonly leftovers: readonly string[];
  /** False when workers died of it. */
  readonly mayScan: boolean;
}
