/**
 * `oncebitten lessons promote apply`: writes what was approved into its files; there the lesson is not said singly any
 * more.
 */

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hashText } from '../../../../base/ids.ts';
import type { Promotion } from '../../../../base/model/promotion.ts';
import { findAnyStanding } from '../../../../loop/promoted-lessons.ts';
import { toSectionName } from '../../../../promote/managed-block.ts';
import { applyPromotion, renderNextCommand } from '../../../../promote/promotions.ts';
import { isRefused } from '../../../../promote/transition.ts';
import { saysYes } from '../../arguments/options.ts';
import type { CommandInput, Handler } from '../../command.ts';
import { refuse } from '../share/shared-lesson.ts';
import {
  type Chosen,
  changePromotions,
  checkLesson,
  getMovable,
  type Moved,
  type Round,
  refuseFile,
  toPromotionResult,
} from './change-promotions.ts';
import { isSkillFile, toFileHead } from './target-files.ts';

export const run: Handler = async (input) => {
  const changed = await changePromotions(input, {
    async check(chosen, round) {
      await checkLesson(chosen, round);
      for (const promotion of getApproved(chosen, round)) await askForFile(input, promotion, round);
    },
    decide: (chosen, round) => getApproved(chosen, round).map((promotion) => apply(promotion, chosen, round)),
  });
  return toPromotionResult(changed, { done: 'Written', next: 'Undo: oncebitten lessons promote rollback' });
};

function getApproved(chosen: Chosen, { place }: Round): readonly Promotion[] {
  const { lesson, verdict } = chosen;
  // A removed section is written again; a changed one is found in the file itself.
  const isOff = (one: Promotion): boolean => findAnyStanding(one, lesson, [place.root]) !== 'there';
  const movable = getMovable(chosen, 'apply', isOff);
  if (movable.length > 0) return movable;
  const reason = 'is not approved for a file';
  if (verdict.verdict === 'candidate') throw refuse(lesson, reason, renderNextCommand('approve', lesson.slug));
  throw refuse(lesson, `${reason} and ${verdict.reason}`, verdict.next);
}

function apply(promotion: Promotion, { lesson, text }: Chosen, { edits, act, place, open, force }: Round): Moved {
  const slug = toSectionName(lesson);
  const { file } = promotion;
  const { madeFolders } = edits.edit(join(place.root, file), (bytes) => {
    const limits = open.settings.promotion;
    const result = applyPromotion(bytes, { promotion, slug, text, limits, force, head: toFileHead(file, lesson) });
    if (isRefused(result)) throw refuseFile(file, result.refused, result.next);
    return result.bytes;
  });
  const made = promotion.made ?? madeFolders?.map((folder) => relative(place.root, folder));
  const { before: _, ...rest } = promotion;
  return {
    told: `written into ${file}`,
    promotion: {
      ...{ ...rest, state: 'applied', text, hash: hashText(text), root: place.root, by: act.by, at: act.at },
      ...(made === undefined ? {} : { made }),
    },
  };
}

/** Creates a missing file only with `--create` or after a question, because the project may not want one. */
async function askForFile(input: CommandInput, { file }: Promotion, { place, dryRun }: Round): Promise<void> {
  const { options } = input;
  const isWanted = options.target !== undefined || options.create === true || isSkillFile(file);
  if (dryRun || isWanted || existsSync(join(place.root, file))) return;
  if (await saysYes(input, `${place.root} has no ${file}. Create it?`)) return;
  throw refuseFile(file, `is not in ${place.root}`, 'create it with --create, or choose another file with --target');
}
