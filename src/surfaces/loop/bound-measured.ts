/**
 * A lesson that is measured from a time that is still to come was decided about while the clock was ahead. Nothing would
 * count until then: it is measured from now on.
 */
import type { Lesson } from '../../base/lesson.ts';
import type { Store } from '../../base/store.ts';

/** Another machine may have named the moment. */
const CLOCKS_MS = 60_000;

/** The lessons as they are then. */
export async function boundMeasured(
  store: Store,
  lessons: readonly Lesson[],
  nowMs: number,
): Promise<readonly Lesson[]> {
  const bounded: Lesson[] = [];
  for (const lesson of lessons) bounded.push(isAhead(lesson, nowMs) ? await bound(store, lesson, nowMs) : lesson);
  return bounded;
}

function isAhead({ measure }: Lesson, nowMs: number): boolean {
  return measure?.from !== undefined && Date.parse(measure.from) > nowMs + CLOCKS_MS;
}

async function bound(store: Store, lesson: Lesson, nowMs: number): Promise<Lesson> {
  const at = new Date(nowMs).toISOString();
  let bounded = lesson;
  await store.updateLessons([lesson.id], ([now]) => {
    if (now === undefined) return [];
    // Somebody may have decided about it meanwhile.
    bounded = isAhead(now, nowMs) ? { ...now, measure: { ...now.measure, from: at }, updatedAt: at } : now;
    if (bounded === now) return [];
    const reason = `measured from now on: the clock was ahead when ${now.measure?.from} was noted`;
    return [{ lesson: bounded, change: { by: 'promote/measure-anew', reason, at } }];
  });
  return bounded;
}
