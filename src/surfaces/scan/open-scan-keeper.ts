/** What a scan reads, into the store in large pieces. How far a file was read is kept once all of it is stored. */
import { existsSync } from 'node:fs';
import type { ScanState } from '../../base/scan-state.ts';
import type { Store } from '../../base/store.ts';
import type { Digest } from '../loop/digest-events.ts';
import type { Loop } from '../loop/loop.ts';
import { mergeDigests } from '../loop/merge-digests.ts';
import type { countScan } from './count-scan.ts';
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
  readonly store: Pick<Store, 'saveScanStates'>;
  readonly counts: ReturnType<typeof countScan>;
  /** Is the file's name in the store already? */
  readonly isKnown: (path: string) => boolean;
}

/** Calls that are stored together: a transaction costs as much as many of them. */
const BATCH_CALLS = 500;

export function openScanKeeper({ loop, store, counts, isKnown }: ScanKeeperParts): ScanKeeper {
  let digests: Digest[] = [];
  let read: ScanState[] = [];
  let calls = 0;
  /** Of the file that is being read. */
  let told = 0;
  let kept = 0;
  /** A digest that was lost on its way: the files it came from must not count as read. */
  let failure: { readonly cause: unknown } | undefined;

  const addPart = async (digest: Digest): Promise<void> => {
    const ours = await loop.filterDigest(digest);
    digests.push(ours);
    counts.note(ours);
    calls += ours.calls.observed.length;
    told += digest.sights.length;
    kept += ours.sights.length;
  };
  const end = ({ path, previous }: ReadTask, result: Exclude<ReadResult, { kind: 'part' }>): void => {
    if (result.kind === 'done') {
      const facts = { isKnown: isKnown(path), wasRead: previous !== undefined, told, kept };
      read.push(toReadState(result.read.state, facts));
      counts.finish(result.read);
    } else if (existsSync(path)) counts.fail(path, result.reason);
    // Agents remove old sessions, also while we read.
    else counts.vanish();
    counts.pass();
    told = 0;
    kept = 0;
  };
  const flush = async (): Promise<void> => {
    if (failure !== undefined) throw failure.cause;
    const merged = mergeDigests(digests);
    digests = [];
    calls = 0;
    try {
      counts.add(await loop.takeDigest(merged), merged);
      await store.saveScanStates(read);
      read = [];
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  };
  return {
    async take(task, result) {
      if (failure !== undefined) throw failure.cause;
      if (result.kind === 'part') await addPart(result.digest);
      else end(task, result);
      if (calls >= BATCH_CALLS) await flush();
    },
    flush,
  };
}
