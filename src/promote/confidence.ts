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
import { toThousandths } from '../base/statistics/estimates.ts';
import { listOpenChanges } from './undo-change.ts';

export const CONFIDENCE_STEPS: Readonly<Record<DeliveryOutcome, number>> = {
  clean: 0.05,
  failed_anyway: -0.1,
  ignored: -0.05,
  incomplete: 0,
};

const LOWEST = 0.1;
const HIGHEST = 0.95;

/** Undefined if nothing changes. `before`: the previous outcome of the same delivery, whose move is taken back. */
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
  const confidence = toThousandths(moved);
  if (confidence === lesson.confidence) return undefined;
  const needsReview = lesson.needsReview || !isTrusted({ ...lesson, confidence }, settings);
  return { ...lesson, confidence, needsReview, updatedAt: at };
}

/**
 * How far feedback moves a lesson's confidence, once for each author and delivery. Repeated feedback changes nothing,
 * and a changed opinion takes back the first move. A complaint weighs more than praise, because a useless note costs
 * every call. An agent's feedback weighs half of a person's.
 */
export const FEEDBACK_STEPS: Readonly<Record<FeedbackSource, Readonly<Record<FeedbackVerdict, number>>>> = {
  user: { helpful: 0.1, 'not-helpful': -0.15 },
  agent: { helpful: 0.05, 'not-helpful': -0.075 },
};

/** Feedback that was just given, with a new `id` and `command`. */
export type NewFeedback = Omit<Feedback, 'lessonId' | 'moved' | 'isFlagging'>;

/** Undefined if the same feedback was given before. */
export function giveFeedback(
  { lesson, feedback, history }: FeedbackCase,
  given: NewFeedback,
  settings: Pick<Settings, 'minConfidence'>,
): FeedbackUpdate | undefined {
  const earlier = feedback.find(({ deliveryId, by }) => deliveryId === given.deliveryId && by === given.by);
  const standing = earlier !== undefined && isInEffect(earlier, history) ? earlier : undefined;
  if (standing?.verdict === given.verdict) return noteAgain(standing, given);
  const id = earlier?.id ?? given.id;
  const before = standing === undefined ? lesson : takeBack(lesson, standing);
  const confidence = lesson.status === 'archived' ? before.confidence : toMoved(before.confidence, given);
  // An agent's feedback does not silence a CRITICAL lesson that a person vouches for.
  const isSpared = lesson.status === 'archived' || (given.from === 'agent' && isVouchedFor(lesson));
  const needsReview = before.needsReview || (!isSpared && confidence < settings.minConfidence);
  const saved: Feedback = {
    ...{ ...given, id, lessonId: lesson.id },
    moved: toThousandths(confidence - before.confidence),
    isFlagging: needsReview && !before.needsReview,
  };
  if (confidence === lesson.confidence && needsReview === lesson.needsReview) return { feedback: saved };
  const moved = { ...lesson, confidence, needsReview, updatedAt: given.at };
  return { feedback: saved, update: { lesson: moved, change: toChange(lesson, moved, given) } };
}

/** Another note with the same verdict moves nothing. */
function noteAgain(standing: Feedback, { note, at }: NewFeedback): FeedbackUpdate | undefined {
  return note === undefined || note === standing.note ? undefined : { feedback: { ...standing, note, at } };
}

/**
 * Does the feedback still count? If its change was undone, its move was taken back with it. Feedback that never moved
 * the lesson counts.
 */
export function isInEffect({ command }: Feedback, history: FeedbackCase['history']): boolean {
  const own = history.find((change) => change.command === command);
  return own === undefined || listOpenChanges(history, 'undo').some(({ id }) => id === own.id);
}

function takeBack(lesson: Lesson, { moved, isFlagging }: Feedback): Lesson {
  const lowest = Math.min(LOWEST, lesson.confidence);
  const highest = Math.max(HIGHEST, lesson.confidence);
  const confidence = toThousandths(Math.min(highest, Math.max(lowest, lesson.confidence - moved)));
  // Measurement may also require a review in the meantime.
  const needsReview = lesson.needsReview && !(isFlagging && lesson.measure?.doubt === undefined);
  return { ...lesson, confidence, needsReview };
}

/** Stays within the bounds; a value already outside is not moved in the other direction. */
function toMoved(confidence: number, { from, verdict }: NewFeedback): number {
  const step = FEEDBACK_STEPS[from][verdict];
  const moved = toThousandths(confidence + step);
  return step > 0 ? Math.max(confidence, Math.min(HIGHEST, moved)) : Math.min(confidence, Math.max(LOWEST, moved));
}

/** Leaves out the note, because the history stays when the note's subject is forgotten. */
function toChange(before: Lesson, after: Lesson, { by, at, command, verdict, deliveryId }: NewFeedback) {
  const about = deliveryId === undefined ? 'the lesson' : `delivery ${deliveryId}`;
  const reason = `feedback: ${verdict}, about ${about}: confidence ${before.confidence} -> ${after.confidence}`;
  return { by, at, command, reason };
}
