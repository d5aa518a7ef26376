/**
 * Scans past sessions of the agents, oldest first, and single transcripts of live sessions, through the loop into the
 * store. The scanner saves a file's offset only when all of its events are stored. Agents rewrite some files, so the
 * scanner also moves earlier evidence to the new lines.
 */

import { existsSync } from 'node:fs';
import { findHistory } from '../../agents/histories.ts';
import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { type KeptReport, toReportCallId } from '../../base/model/finding.ts';
import { toNamelessPath } from '../../base/storage/forgotten.ts';
import type { CallPlace, RewrittenFile, ScanState } from '../../base/storage/scan-state.ts';
import { isUnchanged, readTranscriptFile, type TranscriptRead } from '../../capture/transcripts/read-transcript.ts';
import { compileLessons } from '../compile-lessons.ts';
import { type Digest, type Found, mergeDigests } from '../digest-events.ts';
import { type Loop, type LoopParts, makeLoop } from '../learn.ts';
import { joinKnownProjects } from '../projects/join-projects.ts';
import type { ReadResult, ReadTask } from './digest-file.ts';
import { readFiles } from './read-files.ts';
import { countScan, type ScanCounts, type ScanProgress } from './scan-counts.ts';
import type { ScanFile } from './scan-files.ts';

interface ScanRequest extends LoopParts {
  /** Session files with their agents. */
  readonly files: readonly ScanFile[];
  readonly onProgress: (progress: ScanProgress) => void;
  /** The loop of the daemon; default: a new one. */
  readonly loop?: Loop;
  /**
   * Awaited before each piece, so that other work goes first; then only this thread reads. Its rejection ends the scan:
   * stored data stays, and the next scan reads the rest.
   */
  readonly giveWay?: () => Promise<void>;
}

export interface ScanTotals extends ScanCounts {
  readonly seconds: number;
  /** Active lessons and drafts in the store afterwards. */
  readonly lessons: number;
  readonly drafts: number;
  /** The same counts before a scan with `--again`. */
  readonly before?: { readonly lessons: number; readonly drafts: number };
}

/** Active agents get new lessons during a scan, but each compilation writes all lessons to disk. */
const COMPILE_EVERY_MS = 3_000;

export async function scanSessions(request: ScanRequest): Promise<ScanTotals> {
  const startedMs = performance.now();
  const { store, settings, log = () => {} } = request;
  const states = new Map((await store.listScanStates()).map((state) => [state.path, state]));
  // With `--again`, every file counts as never read.
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
  const { trackedTools, detectorPlugins, detectorsOff, detection } = settings;
  await readFiles(
    tasks,
    { bytes, trackedTools, detectorPlugins, detectorsOff, detection, log },
    async (task, result) => {
      await giveWay?.();
      await keeper.take(task, result);
      if (result.kind !== 'part') progress.pass(task.path);
    },
  );
  await keeper.flush();
  const isJoined = await joinKnownProjects(store, settings.scoring);
  // A requested scan always ends with a complete manifest; a background scan compiles only if something changed.
  if (giveWay === undefined || isJoined || unread.length > 0) await compileLessons(request);
  const { lessons, drafts } = await store.countAll();
  const seconds = Math.round(performance.now() - startedMs) / 1000;
  return { ...counts.toCounts(), seconds, lessons, drafts };
}

/** The files with content that no scan has stored yet, and how much of it, in the given order. */
export async function listUnread(
  store: Pick<Store, 'listScanStates'>,
  files: readonly ScanFile[],
): Promise<readonly { readonly file: ScanFile; readonly bytes: number }[]> {
  const states = new Map((await store.listScanStates()).map((state) => [state.path, state]));
  return files.flatMap((file) => {
    const last = findState(states, file.path);
    return isRead(file, last) ? [] : [{ file, bytes: countNew(file, last) }];
  });
}

/** The saved offset, which is stored under a hash if the file name may not be stored. */
function findState(states: ReadonlyMap<string, ScanState>, path: string): ScanState | undefined {
  const found = states.get(path) ?? states.get(toNamelessPath(path));
  return found && { ...found, path };
}

function isRead(file: ScanFile, previous: ScanState | undefined): boolean {
  return previous !== undefined && isUnchanged(previous, file, findHistory(file.agent)?.version ?? 0);
}

/** Estimated bytes to read. */
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

interface ScanKeeper {
  /** Takes the results of one file after another. After a failed write it rejects every call. */
  take(task: ReadTask, result: ReadResult): Promise<void>;
  /** Stores the rest. */
  flush(): Promise<void>;
}

interface ScanKeeperParts {
  readonly loop: Loop;
  readonly store: Pick<Store, 'moveEvidence' | 'saveScanStates'>;
  readonly counts: ReturnType<typeof countScan>;
  /** True if the store already contains the file's name. */
  readonly isKnown: (path: string) => boolean;
}

/**
 * Calls stored in one transaction. A batch ends at the end of a file, or after this many calls of one file. So a scan that
 * was killed makes the same batches again, and the result of learning does not depend on where it was killed.
 */
const BATCH_CALLS = 500;

/** Stores scan results in batches, and saves a file's offset once all of it is stored. */
function openScanKeeper({ loop, store, counts, isKnown }: ScanKeeperParts): ScanKeeper {
  let digests: Digest[] = [];
  let read: ScanState[] = [];
  let anew: RewrittenFile[] = [];
  let calls = 0;
  /** Number of calls of the current file. */
  let ofFile = 0;
  /** Call places of the current file. */
  let places: ReturnType<typeof openCallPlaces> | undefined;
  let eventCount = 0;
  let kept = 0;
  /** The error that lost a digest; its files must not count as read. */
  let failure: { readonly cause: unknown } | undefined;

  const addPart = async (task: ReadTask, digest: Digest): Promise<void> => {
    const ours = await loop.filterDigest(digest);
    digests.push(ours);
    places ??= openCallPlaces(task);
    places.note(ours.calls.observed, ours.findings, ours.reports);
    counts.note(ours);
    calls += ours.calls.observed.length;
    ofFile += ours.calls.observed.length;
    eventCount += digest.sights.length;
    kept += ours.sights.length;
  };
  const end = (task: ReadTask, result: Exclude<ReadResult, { kind: 'part' }>): void => {
    const { path, previous } = task;
    if (result.kind === 'done') {
      const written = (places ?? openCallPlaces(task)).toAnew(result.read);
      if (written !== undefined) anew.push(written);
      const facts = { isKnown: isKnown(path), wasRead: previous !== undefined, eventCount, kept };
      read.push(toReadState(result.read.state, facts));
      counts.finish(result.read);
    } else if (existsSync(path)) counts.fail(path, result.reason);
    // The agent removed the session during the scan.
    else counts.vanish();
    counts.pass();
    ofFile = 0;
    places = undefined;
    eventCount = 0;
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
      // Move evidence after the new findings are stored.
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

/**
 * Reads one transcript of a live session from its saved offset. Returns the number of calls, or undefined if the agent is
 * unknown. Rejects if the file cannot be read.
 */
export async function scanTranscript(request: {
  readonly store: Store;
  readonly loop: Loop;
  readonly agent: string;
  readonly path: string;
  /** Awaited before each piece; its rejection ends the reading. */
  readonly giveWay?: () => Promise<void>;
}): Promise<number | undefined> {
  const { store, loop, path, giveWay } = request;
  const history = findHistory(request.agent);
  if (history === undefined) return undefined;
  let eventCount = 0;
  let kept = 0;
  let calls = 0;
  const states = await store.listScanStates([path, toNamelessPath(path)]);
  const known = states.find((state) => state.path === path);
  const nameless = known ?? states[0];
  const previous = nameless && { ...nameless, path };
  const places = openCallPlaces({ path, previous });
  const take = async (events: readonly AgentEvent[]): Promise<void> => {
    eventCount += events.length;
    await giveWay?.();
    const taken = await loop.takeEvents(events, []);
    kept += taken.events;
    calls += taken.calls.length;
    places.note(taken.calls, taken.findings, taken.reports);
  };
  const read = await readTranscriptFile({ path, history, previous }, take);
  const anew = places.toAnew(read);
  if (anew !== undefined) await store.moveEvidence(anew);
  const facts = { isKnown: known !== undefined, wasRead: nameless !== undefined, eventCount, kept };
  await store.saveScanStates([toReadState(read.state, facts)]);
  return calls;
}

interface CallPlaces {
  note(calls: readonly LiveCall[], found: readonly Found[], reports: readonly KeptReport[]): void;
  /** Undefined if the file was not rewritten. */
  toAnew(read: TranscriptRead): RewrittenFile | undefined;
}

/**
 * Records the lines of calls while a file is read. Agents rewrite some files (compaction, repair, a new file of the same
 * name), so evidence that points to lines must be moved.
 */
function openCallPlaces({ path, previous }: Pick<ReadTask, 'path' | 'previous'>): CallPlaces {
  const places = new Map<string, CallPlace>();
  const add = ({ sessionId, callId, evidence }: LiveCall): void => {
    const key = `${sessionId}\n${callId}`;
    if (evidence?.file === path && !places.has(key)) places.set(key, { sessionId, callId, line: evidence.line });
  };
  const addReport = ({ sessionId, reportId, file, line }: KeptReport): void => {
    const callId = toReportCallId(reportId);
    if (file === path && line !== undefined)
      places.set(`${sessionId}\n${callId}`, { sessionId, callId, line, isReport: true });
  };
  return {
    note(calls, found, reports) {
      // A file that was never read has no evidence to move.
      if (previous === undefined) return;
      for (const call of calls) add(call);
      // Calls of untracked tools are only in these windows.
      for (const { window } of found) for (const call of window) add(call);
      for (const report of reports) addReport(report);
    },
    toAnew({ fromStart, state }) {
      const wasRead = previous !== undefined && previous.offset > 0;
      // A newer parser version reads the file again, but its lines are the same.
      if (!fromStart || !wasRead || previous.parserVersion !== state.parserVersion) return undefined;
      return { agent: state.agent, file: path, calls: [...places.values()] };
    },
  };
}

/**
 * The saved offset without private data: the memo may name the folder, and the tail comes from the text. Without a memo
 * the whole file is read again.
 */
function toNameless({ memo, tail: _, ...state }: ScanState): ScanState {
  const point = memo === undefined ? {} : { offset: 0, lines: 0 };
  return { ...state, ...point, path: toNamelessPath(state.path) };
}

/** For a private file not even its name is stored, because it names the project and the session. */
function toReadState(
  state: ScanState,
  { isKnown, wasRead, eventCount, kept }: { isKnown: boolean; wasRead: boolean; eventCount: number; kept: number },
): ScanState {
  return kept === 0 && !isKnown && (eventCount > 0 || wasRead) ? toNameless(state) : state;
}
