/**
 * The daemon's own scans: of all files shortly after its start and every `autoScanIntervalHours`, and of growing files in
 * between. They run in the worker thread, piece by piece; another thread answers hooks.
 */
import { existsSync } from 'node:fs';
import { toReason } from '../../base/errors.ts';
import type { Settings } from '../../base/model/settings.ts';
import { isRunning, type Switches } from '../../base/model/switches.ts';
import { makeGrownFinder } from './grown-files.ts';
import { NOTHING_SCANNED, type ScanStatus } from './scan-counts.ts';
import type { ScanFile } from './scan-files.ts';
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
  /** Scans the changed files completely. Rejects with the error of `giveWay`. */
  readonly scanAll: (files: readonly ScanFile[], giveWay: () => Promise<void>) => Promise<ScanTotals>;
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
    const { seconds, calls, unreadable, agents } = await scanAll(files, giveWay);
    lastFullMs = now();
    const filesRead = agents.reduce((sum, agent) => sum + agent.filesRead, 0);
    tell({ last: { at, seconds, files: files.length, filesRead, calls, unreadable: unreadable.length } });
    if (filesRead > 0) log(`scan: ${filesRead} of ${files.length} files read in ${seconds} s, ${calls} calls`);
    for (const { path, reason } of unreadable) complain(path, reason);
  };
  const readGrown = async (files: readonly ScanFile[]): Promise<void> => {
    for (const file of files) {
      await giveWay();
      await readOne(file);
    }
  };
  const readOne = async (file: ScanFile): Promise<void> => {
    const startedMs = performance.now();
    try {
      const calls = (await scanOne(file, giveWay)) ?? 0;
      grown.rest(file.path, performance.now() - startedMs);
      if (calls > 0) tell({ grown: { calls: status.grown.calls + calls, at: new Date().toISOString() } });
    } catch (error) {
      if (isEnded || isOff()) throw error;
      // The agent may have removed the session.
      if (!existsSync(file.path)) return;
      grown.fail(file.path);
      complain(file.path, toReason(error));
    }
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
    tell({ isUnderWay: false });
  };

  return {
    async step() {
      if (isEnded || now() < lookAtMs) return;
      lookAtMs = now() + LOOK_MS;
      if (isOff()) return;
      if (isFullDue()) return attempt(readAll);
      const files = lastFullMs === undefined ? [] : grown.find();
      if (files.length > 0) await attempt(() => readGrown(files));
    },
    hear: grown.hear,
    end() {
      isEnded = true;
    },
  };
}
