/**
 * The daemon's own scans: of everything shortly after its start and every `autoScanIntervalHours`, and in between of the
 * files that grow. In the worker's thread, one piece at a time, while nobody waits; hooks are answered in another thread.
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
  /** Reads what there is to read by now. */
  step(): Promise<void>;
  /** A hook told of the session of this file. */
  hear(agent: string, path: string): void;
  end(): void;
}

interface ScanJobParts {
  /** Asked each time: settings change. */
  readonly settings: () => Settings;
  readonly switches: () => Switches;
  readonly list: () => readonly ScanFile[];
  /** Those of the files that changed, to the end. Rejects with what `giveWay` does. */
  readonly scanAll: (files: readonly ScanFile[], giveWay: () => Promise<void>) => Promise<ScanTotals>;
  /** One file, from where it was left. Gives the number of calls. */
  readonly scanOne: (file: ScanFile, giveWay: () => Promise<void>) => Promise<number | undefined>;
  /** Lets whoever waits go first. */
  readonly giveWay: () => Promise<void>;
  readonly tell: (status: ScanStatus) => void;
  readonly log: (line: string) => void;
}

const HOUR_MS = 60 * 60_000;
/** The agent that started the daemon has its own start to finish. */
const FIRST_MS = 3_000;
/** Between two looks at what grows; the worker asks more often while events come in. */
const LOOK_MS = 4_000;
const RETRY_MS = 5 * 60_000;

export function makeScanJob(parts: ScanJobParts): ScanJob {
  const { settings, list, scanAll, scanOne, log } = parts;
  // Not the time of day, which may be set back.
  const now = (): number => performance.now();
  const grown = makeGrownFinder({ list, now });
  let lookAtMs = now() + FIRST_MS;
  let retryAtMs = Number.NEGATIVE_INFINITY;
  /** What was said already. */
  const complaints = new Set<string>();
  let lastFullMs: number | undefined;
  let isEnded = false;
  let status = NOTHING_SCANNED;

  const tell = (change: Partial<ScanStatus>): void => {
    status = { ...status, ...change };
    parts.tell(status);
  };
  /** Without the name of the file: it tells the project, which may be private. */
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
      // Agents remove old sessions.
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
      // What is left comes with everything else: as soon as it may, or when the store has had time to recover.
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
