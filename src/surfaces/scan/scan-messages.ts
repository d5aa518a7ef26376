/** What the thread that scans and those that read for it tell each other. */
import type { ScanState } from '../../base/scan-state.ts';
import type { TranscriptRead } from '../../capture/read-transcript-file.ts';
import type { Digest } from '../loop/digest-events.ts';

export interface ReadTask {
  readonly agent: string;
  readonly path: string;
  /** How far it was read. */
  readonly previous?: ScanState | undefined;
}

export type ReadResult =
  /** Some of a file. */
  | { readonly kind: 'part'; readonly digest: Digest }
  /** All of it was told. */
  | { readonly kind: 'done'; readonly read: TranscriptRead }
  | { readonly kind: 'failed'; readonly reason: string };

/** Some results in their order, parts as JSON: a text is copied from thread to thread faster than objects are. */
export type FromReader = readonly (string | ReadResult)[];

export type ToReader =
  | { readonly kind: 'read'; readonly task: ReadTask }
  /** A message was taken in: another may be sent. */
  | { readonly kind: 'taken' };

export interface ReaderOptions {
  readonly trackedTools: readonly string[];
  readonly detectorPlugins: readonly string[];
}
