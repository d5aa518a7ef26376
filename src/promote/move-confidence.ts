/**
 * Evidence moves a lesson (E2): a clean outcome raises its confidence, a failure despite it lowers it. Under the
 * threshold a lesson falls silent and waits for a person; measurement alone never brings it back. While it is measured anew
 * it does not fall silent: then nothing would be learned. Nor does a CRITICAL lesson that a person vouches for.
 */
import type { DeliveryOutcome } from '../base/delivery.ts';
import { isVouchedFor } from '../base/is-vouched-for.ts';
import type { Lesson } from '../base/lesson.ts';
import type { Settings } from '../base/settings.ts';

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
  const needsReview = lesson.needsReview || (confidence < settings.minConfidence && !isVouchedFor(lesson));
  return { ...lesson, confidence, needsReview, updatedAt: at };
}
