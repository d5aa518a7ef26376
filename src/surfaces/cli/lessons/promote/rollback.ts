/** `oncebitten lessons promote rollback`: takes a lesson out of its files again; it is said at its calls as before. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Promotion } from '../../../../base/model/promotion.ts';
import { findStanding, isStanding } from '../../../../loop/promoted-lessons.ts';
import { toSectionName } from '../../../../promote/managed-block.ts';
import {
  type Rollback,
  type RolledBack,
  renderNextCommand,
  rollbackPromotion,
} from '../../../../promote/promotions.ts';
import { isRefused } from '../../../../promote/transition.ts';
import type { Handler } from '../../command.ts';
import { refuse } from '../share/shared-lesson.ts';
import {
  type Chosen,
  changePromotions,
  getMovable,
  type Moved,
  type Round,
  refuseFile,
  toPromotionResult,
} from './change-promotions.ts';
import { toFileHead } from './target-files.ts';

export const run: Handler = async (input) => {
  const changed = await changePromotions(input, { decide });
  const next = 'Propose it again: oncebitten lessons promote propose';
  return toPromotionResult(changed, { done: 'Rolled back', next, isProposing: true });
};

function decide(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, files, all } = chosen;
  const applied = all.filter((one) => one.lessonId === lesson.id && one.state === 'applied');
  const own = [...applied, ...listStray(chosen, round)];
  const isHere = (one: Promotion): boolean => round.place.isHere(one.projectId);
  // No command can be run in a clone that is gone.
  const isWanted = (one: Promotion): boolean =>
    (isHere(one) || !existsSync(one.root)) && (files === undefined || files.includes(one.file));
  const wanted = own.filter(isWanted);
  if (wanted.length > 0) return wanted.map((promotion) => rollBack(promotion, chosen, round));
  getMovable(chosen, 'rollback');
  const [elsewhere] = own;
  if (elsewhere === undefined) throw refuse(lesson, 'is in no file', renderNextCommand('show', lesson.slug));
  const next = isHere(elsewhere) ? renderNextCommand('rollback', lesson.slug) : `run the command in ${elsewhere.root}`;
  throw refuse(lesson, `is in ${join(elsewhere.root, elsewhere.file)}`, next);
}

/** What stands in a file although it was never noted, or was ended: after a crash, or with another branch. */
function listStray({ lesson, promotions }: Chosen, { place }: Round): readonly Promotion[] {
  const last = new Map(promotions.map((one) => [one.file, one]));
  return [...last.values()].filter((one) => one.state !== 'applied' && isStanding(one, lesson, place.root));
}

function rollBack(promotion: Promotion, chosen: Chosen, round: Round): Moved {
  const { place, act } = round;
  const isGone = place.isHere(promotion.projectId) ? takeOut(promotion, chosen, round) : true;
  const { hash: _, before: __, made, ...rest } = promotion;
  // While others stand in the file, it is still known that it was made.
  const isThere = existsSync(join(place.root, promotion.file));
  return {
    told: isGone ? `was no longer in ${promotion.file}` : `removed from ${promotion.file}`,
    promotion: {
      ...{ ...rest, state: 'rolled_back', by: act.by, at: act.at },
      ...(made === undefined || isGone || !isThere ? {} : { made }),
    },
  };
}

function takeOut(promotion: Promotion, { lesson, all }: Chosen, { place, edits, force }: Round): boolean {
  const { file } = promotion;
  const made = all.find((one) => one.file === file && one.root === place.root && one.made !== undefined)?.made;
  const rollback: Rollback = {
    ...{ promotion, slug: toSectionName(lesson), force },
    ...(made === undefined ? {} : { madeWith: toFileHead(file, lesson) }),
  };
  let result: RolledBack | undefined;
  const change = (bytes: Buffer | undefined): Buffer | undefined => {
    const done = rollbackPromotion(bytes, rollback);
    if (isRefused(done)) throw refuseFile(file, done.refused, done.next);
    result = done;
    return done.gone ? bytes : done.bytes;
  };
  edits.edit(
    join(place.root, file),
    change,
    made?.map((folder) => join(place.root, folder)),
  );
  const isGone = result?.gone === true;
  if (isGone && place.root !== promotion.root && findStanding(promotion, lesson) !== 'gone' && !force)
    throw refuse(lesson, `is in ${join(promotion.root, file)}, not here`, `run the command in ${promotion.root}`);
  return isGone;
}
