/** `oncebitten promote reject`: not in a file; the lesson goes on speaking at its calls. */
import type { Promotion } from '../../../base/promotion.ts';
import type { Handler } from '../command.ts';
import {
  type Chosen,
  changePromotions,
  checkHere,
  getMovable,
  type Moved,
  type Round,
} from '../promote/change-promotions.ts';
import { makePromotions } from '../promote/make-promotions.ts';
import { toPromotionResult } from '../promote/to-promotion-result.ts';
import { refuse } from '../share/check-shareable.ts';

export const run: Handler = async (input) => {
  const changed = await changePromotions(input, { decide });
  return toPromotionResult(changed, {
    done: 'Rejected',
    next: 'Take it back: oncebitten promote propose',
    isProposing: true,
  });
};

function decide(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, promotions, verdict } = chosen;
  const { by, at } = round.act;
  checkHere(lesson, round.place);
  if (promotions.length === 0 && verdict.verdict !== 'candidate')
    throw refuse(lesson, 'is not proposed', 'see what is: oncebitten promote list');
  const rejected: readonly Promotion[] =
    promotions.length === 0
      ? makePromotions(chosen, round, 'rejected')
      : getMovable(chosen, 'reject').map((one) => ({ ...one, state: 'rejected', by, at }));
  return rejected.map((promotion) => ({ promotion, told: `rejected for ${promotion.file}` }));
}
