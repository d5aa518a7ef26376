/** `oncebitten promote approve`: it may be written. Whoever says so vouches for the lesson. */
import type { Promotion } from '../../../base/promotion.ts';
import type { Handler } from '../command.ts';
import {
  type Chosen,
  changePromotions,
  checkLesson,
  getMovable,
  type Moved,
  type Round,
} from '../promote/change-promotions.ts';
import { makePromotions } from '../promote/make-promotions.ts';
import { toPromotionResult } from '../promote/to-promotion-result.ts';
import { refuse } from '../share/check-shareable.ts';

export const run: Handler = async (input) => {
  const changed = await changePromotions(input, { check: checkLesson, decide });
  return toPromotionResult(changed, { done: 'Approved', next: 'Write it: oncebitten promote apply' });
};

function decide(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, text, promotions, verdict } = chosen;
  const { by, at } = round.act;
  // A candidate needs no proposal of its own.
  if (promotions.length === 0 && verdict.verdict !== 'candidate') throw refuse(lesson, verdict.reason, verdict.next);
  const approved: readonly Promotion[] =
    promotions.length === 0
      ? makePromotions(chosen, round, 'approved')
      : getMovable(chosen, 'approve').map((one) => ({ ...one, state: 'approved', text, by, at }));
  return approved.map((promotion) => ({
    promotion,
    told: `approved for ${promotion.file}`,
    lesson: { ...lesson, reviewedBy: lesson.reviewedBy ?? by },
  }));
}
