/** One transcript, from where it was read last, through the loop: while its session lives. */
import { findHistory } from '../../agents/histories.ts';
import type { AgentEvent } from '../../base/event.ts';
import { toNamelessPath } from '../../base/forgotten.ts';
import type { Store } from '../../base/store.ts';
import { readTranscriptFile } from '../../capture/read-transcript-file.ts';
import type { Loop } from '../loop/loop.ts';
import { openCallPlaces } from './open-call-places.ts';
import { toReadState } from './to-read-state.ts';

/** The number of calls it told of; undefined when the agent is unknown. Rejects when the file cannot be read. */
export async function scanTranscript(request: {
  readonly store: Store;
  readonly loop: Loop;
  readonly agent: string;
  readonly path: string;
  /** Awaited before each piece; what it rejects with ends the reading. */
  readonly giveWay?: () => Promise<void>;
}): Promise<number | undefined> {
  const { store, loop, path, giveWay } = request;
  const history = findHistory(request.agent);
  if (history === undefined) return undefined;
  let told = 0;
  let kept = 0;
  let calls = 0;
  const known = await store.findScanState(path);
  const nameless = known ?? (await store.findScanState(toNamelessPath(path)));
  const previous = nameless && { ...nameless, path };
  const places = openCallPlaces({ path, previous });
  const take = async (events: readonly AgentEvent[]): Promise<void> => {
    told += events.length;
    await giveWay?.();
    const taken = await loop.takeEvents(events, []);
    kept += taken.events;
    calls += taken.calls.length;
    places.note(taken.calls, taken.findings, taken.reports);
  };
  const read = await readTranscriptFile({ path, history, previous }, take);
  const anew = places.toAnew(read);
  if (anew !== undefined) await store.moveEvidence(anew);
  const facts = { isKnown: known !== undefined, wasRead: nameless !== undefined, told, kept };
  await store.saveScanStates([toReadState(read.state, facts)]);
  return calls;
}
