/** All past sessions of the agents, oldest first, through the loop. */
import { findHistory } from '../../agents/histories.ts';
import { toNamelessPath } from '../../base/forgotten.ts';
import type { ScanState } from '../../base/scan-state.ts';
import { isUnchanged } from '../../capture/read-transcript-file.ts';
import { compileLessons } from './compile-lessons.ts';
import { countScan, type ScanCounts } from './count-scan.ts';
import type { Digest } from './digest-events.ts';
import { mergeDigests } from './filter-digest.ts';
import type { ScanFile } from './list-scan-files.ts';
import { type LoopParts, makeLoop } from './loop.ts';
import { readFiles } from './read-files.ts';
import type { ReadResult, ReadTask } from './scan-messages.ts';
import { toReadState } from './to-read-state.ts';

export interface ScanRequest extends LoopParts {
  /** Session files and whose they are. */
  readonly files: readonly ScanFile[];
  readonly onProgress: (progress: ScanProgress) => void;
}

export interface ScanProgress {
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
}

export interface ScanTotals extends ScanCounts {
  readonly seconds: number;
  /** Active lessons and drafts in the store afterwards. */
  readonly lessons: number;
  readonly drafts: number;
}

/** Calls that are stored together: a transaction costs as much as many of them. */
const BATCH_CALLS = 500;

export async function scanSessions(request: ScanRequest): Promise<ScanTotals> {
  const startedMs = performance.now();
  const { store, settings, log = () => {} } = request;
  const states = new Map((await store.listScanStates()).map((state) => [state.path, state]));
  const todo = request.files.filter((file) => !isRead(file, findState(states, file.path)));
  const counts = countScan();
  const keeper = openScanKeeper(request, states, counts);
  const progress = openProgress(request, todo);
  const tasks = todo.map(({ agent, path }) => ({ agent, path, previous: findState(states, path) }));
  const bytes = todo.reduce((sum, file) => sum + file.size, 0);
  await readFiles(tasks, { bytes, trackedTools: settings.trackedTools, log }, async (task, result) => {
    await keeper.take(task, result);
    if (result.kind !== 'part') progress.pass(task.path);
  });
  await keeper.flush();
  await compileLessons(request);
  const { lessons, drafts } = await store.countAll();
  const seconds = Math.round(performance.now() - startedMs) / 1000;
  return { ...counts.toCounts(), seconds, lessons, drafts };
}

/** How far it was read, also where its name was not kept. */
function findState(states: ReadonlyMap<string, ScanState>, path: string): ScanState | undefined {
  const found = states.get(path) ?? states.get(toNamelessPath(path));
  return found && { ...found, path };
}

function isRead(file: ScanFile, previous: ScanState | undefined): boolean {
  return previous !== undefined && isUnchanged(previous, file, findHistory(file.agent)?.version ?? 0);
}

/** What was read, into the store in large pieces. How far a file was read is kept once all of it is. */
function openScanKeeper(
  request: ScanRequest,
  states: ReadonlyMap<string, ScanState>,
  counts: ReturnType<typeof countScan>,
) {
  const loop = makeLoop(request);
  let digests: Digest[] = [];
  let calls = 0;
  let read: ScanState[] = [];
  /** Of the file that is being read. */
  let told = 0;
  let kept = 0;

  const flush = async (): Promise<void> => {
    const merged = mergeDigests(digests);
    digests = [];
    calls = 0;
    counts.add(await loop.takeDigest(merged), merged);
    await request.store.saveScanStates(read);
    read = [];
  };
  const take = async ({ path, previous }: ReadTask, result: ReadResult): Promise<void> => {
    if (result.kind === 'part') {
      const ours = await loop.filterDigest(result.digest);
      digests.push(ours);
      calls += ours.calls.observed.length;
      told += result.digest.sights.length;
      kept += ours.sights.length;
    } else {
      if (result.kind === 'failed') counts.fail(path, result.reason);
      else {
        const isKnown = states.has(path);
        read.push(toReadState(result.read.state, { isKnown, wasRead: previous !== undefined, told, kept }));
        counts.finish(result.read);
      }
      told = 0;
      kept = 0;
    }
    if (calls >= BATCH_CALLS) await flush();
  };
  return { take, flush };
}

function openProgress({ files, onProgress }: ScanRequest, todo: readonly ScanFile[]) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const left = new Map(todo.map((file) => [file.path, file.size]));
  const show = (): void => {
    const bytesLeft = [...left.values()].reduce((sum, size) => sum + size, 0);
    onProgress({ files: files.length, filesDone: files.length - left.size, bytes, bytesDone: bytes - bytesLeft });
  };
  show();
  return {
    pass(path: string): void {
      left.delete(path);
      show();
    },
  };
}
