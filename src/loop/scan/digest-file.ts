/**
 * Digests one session file without using the store, and defines the messages between the scanning thread and its reader
 * threads. Outputs are dropped once the detectors have seen them, because they are not stored and need not go from
 * thread to thread.
 */

import { findHistory } from '../../agents/histories.ts';
import { toReason } from '../../base/errors.ts';
import type { DetectorSettings } from '../../base/model/settings.ts';
import type { ScanState } from '../../base/storage/scan-state.ts';
import { readTranscriptFile, type TranscriptRead } from '../../capture/transcripts/read-transcript.ts';
import { type Digest, type Digester, type Found, mapCalls } from '../digest-events.ts';

/** Ends with `done` or `failed`. `onResult` is awaited, so that a slow store slows the reading. */
export async function digestFile(
  { agent, path, previous }: ReadTask,
  makeDigest: () => Digester,
  onResult: (result: ReadResult) => void | Promise<void>,
): Promise<void> {
  const history = findHistory(agent);
  // A new digester per file, because its memory is of no use for the next session.
  const digest = makeDigest();
  try {
    if (history === undefined) return await onResult({ kind: 'failed', reason: `the agent ${agent} is unknown` });
    const read = await readTranscriptFile({ path, history, previous }, async (events) =>
      onResult({ kind: 'part', digest: withoutOutputs(await digest(events)) }),
    );
    await onResult({ kind: 'done', read });
  } catch (error) {
    await onResult({ kind: 'failed', reason: toReason(error) });
  }
}

/** Removes outputs, which are not stored, before the digest goes to another thread. */
function withoutOutputs({ calls, findings, ...digest }: Digest): Digest {
  return {
    ...digest,
    calls: mapCalls(calls, (some) => some.map(({ output: _, ...call }) => call)),
    findings: findings.map(toSlim),
  };
}

/** Keeps of the calls around a finding only what its triggers are tested on. */
function toSlim({ finding, window }: Found): Found {
  const { triggers, kind, episodeOnly, failingCallId, fixingCallId } = finding;
  // Most findings are episodes, whose triggers are not tested.
  const tools = kind === 'code-edit' || episodeOnly !== undefined ? [] : (triggers.tools ?? ['shell']);
  const slim = window.flatMap(({ output: _, ...call }) => {
    if (call.callId === failingCallId || call.callId === fixingCallId) return [call];
    if (!tools.includes(call.tool)) return [];
    const { outputSummary: __, inputSummary: ___, message: ____, signature: _____, evidence: ______, ...ran } = call;
    return [ran];
  });
  return { finding, window: slim };
}

/** Messages between the scanning thread and its readers. */
export interface ReadTask {
  readonly agent: string;
  readonly path: string;
  /** How far the file was read before. */
  readonly previous?: ScanState | undefined;
}

export type ReadResult =
  /** A part of a file. */
  | { readonly kind: 'part'; readonly digest: Digest }
  /** The whole file was read. */
  | { readonly kind: 'done'; readonly read: TranscriptRead }
  | { readonly kind: 'failed'; readonly reason: string };

/** Some results in their order, parts as JSON: a text is copied from thread to thread faster than objects are. */
export type FromReader = readonly (string | ReadResult)[];

export type ToReader =
  | { readonly kind: 'read'; readonly task: ReadTask }
  /** A message was processed, so the reader may send another. */
  | { readonly kind: 'taken' };

export interface ReaderOptions extends DetectorSettings {
  readonly trackedTools: readonly string[];
}
