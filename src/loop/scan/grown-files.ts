/**
 * Finds session files that have grown, by polling. File watchers miss events (network folders, limits, new folders), and
 * checking the few active files takes less than a millisecond. Listing all folders costs more, so it is done rarely, and
 * the longer it takes, the more rarely.
 */
import { findHistory } from '../../agents/histories.ts';
import { findFileFormat } from '../../capture/transcripts/session-files.ts';
import { isSilent } from '../../capture/transcripts/session-read.ts';
import { readSessionStat } from '../../capture/transcripts/session-stat.ts';
import type { ScanFile } from './scan-files.ts';

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
const RETRY_MS = 5 * 60_000;
const HOOKS_SILENT_MS = 10 * 60_000;

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
