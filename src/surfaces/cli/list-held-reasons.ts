/** Why a lesson waits for a person: everything that ever held it back, and what was said of it last. */
import type { Lesson, LessonChange } from '../../base/lesson.ts';
import { HELD_BACK } from '../../distill/lesson/gate-lesson.ts';

/** How `learn-finding.ts` begins what it says of a back-test. */
const LEARNED = /^(?:learned, \w+|seen again): /;

/** `history`: the oldest change first. */
export function listHeldReasons({ measure, validity }: Lesson, history: readonly LessonChange[]): readonly string[] {
  const reasons = history.map(({ reason }) => reason.replace(LEARNED, ''));
  const refuted = validity.refutedBy?.length ?? 0;
  return [
    ...new Set([
      ...reasons.flatMap(toCautions),
      ...(measure?.doubt === undefined ? [] : [measure.doubt]),
      ...(refuted === 0 ? [] : [`${refuted} ${refuted === 1 ? 'call' : 'calls'} that it speaks at worked`]),
    ]),
  ];
}

/** What the back-test said last. */
export function findBackTest(history: readonly LessonChange[]): string | undefined {
  const told = history.findLast(({ reason }) => LEARNED.test(reason) || /\d+ hits?\b/.test(reason))?.reason;
  if (told === undefined) return undefined;
  const reason = told.replace(LEARNED, '');
  // What held it back is said for itself.
  return reason.startsWith(HELD_BACK) ? reason.slice(reason.indexOf('; ') + 2) : reason;
}

/** `held back: one, another; 2 hits …`, or behind what else was done; `imported from a file; one; another`. */
function toCautions(reason: string): readonly string[] {
  if (reason.startsWith('imported from ')) return reason.split('; ').slice(1);
  const at = reason.indexOf(HELD_BACK);
  if (at < 0) return [];
  return (reason.slice(at + HELD_BACK.length).split('; ', 1)[0] ?? '').split(', ').filter((one) => one !== '');
}
