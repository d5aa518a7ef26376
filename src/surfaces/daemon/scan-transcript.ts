/** One transcript, from where it was read last, through the loop. */
import { findAgent } from '../../agents/agents.ts';
import type { AgentEvent } from '../../base/event.ts';
import type { Store } from '../../base/store.ts';
import { readTranscriptFile } from '../../capture/read-transcript-file.ts';
import type { Loop } from './loop.ts';

export interface ScanReport {
  readonly bytes: number;
  readonly sessions: ReadonlySet<string>;
  readonly calls: number;
  readonly failures: number;
  readonly cancelled: number;
  readonly denied: number;
  readonly findings: number;
  readonly skipped: ReadonlyMap<string, number>;
}

/** Undefined when the agent is unknown. Rejects when the file cannot be read. */
export async function scanTranscript(request: {
  readonly store: Store;
  readonly loop: Loop;
  readonly agent: string;
  readonly path: string;
}): Promise<ScanReport | undefined> {
  const { store, loop, path } = request;
  const adapter = findAgent(request.agent);
  if (adapter === undefined) return undefined;
  const sessions = new Set<string>();
  const counts = { calls: 0, failures: 0, cancelled: 0, denied: 0, findings: 0 };
  const take = async (events: readonly AgentEvent[]): Promise<void> => {
    const { calls, findings } = await loop.takeEvents(events, []);
    for (const event of events) sessions.add(event.sessionId);
    for (const { outcome } of calls) {
      counts.calls++;
      if (outcome === 'failure') counts.failures++;
      if (outcome === 'cancelled') counts.cancelled++;
      if (outcome === 'denied') counts.denied++;
    }
    counts.findings += findings;
  };
  const previous = await store.findScanState(path);
  const read = await readTranscriptFile({ path, adapter, previous }, take);
  await store.saveScanState(read.state);
  return { bytes: read.bytesRead, sessions, skipped: read.skipped, ...counts };
}
