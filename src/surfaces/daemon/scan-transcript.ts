/** One transcript, from where it was read last, through the loop. */
import { findHistory } from '../../agents/histories.ts';
import type { AgentEvent } from '../../base/event.ts';
import { toNamelessPath } from '../../base/forgotten.ts';
import type { ScanState } from '../../base/scan-state.ts';
import type { Store } from '../../base/store.ts';
import { readTranscriptFile } from '../../capture/read-transcript-file.ts';
import type { Loop } from './loop.ts';

export interface ScanReport {
  readonly bytes: number;
  readonly sessions: ReadonlySet<string>;
  readonly calls: number;
  readonly failures: number;
  /** Hidden by their command, and not among the failures. */
  readonly masked: number;
  readonly cancelled: number;
  readonly denied: number;
  readonly findings: number;
  readonly skipped: ReadonlyMap<string, number>;
}

/** How far it was read, also where its name was not kept. */
export async function findReadState(store: Store, path: string): Promise<ScanState | undefined> {
  const found = (await store.findScanState(path)) ?? (await store.findScanState(toNamelessPath(path)));
  return found && { ...found, path };
}

/** Undefined when the agent is unknown. Rejects when the file cannot be read. */
export async function scanTranscript(request: {
  readonly store: Store;
  readonly loop: Loop;
  readonly agent: string;
  readonly path: string;
}): Promise<ScanReport | undefined> {
  const { store, loop, path } = request;
  const history = findHistory(request.agent);
  if (history === undefined) return undefined;
  const sessions = new Set<string>();
  const counts = { calls: 0, failures: 0, masked: 0, cancelled: 0, denied: 0, findings: 0 };
  let told = 0;
  let kept = 0;
  const take = async (events: readonly AgentEvent[]): Promise<void> => {
    const { events: taken, calls, findings } = await loop.takeEvents(events, []);
    told += events.length;
    kept += taken;
    for (const event of events) sessions.add(event.sessionId);
    for (const { outcome, masked } of calls) {
      counts.calls++;
      if (outcome === 'failure') counts[masked ? 'masked' : 'failures']++;
      if (outcome === 'cancelled') counts.cancelled++;
      if (outcome === 'denied') counts.denied++;
    }
    counts.findings += findings;
  };
  const previous = await findReadState(store, path);
  const read = await readTranscriptFile({ path, history, previous }, take);
  // Where nothing may be taken, not even the name of the file is kept: it tells the project and the session.
  const isKnown = (await store.findScanState(path)) !== undefined;
  const isNameless = kept === 0 && !isKnown && (told > 0 || previous !== undefined);
  await store.saveScanState(isNameless ? toNameless(read.state) : read.state);
  return { bytes: read.bytesRead, sessions, skipped: read.skipped, ...counts };
}

/** A memo may name the folder, and without it there is no reading on: then the whole file is read again. */
function toNameless({ memo, ...state }: ScanState): ScanState {
  const point = memo === undefined ? {} : { offset: 0, lines: 0 };
  return { ...state, ...point, path: toNamelessPath(state.path) };
}
