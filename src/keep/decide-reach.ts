/**
 * How far a lesson may go by what is known of it. What a person set stands. Else it may hold a call back where it is
 * trusted and its trigger was right in the user's own past calls, and correct one where calls have shown the word that
 * works, or the mistake came again and again although it was said. To refuse for good is for a person alone.
 */
import { isUnconfirmed } from '../base/is-vouched-for.ts';
import type { DeliveryMode, Lesson } from '../base/lesson.ts';

const MIN_CONFIDENCE = 0.8;
const MIN_OBSERVATIONS = 3;
const MAX_FALSE_SHARE = 0.2;

export function decideReach(lesson: Lesson): DeliveryMode {
  const { mode, modeBy, reviewedBy, status, replacement, measure } = lesson;
  if (status !== 'active' || isUnconfirmed(lesson)) return 'note';
  if (modeBy !== undefined && mode === 'note') return 'note';
  const isPersons = mode !== 'note' && (modeBy ?? reviewedBy) !== undefined;
  // Whoever approved a lesson did not ask for all calls like it to be refused for good.
  if (isPersons && mode === 'block' && modeBy === undefined) return 'pause';
  if (isPersons) return mode === 'rewrite' && replacement === undefined ? 'pause' : mode;
  if (!isProven(lesson) && !(mode === 'pause' && measure?.raised !== undefined)) return 'note';
  return replacement !== undefined && isProven(lesson) ? 'rewrite' : 'pause';
}

function isProven({ confidence, tested }: Lesson): boolean {
  if (confidence < MIN_CONFIDENCE || tested === undefined) return false;
  const observed = tested.hits + tested.falseAlarms;
  return observed >= MIN_OBSERVATIONS && tested.falseAlarms <= observed * MAX_FALSE_SHARE;
}
