/** The past sessions that a person means, ready for a replay. */

import { existsSync, statSync } from 'node:fs';
import type { Store } from '../../../base/contracts/store.ts';
import { toSessionKey } from '../../../base/model/session.ts';
import { compareTexts } from '../../../base/records.ts';
import type { SessionSummary } from '../../../base/statistics/history.ts';
import { loadDetectors } from '../../../loop/learning/load-detectors.ts';
import { makeCaptureFilter, type ReadRules } from '../../../loop/privacy/capture-filter.ts';
import { type ReplayStep, readSessions, toStoredSteps } from '../../../loop/replay/read-sessions.ts';
import { listScanFiles, type ScanFile, type ScanPlaces } from '../../../loop/scan/scan-files.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import type { CommandInput } from '../command.ts';
import type { OpenHome } from '../open-home.ts';

interface Past {
  readonly steps: readonly ReplayStep[];
  /** The session files that the steps were read from. */
  readonly files: readonly ScanFile[];
  /** `path`: what was named. `store`: what the store knows. `places`: it knows nothing, so where agents keep theirs. */
  readonly source: 'path' | 'store' | 'places';
  /** Sessions whose transcript is gone, from what the store kept of them. */
  readonly storedSessions: number;
  /** Calls that are left out: their text is gone too. */
  readonly withoutText: number;
}

/** Far more than anybody has. */
const ALL = 1_000_000;

/** Files where they are named, else where agents keep theirs. */
export async function readPast(input: CommandInput, open: OpenHome): Promise<readonly ReplayStep[]> {
  return (await readNamed(input, open)).steps;
}

async function readNamed(input: CommandInput, open: OpenHome): Promise<Pick<Past, 'steps' | 'files'>> {
  const files = listScanFiles({ ...toScanPlaces(input), scanPaths: open.settings.scanPaths });
  return { steps: await readFiles(input, open, files, makeCaptureFilter(open)), files };
}

/**
 * The sessions of the store: from their transcripts, or from the stored calls if a transcript is gone. If the store is
 * empty: the session files of the agents.
 */
export async function readKnownPast(input: CommandInput, open: OpenHome): Promise<Past> {
  const places = toScanPlaces(input);
  const nothing = { storedSessions: 0, withoutText: 0 };
  if (places.path !== undefined) return { ...(await readNamed(input, open)), source: 'path', ...nothing };
  const sessions = await listSessions(open.store, places);
  if (sessions.length === 0) return { ...(await readNamed(input, open)), source: 'places', ...nothing };
  const readRules = makeCaptureFilter(open);
  const files = await listKnownFiles(open.store, places);
  const read = await readFiles(input, open, files, readRules);
  const inFiles = new Set(read.map(({ event }) => toSessionKey(event)));
  // A file that tells of more sessions than the store knows was not read to its end yet.
  const known = new Set(sessions.map(toSessionKey));
  const gone = sessions.filter((session) => !inFiles.has(toSessionKey(session)));
  const stored = await readStored(open, gone, { readRules, firstFile: files.length });
  const steps = [...read.filter(({ event }) => known.has(toSessionKey(event))), ...stored.steps];
  return { ...stored, steps, files, source: 'store' };
}

function readFiles(
  input: CommandInput,
  { settings, log }: OpenHome,
  files: readonly ScanFile[],
  readRules: ReadRules,
): Promise<readonly ReplayStep[]> {
  const { trackedTools, detectorPlugins, detectorsOff, detection } = settings;
  const onProgress = (done: number, all: number): void => input.progress(`Reading sessions ${done}/${all}`);
  return readSessions(files, { trackedTools, detectorPlugins, detectorsOff, detection, log, readRules, onProgress });
}

async function listSessions(store: Store, { agent }: ScanPlaces): Promise<readonly SessionSummary[]> {
  const all = (await store.listSessions({ limit: ALL })).filter(({ calls }) => calls > 0);
  const agents = agent === undefined ? undefined : [agent].flat();
  return all
    .filter((session) => agents === undefined || agents.includes(session.agent))
    .toSorted((a, b) => compareTexts(a.startedAt, b.startedAt) || compareTexts(toSessionKey(a), toSessionKey(b)));
}

/** In the order of `listScanFiles`, so that the same files give the same replay. */
async function listKnownFiles(store: Store, { agent }: ScanPlaces): Promise<readonly ScanFile[]> {
  const agents = agent === undefined ? undefined : [agent].flat();
  const states = (await store.listScanStates()).filter(
    (state) => (agents === undefined || agents.includes(state.agent)) && existsSync(state.path),
  );
  return states
    .map(({ path, agent: whose }) => ({ agent: whose, path, ...toStat(path) }))
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs || compareTexts(a.path, b.path));
}

function toStat(path: string): Pick<ScanFile, 'size' | 'mtimeMs'> {
  const stat = statSync(path, { throwIfNoEntry: false });
  return { size: stat?.size ?? 0, mtimeMs: stat?.mtimeMs ?? 0 };
}

interface StoredReading {
  readonly readRules: ReadRules;
  readonly firstFile: number;
}

async function readStored(
  { store, settings, log }: OpenHome,
  sessions: readonly SessionSummary[],
  { readRules, firstFile }: StoredReading,
): Promise<Pick<Past, 'steps' | 'storedSessions' | 'withoutText'>> {
  const detectors = await loadDetectors(settings, log);
  const steps: ReplayStep[] = [];
  let [storedSessions, withoutText] = [0, 0];
  for (const [n, session] of sessions.entries()) {
    const { agent, sessionId } = session;
    const sight = {
      agent,
      sessionId,
      at: session.startedAt,
      ...(session.cwd === undefined ? {} : { cwd: session.cwd }),
    };
    if (!(await readRules([sight]))(sight)) continue;
    const calls = await store.listCalls({ agent, sessionId });
    const stored = toStoredSteps({ session, calls, file: firstFile + n }, detectors, settings.detection);
    steps.push(...stored.steps);
    withoutText += stored.withoutText;
    if (stored.steps.length > 0) storedSessions += 1;
  }
  return { steps, storedSessions, withoutText };
}
