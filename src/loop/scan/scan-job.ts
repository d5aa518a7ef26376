/**
 * The daemon's own scans: of all files shortly after its start and every `autoScanIntervalHours`, and of growing files in
 * between. They run in the worker thread, piece by piece; another thread answers hooks.
 */

import { existsSync } from 'node:fs';
import { findHistory } from '../../agents/histories.ts';
import { toReason } from '../../base/errors.ts';
import type { Settings } from '../../base/model/settings.ts';
import { isRunning, type Switches } from '../../base/model/switches.ts';
import { findFileFormat } from '../../capture/transcripts/session-files.ts';
import { isSilent } from '../../capture/transcripts/session-read.ts';
import { readSessionStat } from '../../capture/transcripts/session-stat.ts';
import { NOTHING_SCANNED, type ScanProgress, type ScanStatus } from './scan-counts.ts';
import { type ScanFile, toNewestFirst } from './scan-files.ts';
import type { ScanTotals } from './scan-sessions.ts';

interface ScanJob {
  /** Reads the files that are due. */
  step(): Promise<void>;
  /** A hook told of the session of this file. */
  hear(agent: string, path: string): void;
  end(): void;
}

interface ScanJobParts {
  /** A function, because settings change. */
  readonly settings: () => Settings;
  readonly switches: () => Switches;
  readonly list: () => readonly ScanFile[];
  /** Scans the changed files completely, in the given order. Rejects with the error of `giveWay`. */
  readonly scanAll: (
    files: readonly ScanFile[],
    giveWay: () => Promise<void>,
    onProgress: (progress: ScanProgress) => void,
  ) => Promise<ScanTotals>;
  /** Scans one file from its saved offset; returns the number of calls. */
  readonly scanOne: (file: ScanFile, giveWay: () => Promise<void>) => Promise<number | undefined>;
  /** Lets waiting work go first. */
  readonly giveWay: () => Promise<void>;
  readonly tell: (status: ScanStatus) => void;
  readonly log: (line: string) => void;
}

const HOUR_MS = 60 * 60_000;
/** Delay of the first scan, because the agent that started the daemon is still starting itself. */
const FIRST_MS = 3_000;
/** Time between two looks at growing files. */
const LOOK_MS = 4_000;
const RETRY_MS = 5 * 60_000;

export function makeScanJob(parts: ScanJobParts): ScanJob {
  const { settings, list, scanAll, scanOne, log } = parts;
  // A monotonic clock, because the time of day may be set back.
  const now = (): number => performance.now();
  const grown = makeGrownFinder({ list, now });
  let lookAtMs = now() + FIRST_MS;
  let retryAtMs = Number.NEGATIVE_INFINITY;
  /** Messages that were already logged. */
  const complaints = new Set<string>();
  let lastFullMs: number | undefined;
  let isEnded = false;
  let status = NOTHING_SCANNED;

  const tell = (change: Partial<ScanStatus>): void => {
    status = { ...status, ...change };
    parts.tell(status);
  };
  /** Logs without the file name, which names the project and may be private. */
  const complain = (path: string, reason: string): void => {
    const line = `scan: a session file could not be read: ${reason.replaceAll(path, '…')}`;
    if (!complaints.has(line)) log(line);
    complaints.add(line);
  };
  const giveWay = async (): Promise<void> => {
    await parts.giveWay();
    if (isEnded || isOff()) throw new Error('broken off');
  };
  const isOff = (): boolean => {
    const { broken, pauses } = parts.switches();
    const isPaused = pauses.some((pause) => pause.what === 'all' && isRunning(pause, Date.now()));
    return settings().autoScanIntervalHours === 0 || broken === true || isPaused;
  };
  const isFullDue = (): boolean => {
    const dueMs = (lastFullMs ?? Number.NEGATIVE_INFINITY) + settings().autoScanIntervalHours * HOUR_MS;
    return now() >= Math.max(dueMs, retryAtMs);
  };
  const readAll = async (): Promise<void> => {
    const at = new Date().toISOString();
    const files = list();
    grown.note(files);
    const startedMs = performance.now();
    // The newest sessions first: those that may go on, then the others.
    const live = await readGrown(files.filter((file) => !isOver(file)));
    const past = toNewestFirst(files.filter(isOver));
    const { calls: ofPast, unreadable, agents } = await scanAll(past, giveWay, (progress) => tell({ progress }));
    lastFullMs = now();
    const seconds = Math.round(performance.now() - startedMs) / 1000;
    const calls = live.reduce<number>((sum, one) => sum + (one ?? 0), ofPast);
    const filesRead = agents.reduce((sum, agent) => sum + agent.filesRead, live.filter(Boolean).length);
    const failed = unreadable.length + live.filter((one) => one === undefined).length;
    tell({ last: { at, seconds, files: files.length, filesRead, calls, unreadable: failed } });
    if (filesRead > 0) log(`scan: ${filesRead} of ${files.length} files read in ${seconds} s, ${calls} calls`);
    for (const { path, reason } of unreadable) complain(path, reason);
  };
  const readGrown = async (files: readonly ScanFile[]): Promise<readonly (number | undefined)[]> => {
    const calls: (number | undefined)[] = [];
    for (const file of files) {
      await giveWay();
      calls.push(await readOne(file));
    }
    return calls;
  };
  /** The number of calls; undefined if the file cannot be read. */
  const readOne = async (file: ScanFile): Promise<number | undefined> => {
    const startedMs = performance.now();
    try {
      const calls = (await scanOne(file, giveWay)) ?? 0;
      grown.rest(file.path, performance.now() - startedMs);
      return calls;
    } catch (error) {
      if (isEnded || isOff()) throw error;
      // The agent may have removed the session.
      if (!existsSync(file.path)) return 0;
      grown.fail(file.path);
      complain(file.path, toReason(error));
      return undefined;
    }
  };
  const readLater = async (files: readonly ScanFile[]): Promise<void> => {
    for (const calls of await readGrown(files))
      if (calls) tell({ grown: { calls: status.grown.calls + calls, at: new Date().toISOString() } });
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    tell({ isUnderWay: true });
    try {
      await work();
    } catch (error) {
      if (isEnded) return;
      // The rest is read by the next full scan.
      lastFullMs = undefined;
      if (!isOff()) {
        log(`scan: ${toReason(error)}`);
        retryAtMs = now() + RETRY_MS;
      }
    }
    tell({ isUnderWay: false, progress: undefined });
  };

  return {
    async step() {
      if (isEnded || now() < lookAtMs) return;
      lookAtMs = now() + LOOK_MS;
      if (isOff()) return;
      if (isFullDue()) return attempt(readAll);
      const files = lastFullMs === undefined ? [] : grown.find();
      if (files.length > 0) await attempt(() => readLater(files));
    },
    hear: grown.hear,
    end() {
      isEnded = true;
    },
  };
}

/**
 * Otherwise a session may go on. It is read into the memory of the live sessions, because a failure that stands there is
 * learned from when its fix is written.
 */
function isOver({ mtimeMs }: ScanFile): boolean {
  return isSilent(mtimeMs);
}

export interface GrownFinder {
  /** Records the current state of files that are read or about to be; only later changes are found. */
  note(files: readonly ScanFile[]): void;
  /**
   * A hook told of this session. Its file is looked at only once hooks are silent: they told everything sooner, and the
   * end of each turn brings what fires no hook. So finding growth matters for agents without our hooks, for sessions that
   * began before these were installed, and for a session that died in the middle of a turn.
   */
  hear(agent: string, path: string): void;
  /** The files that changed since they were last given or noted. */
  find(): readonly ScanFile[];
  /** Makes a file wait in proportion to the time that reading it took. */
  rest(path: string, tookMs: number): void;
  /** The file could not be read; it is found again later even without a change. */
  fail(path: string): void;
}

interface GrownFinderParts {
  readonly list: () => readonly ScanFile[];
  /** A monotonic clock. */
  readonly now: () => number;
}

const DAY_MS = 24 * 60 * 60_000;
const LIST_MS = 20_000;
/** Listing folders and rereading one file take at most 1/50 of the time. */
const SHARE = 50;
const HOOKS_SILENT_MS = 10 * 60_000;

/**
 * Finds session files that have grown, by polling. File watchers miss events (network folders, limits, new folders), and
 * checking the few active files takes less than a millisecond. Listing all folders costs more, so it is done rarely, and
 * the longer it takes, the more rarely.
 */
export function makeGrownFinder({ list, now }: GrownFinderParts): GrownFinder {
  /** Size and time of files at the last look. */
  const stamps = new Map<string, string>();
  const heard = new Map<string, { readonly agent: string; readonly atMs: number }>();
  const restUntil = new Map<string, number>();
  let recent: readonly ScanFile[] = [];
  let listAtMs = Number.NEGATIVE_INFINITY;

  const remember = (files: readonly ScanFile[]): void => {
    recent = files.filter((file) => file.mtimeMs > Date.now() - DAY_MS);
    for (const [path, { atMs }] of heard) if (atMs < now() - DAY_MS) heard.delete(path);
    for (const [path, untilMs] of restUntil) if (untilMs < now()) restUntil.delete(path);
  };
  const isQuiet = ({ path }: ScanFile): boolean =>
    now() - (heard.get(path)?.atMs ?? Number.NEGATIVE_INFINITY) > HOOKS_SILENT_MS &&
    now() >= (restUntil.get(path) ?? 0);
  const look = (): readonly ScanFile[] => {
    if (now() < listAtMs) return listWritten(recent, heard);
    const startedMs = performance.now();
    const files = list();
    listAtMs = now() + Math.max(LIST_MS, SHARE * (performance.now() - startedMs));
    remember(files);
    return files;
  };

  return {
    note(files) {
      for (const file of files) stamps.set(file.path, toStamp(file));
      remember(files);
      listAtMs = now() + LIST_MS;
    },
    hear: (agent, path) => void heard.set(path, { agent, atMs: now() }),
    find() {
      const changed = look().filter((file) => stamps.get(file.path) !== toStamp(file) && isQuiet(file));
      for (const file of changed) stamps.set(file.path, toStamp(file));
      return changed;
    },
    rest: (path, tookMs) => void restUntil.set(path, now() + SHARE * tookMs),
    fail(path) {
      stamps.delete(path);
      restUntil.set(path, now() + RETRY_MS);
    },
  };
}

function listWritten(
  recent: readonly ScanFile[],
  heard: ReadonlyMap<string, { readonly agent: string }>,
): readonly ScanFile[] {
  const files = new Map(recent.map(({ path, agent }) => [path, agent]));
  for (const [path, { agent }] of heard) files.set(path, agent);
  return [...files].flatMap(([path, agent]) => findFile(agent, path) ?? []);
}

function findFile(agent: string, path: string): ScanFile | undefined {
  const history = findHistory(agent);
  const format = history && findFileFormat(history, path);
  if (format === undefined) return undefined;
  try {
    const { size, mtimeMs } = readSessionStat(path, format);
    return { agent, path, size, mtimeMs };
  } catch {
    // Removed.
    return undefined;
  }
}

/** Falling silent counts as a change, because an open call in the file will never end. */
function toStamp({ size, mtimeMs }: ScanFile): string {
  return `${size} ${mtimeMs} ${isSilent(mtimeMs)}`;
}
