/** All past sessions of the agents, oldest first, through the loop. */
import { findHistory } from '../../agents/histories.ts';
import { toNamelessPath } from '../../base/forgotten.ts';
import type { ScanState } from '../../base/scan-state.ts';
import { isUnchanged } from '../../capture/read-transcript-file.ts';
import { compileLessons } from '../loop/compile-lessons.ts';
import { joinKnownProjects } from '../loop/join-projects.ts';
import { type Loop, type LoopParts, makeLoop } from '../loop/loop.ts';
import { countScan, type ScanCounts } from './count-scan.ts';
import type { ScanFile } from './list-scan-files.ts';
import { openScanKeeper } from './open-scan-keeper.ts';
import { readFiles } from './read-files.ts';

export interface ScanRequest extends LoopParts {
  /** Session files and whose they are. */
  readonly files: readonly ScanFile[];
  readonly onProgress: (progress: ScanProgress) => void;
  /** Of who has one; it is made otherwise. */
  readonly loop?: Loop;
  /**
   * Others go first: it is awaited before each piece, and no more than this thread is used. What it rejects with ends
   * the scan; what was stored by then stays, and the next scan brings the rest.
   */
  readonly giveWay?: () => Promise<void>;
}

/** Of the files that have to be read: the others cost nothing and say nothing about the time that is left. */
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
  /** … and before everything was read again. */
  readonly before?: { readonly lessons: number; readonly drafts: number };
}

/** Agents that are at work meanwhile get what is learned; each time it is all lessons and a write to the disk. */
const COMPILE_EVERY_MS = 3_000;

export async function scanSessions(request: ScanRequest): Promise<ScanTotals> {
  const startedMs = performance.now();
  const { store, settings, log = () => {} } = request;
  const states = new Map((await store.listScanStates()).map((state) => [state.path, state]));
  // Read again, a file is as one that was never read.
  const findLast = (path: string) => (request.isAgain === true ? undefined : findState(states, path));
  const unread = request.files.filter((file) => !isRead(file, findLast(file.path)));
  const counts = countScan(request.files);
  const loop = request.loop ?? makeLoop({ ...request, compileEveryMs: COMPILE_EVERY_MS });
  const keeper = openScanKeeper({ loop, store, counts, isKnown: (path) => states.has(path) });
  const tasks = unread.map(({ agent, path }) => ({ agent, path, previous: findLast(path) }));
  const sizes = unread.map((file) => countNew(file, findLast(file.path)));
  const { onProgress, giveWay } = request;
  const bytes = giveWay === undefined ? sizes.reduce((sum, size) => sum + size, 0) : 0;
  const progress = openProgress(onProgress, new Map(unread.map(({ path }, i) => [path, sizes[i] ?? 0])));
  const { trackedTools, detectorPlugins } = settings;
  await readFiles(tasks, { bytes, trackedTools, detectorPlugins, log }, async (task, result) => {
    await giveWay?.();
    await keeper.take(task, result);
    if (result.kind !== 'part') progress.pass(task.path);
  });
  await keeper.flush();
  const isJoined = await joinKnownProjects(store, settings.scoring);
  // Whoever asks for a scan gets a manifest that is whole again; who scans in passing has compiled what there is.
  if (giveWay === undefined || isJoined || unread.length > 0) await compileLessons(request);
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

/** About how much of it is to be read. */
function countNew({ agent, size }: ScanFile, previous: ScanState | undefined): number {
  const isSame = previous?.parserVersion === findHistory(agent)?.version;
  return previous !== undefined && isSame && previous.offset <= size ? size - previous.offset : size;
}

function openProgress(onProgress: ScanRequest['onProgress'], sizes: ReadonlyMap<string, number>) {
  const files = sizes.size;
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let filesDone = 0;
  let bytesDone = 0;
  onProgress({ files, filesDone, bytes, bytesDone });
  return {
    pass(path: string): void {
      filesDone++;
      bytesDone += sizes.get(path) ?? 0;
      onProgress({ files, filesDone, bytes, bytesDone });
    },
  };
}
