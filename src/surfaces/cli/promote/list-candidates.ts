/** Lessons that have proven themselves in this project and that nobody has decided about yet. */
import type { TrackRecord } from '../../../base/delivery.ts';
import type { Lesson } from '../../../base/lesson.ts';
import type { Promotion } from '../../../base/promotion.ts';
import type { Settings } from '../../../base/settings.ts';
import type { Store } from '../../../base/store.ts';
import { judgeCandidate, type Track } from '../../../promote/judge-candidate.ts';
import { isUsedHere, listJudged, readEffect, toTrack } from './read-track.ts';
import type { Place } from './to-place.ts';

export interface Candidate {
  readonly lesson: Lesson;
  readonly track: Track;
}

export async function listCandidates(
  { store, settings }: { readonly store: Store; readonly settings: Settings },
  promotions: readonly Promotion[],
  place: Place,
): Promise<readonly Candidate[]> {
  const decided = new Set(promotions.filter(({ projectId }) => place.isHere(projectId)).map((one) => one.lessonId));
  const records = new Map((await store.listTrackRecords()).map((record) => [record.lessonId, record]));
  const candidates: Candidate[] = [];
  for (const lesson of await store.listLessons({ status: 'active' })) {
    const record = records.get(lesson.id);
    if (record === undefined || decided.has(lesson.id) || !mayBe(lesson, record, settings)) continue;
    const deliveries = await listJudged(store, lesson);
    const track = { ...toTrack(record, deliveries), ...(await readEffect(store, lesson)) };
    if (judgeCandidate(lesson, track, settings.promotion).verdict !== 'candidate') continue;
    if (await isUsedHere(store, lesson, deliveries, place)) candidates.push({ lesson, track });
  }
  return candidates;
}

/** What costs nothing to ask: the deliveries of most lessons are never looked at. */
function mayBe(lesson: Lesson, { judged, clean }: TrackRecord, { promotion }: Settings): boolean {
  const best = { judged, clean, sessions: Number.POSITIVE_INFINITY };
  return judgeCandidate(lesson, best, promotion).verdict === 'candidate';
}
