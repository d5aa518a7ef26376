/** `oncebitten promote propose`: a person names a lesson for promotion, or again one that was rejected or rolled back. */
import { isOpen } from '../../../base/promotion.ts';
import { toNext } from '../../../promote/move-promotion.ts';
import type { Handler } from '../command.ts';
import { type Chosen, changePromotions, checkLesson, type Moved, type Round } from '../promote/change-promotions.ts';
import { makePromotions } from '../promote/make-promotions.ts';
import { toPromotionResult } from '../promote/to-promotion-result.ts';
import { refuse } from '../share/check-shareable.ts';

export const run: Handler = async (input) => {
  const changed = await changePromotions(input, { check: checkLesson, decide });
  return toPromotionResult(changed, { done: 'Proposed', next: 'Approve it: oncebitten promote approve' });
};

function decide(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, verdict, promotions } = chosen;
  if (verdict.verdict !== 'candidate' && !round.force) throw refuse(lesson, verdict.reason, verdict.next);
  const made = makePromotions(chosen, round, 'pending');
  const taken = promotions.find((one) => isOpen(one) && made.some(({ file }) => file === one.file));
  if (taken !== undefined)
    throw refuse(lesson, `is proposed already (${taken.file}, ${taken.state})`, toNext('show', lesson.slug));
  return made.map((promotion) => ({ promotion, told: `proposed for ${promotion.file}` }));
}
