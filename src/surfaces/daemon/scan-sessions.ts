/** All past sessions of the agents, oldest first, through the loop. */
import { join } from 'node:path';
import { findHistory, HISTORIES } from '../../agents/histories.ts';
import type { AgentHistory } from '../../base/agent-history.ts';
import { toReason } from '../../base/errors.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { findFormat } from '../../capture/find-format.ts';
import { type FoundTranscript, findTranscripts } from '../../capture/find-transcripts.ts';
import { readHead } from '../../capture/read-head.ts';
import { isUnchanged } from '../../capture/read-transcript-file.ts';
import { compileLessons } from './compile-lessons.ts';
import { makeLoop } from './loop.ts';
import { findReadState, type ScanReport, scanTranscript } from './scan-transcript.ts';

export interface ScanRequest {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  readonly switchesFile: string;
  readonly log?: (line: string) => void;
  /** Transcripts and whose they are. */
  readonly files: readonly ScanFile[];
  readonly onProgress: (progress: ScanProgress) => void;
}

export interface ScanFile {
  readonly agent: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface ScanProgress {
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
}

export interface ScanTotals {
  readonly sessions: number;
  readonly calls: number;
  readonly failures: number;
  /** Hidden by their command, and not among the failures. */
  readonly masked: number;
  readonly cancelled: number;
  readonly denied: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly findings: number;
  /** Active lessons and drafts in the store afterwards. */
  readonly lessons: number;
  readonly drafts: number;
  /** Files that could not be read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  /** Lines that could not be used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface ScanPlaces {
  readonly agent?: string | undefined;
  /** A folder or a file that a person named: then nothing is read from the agents' own places. */
  readonly path?: string | undefined;
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function listScanFiles(where: ScanPlaces): readonly ScanFile[] {
  const histories = HISTORIES.filter(({ agent }) => where.agent === undefined || agent === where.agent);
  return histories
    .flatMap((history) => listFiles(history, where).map((found) => ({ agent: history.agent, ...found })))
    .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
}

function listFiles(history: AgentHistory, { agent, path, home, env }: ScanPlaces): readonly FoundTranscript[] {
  const isSession = (file: string): boolean => findFormat(history, file) !== undefined;
  if (path === undefined) {
    const folder = env[history.home.env] || join(home, history.home.folder);
    return history.places.flatMap((place) => findTranscripts(join(folder, place), isSession));
  }
  const found = findTranscripts(path, isSession);
  // Agents name their files alike: where nobody says whose they are, the files do.
  return agent === undefined
    ? found.filter((file) => findFormat(history, file.path)?.isOurs(readHead(file.path)))
    : found;
}

export async function scanSessions(request: ScanRequest): Promise<ScanTotals> {
  const { store, files } = request;
  const startedMs = performance.now();
  const loop = makeLoop(request);
  const reports: ScanReport[] = [];
  const unreadable: { path: string; reason: string }[] = [];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  let bytesDone = 0;
  for (const [filesDone, file] of files.entries()) {
    request.onProgress({ files: files.length, filesDone, bytes, bytesDone });
    const previous = await findReadState(store, file.path);
    try {
      const report =
        previous !== undefined && isUnchanged(previous, file, findHistory(file.agent)?.version ?? 0)
          ? undefined
          : await scanTranscript({ store, loop, agent: file.agent, path: file.path });
      if (report !== undefined) reports.push(report);
    } catch (error) {
      unreadable.push({ path: file.path, reason: toReason(error) });
    }
    bytesDone += file.size;
  }
  await compileLessons(request);
  const counts = await store.countAll();
  const seconds = Math.round(performance.now() - startedMs) / 1000;
  return { ...toTotals(reports), seconds, lessons: counts.lessons, drafts: counts.drafts, unreadable };
}

function toTotals(reports: readonly ScanReport[]) {
  const sum = (field: 'calls' | 'failures' | 'masked' | 'cancelled' | 'denied' | 'bytes' | 'findings'): number =>
    reports.reduce((total, report) => total + report[field], 0);
  const skipped: Record<string, number> = {};
  for (const report of reports) for (const [reason, n] of report.skipped) skipped[reason] = (skipped[reason] ?? 0) + n;
  return {
    sessions: new Set(reports.flatMap((report) => [...report.sessions])).size,
    calls: sum('calls'),
    failures: sum('failures'),
    masked: sum('masked'),
    cancelled: sum('cancelled'),
    denied: sum('denied'),
    bytes: sum('bytes'),
    findings: sum('findings'),
    skipped,
  };
}
