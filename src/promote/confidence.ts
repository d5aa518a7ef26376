/**
 * Moves the confidence of a lesson by the outcome of its deliveries and by feedback: a clean outcome raises it, a
 * failure despite the lesson lowers it. Below the threshold a lesson falls silent and waits for the user; neither
 * measurement nor praise alone brings it back. Measurement does not silence a lesson that is being measured again,
 * because then nothing would be learned, nor a CRITICAL lesson that a person vouches for.
 */

import type { DeliveryOutcome } from '../base/model/delivery.ts';
import type {
  Feedback,
  FeedbackCase,
  FeedbackSource,
  FeedbackUpdate,
  FeedbackVerdict,
} from '../base/model/feedback.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { isTrusted, isVouchedFor } from '../base/model/lesson-trust.ts';
import type { Settings } from '../base/model/settings.ts';
import { listOpenChanges } from './undo-change.ts';

export const CONFIDENCE_STEPS: Readonly<Record<DeliveryOutcome, number>> = {
  clean: 0.05,
  failed_anyway: -0.1,
  ignored: -0.05,
  incomplete: 0,
};

const LOWEST = 0.1;
const HIGHEST = 0.95;

/** Undefined when the outcome changes nothing. `before`: the outcome of the same delivery until now; its move is taken back. */
export function moveConfidence(
  lesson: Lesson,
  outcome: DeliveryOutcome,
  settings: Pick<Settings, 'minConfidence'>,
  at: string,
  before: DeliveryOutcome = 'incomplete',
): Lesson | undefined {
  const step = CONFIDENCE_STEPS[outcome] - CONFIDENCE_STEPS[before];
  if (step === 0) return undefined;
  const lowest = lesson.measure?.retest === undefined ? LOWEST : Math.min(lesson.confidence, settings.minConfidence);
  const moved = Math.min(HIGHEST, Math.max(lowest, lesson.confidence + step));
  const confidence = Math.round(moved * 1000) / 1000;
  if (confidence === lesson.confidence) return undefined;
  const needsReview = lesson.needsReview || !isTrusted({ ...lesson, confidence }, settings);
  return { ...lesson, confidence, needsReview, updatedAt: at };
}

/**
 * What people and agents say moves a lesson, each voice by a stated weight and once for each delivery: said again it
 * changes nothing, a changed mind takes back what the first one moved. Under the threshold a lesson falls silent and waits
 * for a person, as with what is measured; praise alone never brings it back. A complaint weighs more than praise:
 * nagging costs every call. An agent's word weighs half of a person's.
 */
export const FEEDBACK_STEPS: Readonly<Record<FeedbackSource, Readonly<Record<FeedbackVerdict, number>>>> = {
  user: { helpful: 0.1, 'not-helpful': -0.15 },
  agent: { helpful: 0.05, 'not-helpful': -0.075 },
};

/** Somebody speaks. `id` and `command` are new. */
export type NewFeedback = Omit<Feedback, 'lessonId' | 'moved' | 'isFlagging'>;

/** Undefined when the same was said before. */
export function giveFeedback(
  { lesson, feedback, history }: FeedbackCase,
  given: NewFeedback,
  settings: Pick<Settings, 'minConfidence'>,
): FeedbackUpdate | undefined {
  const earlier = feedback.find(({ deliveryId, by }) => deliveryId === given.deliveryId && by === given.by);
  const standing = earlier !== undefined && isStanding(earlier, history) ? earlier : undefined;
  if (standing?.verdict === given.verdict) return noteAgain(standing, given);
  const id = earlier?.id ?? given.id;
  const before = standing === undefined ? lesson : takeBack(lesson, standing);
  const confidence = lesson.status === 'archived' ? before.confidence : toMoved(before.confidence, given);
  // An agent's word does not silence a CRITICAL lesson that a person vouches for.
  const isSpared = lesson.status === 'archived' || (given.from === 'agent' && isVouchedFor(lesson));
  const needsReview = before.needsReview || (!isSpared && confidence < settings.minConfidence);
  const saved: Feedback = {
    ...{ ...given, id, lessonId: lesson.id },
    moved: toRounded(confidence - before.confidence),
    isFlagging: needsReview && !before.needsReview,
  };
  if (confidence === lesson.confidence && needsReview === lesson.needsReview) return { feedback: saved };
  const moved = { ...lesson, confidence, needsReview, updatedAt: given.at };
  return { feedback: saved, update: { lesson: moved, change: toChange(lesson, moved, given) } };
}

/** Another note about the same moves nothing. */
function noteAgain(standing: Feedback, { note, at }: NewFeedback): FeedbackUpdate | undefined {
  return note === undefined || note === standing.note ? undefined : { feedback: { ...standing, note, at } };
}

/** Whoever undid its change took its weight back already. What never moved the lesson stands. */
export function isStanding({ command }: Feedback, history: FeedbackCase['history']): boolean {
  const own = history.find((change) => change.command === command);
  return own === undefined || listOpenChanges(history, 'undo').some(({ id }) => id === own.id);
}

function takeBack(lesson: Lesson, { moved, isFlagging }: Feedback): Lesson {
  const lowest = Math.min(LOWEST, lesson.confidence);
  const highest = Math.max(HIGHEST, lesson.confidence);
  const confidence = toRounded(Math.min(highest, Math.max(lowest, lesson.confidence - moved)));
  // What was measured meanwhile may want a person too.
  const needsReview = lesson.needsReview && !(isFlagging && lesson.measure?.doubt === undefined);
  return { ...lesson, confidence, needsReview };
}

/** Within the bounds; what is beyond them already is not moved the other way. */
function toMoved(confidence: number, { from, verdict }: NewFeedback): number {
  const step = FEEDBACK_STEPS[from][verdict];
  const moved = toRounded(confidence + step);
  return step > 0 ? Math.max(confidence, Math.min(HIGHEST, moved)) : Math.min(confidence, Math.max(LOWEST, moved));
}

/** Without the note: the history stays when what the note is about is forgotten. */
function toChange(before: Lesson, after: Lesson, { by, at, command, verdict, deliveryId }: NewFeedback) {
  const about = deliveryId === undefined ? 'the lesson' : `delivery ${deliveryId}`;
  const reason = `feedback: ${verdict}, about ${about}: confidence ${before.confidence} -> ${after.confidence}`;
  return { by, at, command, reason };
}

function toRounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
