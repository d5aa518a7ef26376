/** What became of a lesson's deliveries: how many were judged, in how many sessions, and whether any was in this project. */

import type { Store } from '../../../../base/contracts/store.ts';
import type { Delivery, TrackRecord } from '../../../../base/model/delivery.ts';
import type { Lesson } from '../../../../base/model/lesson.ts';
import { toEffects } from '../../../../measure/effects.ts';
import { NO_TRACK, type Track } from '../../../../promote/candidates.ts';
import type { Place } from './target-files.ts';

/** Number of recent sessions that are checked for the use of a lesson for all projects. */
const MAX_SESSIONS = 50;

export async function readTrack(store: Store, lesson: Lesson): Promise<Track> {
  const record = (await store.listTrackRecords()).find(({ lessonId }) => lessonId === lesson.id);
  if (record === undefined) return NO_TRACK;
  return { ...toTrack(record, await listJudged(store, lesson)), ...(await readEffect(store, lesson)) };
}

export async function readEffect(store: Store, { id, measure }: Lesson): Promise<Pick<Track, 'effect'>> {
  const since = measure?.from;
  const trials = await store.readTrials({ lessonId: id, ...(since === undefined ? {} : { since }) });
  const { effect } = toEffects(trials);
  return effect === undefined ? {} : { effect };
}

export function toTrack({ judged, clean }: TrackRecord, deliveries: readonly Delivery[]): Track {
  return { judged, clean, sessions: listSessions(deliveries).length };
}

/** Since it is measured, as its record is counted. */
export async function listJudged(store: Store, { id, measure }: Lesson): Promise<readonly Delivery[]> {
  const closed = await store.listDeliveries({ lessonId: id, open: false });
  const counted = closed.filter(({ deliveredAt }) => deliveredAt > (measure?.from ?? ''));
  return counted.filter(({ kind, arm, outcome }) => kind === 'call' && arm === 'shown' && outcome !== 'incomplete');
}

export async function isUsedHere(
  store: Store,
  { scope }: Lesson,
  deliveries: readonly Delivery[],
  { isHere }: Place,
): Promise<boolean> {
  if (scope.kind === 'project') return isHere(scope.id ?? '');
  for (const { agent, sessionId } of listSessions(deliveries).slice(-MAX_SESSIONS)) {
    const session = await store.findSession(agent, sessionId);
    if (session !== undefined && isHere(session.projectId)) return true;
  }
  return false;
}

function listSessions(deliveries: readonly Delivery[]): readonly Delivery[] {
  return [...new Map(deliveries.map((one) => [`${one.agent} ${one.sessionId}`, one])).values()];
}
