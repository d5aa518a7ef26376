/** What a scan reads, into the store in large pieces. How far a file was read is kept once all of it is stored. */
import { existsSync } from 'node:fs';
import type { ReadAnew } from '../../base/read-anew.ts';
import type { ScanState } from '../../base/scan-state.ts';
import type { Store } from '../../base/store.ts';
import type { Digest } from '../loop/digest-events.ts';
import type { Loop } from '../loop/loop.ts';
import { mergeDigests } from '../loop/merge-digests.ts';
import type { countScan } from './count-scan.ts';
import { openCallPlaces } from './open-call-places.ts';
import type { ReadResult, ReadTask } from './scan-messages.ts';
import { toReadState } from './to-read-state.ts';

export interface ScanKeeper {
  /** The results of one file after the other. Rejects once something did not reach the store, and ever after. */
  take(task: ReadTask, result: ReadResult): Promise<void>;
  /** Stores the rest. */
  flush(): Promise<void>;
}

export interface ScanKeeperParts {
  readonly loop: Loop;
  readonly store: Pick<Store, 'moveEvidence' | 'saveScanStates'>;
  readonly counts: ReturnType<typeof countScan>;
  /** Is the file's name in the store already? */
  readonly isKnown: (path: string) => boolean;
}

/**
 * Calls that are stored together: a transaction costs as much as many of them. They end where a file ends, and inside a
 * long one after so many calls of its own: so a scan that was killed makes the same pieces again, and what is learned,
 * which rests on the calls that are stored by then, does not depend on where it was killed.
 */
const BATCH_CALLS = 500;

export function openScanKeeper({ loop, store, counts, isKnown }: ScanKeeperParts): ScanKeeper {
  let digests: Digest[] = [];
  let read: ScanState[] = [];
  let anew: ReadAnew[] = [];
  let calls = 0;
  /** Those of the file that is being read. */
  let ofFile = 0;
  /** Of the file that is being read. */
  let places: ReturnType<typeof openCallPlaces> | undefined;
  let told = 0;
  let kept = 0;
  /** A digest that was lost on its way: the files it came from must not count as read. */
  let failure: { readonly cause: unknown } | undefined;

  const addPart = async (task: ReadTask, digest: Digest): Promise<void> => {
    const ours = await loop.filterDigest(digest);
    digests.push(ours);
    places ??= openCallPlaces(task);
    places.note(ours.calls.observed, ours.findings, ours.reports);
    counts.note(ours);
    calls += ours.calls.observed.length;
    ofFile += ours.calls.observed.length;
    told += digest.sights.length;
    kept += ours.sights.length;
  };
  const end = (task: ReadTask, result: Exclude<ReadResult, { kind: 'part' }>): void => {
    const { path, previous } = task;
    if (result.kind === 'done') {
      const written = (places ?? openCallPlaces(task)).toAnew(result.read);
      if (written !== undefined) anew.push(written);
      const facts = { isKnown: isKnown(path), wasRead: previous !== undefined, told, kept };
      read.push(toReadState(result.read.state, facts));
      counts.finish(result.read);
    } else if (existsSync(path)) counts.fail(path, result.reason);
    // Agents remove old sessions, also while we read.
    else counts.vanish();
    counts.pass();
    ofFile = 0;
    places = undefined;
    told = 0;
    kept = 0;
  };
  const flush = async (): Promise<void> => {
    if (failure !== undefined) throw failure.cause;
    const merged = mergeDigests(digests);
    digests = [];
    calls = 0;
    ofFile = 0;
    try {
      counts.add(await loop.takeDigest(merged), merged);
      // Once everything that was learned again is there.
      for (const one of anew) await store.moveEvidence(one);
      await store.saveScanStates(read);
      anew = [];
      read = [];
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  };
  return {
    async take(task, result) {
      if (failure !== undefined) throw failure.cause;
      if (result.kind === 'part') await addPart(task, result.digest);
      else end(task, result);
      if ((result.kind === 'part' ? ofFile : calls) >= BATCH_CALLS) await flush();
    },
    flush,
  };
}
