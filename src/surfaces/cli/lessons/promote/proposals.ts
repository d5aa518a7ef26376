/**
 * `oncebitten lessons promote propose`, `approve` and `reject`: propose a lesson for promotion (also again after a
 * rejection or rollback), allow it to be written, or keep it out of the files. The approver vouches for the lesson. A
 * lesson whose promotion is rejected still fires at its calls.
 */

import { makeId } from '../../../../base/ids.ts';
import { isOpen, type Promotion, type PromotionState } from '../../../../base/model/promotion.ts';
import { renderNextCommand } from '../../../../promote/promotions.ts';
import { DEFAULT_FILE } from '../../agent-names.ts';
import type { Handler } from '../../command.ts';
import { refuse } from '../share/shared-lesson.ts';
import {
  type Chosen,
  changePromotions,
  checkHere,
  checkLesson,
  getMovable,
  type Moved,
  type Round,
  toPromotionResult,
} from './change-promotions.ts';
import { listUsedFiles } from './target-files.ts';

export const runProposePromotion: Handler = async (input) => {
  const changed = await changePromotions(input, { check: checkLesson, decide: decideProposal });
  return toPromotionResult(changed, { done: 'Proposed', next: 'Approve it: oncebitten lessons promote approve' });
};

function decideProposal(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, verdict, promotions } = chosen;
  if (verdict.verdict !== 'candidate' && !round.force) throw refuse(lesson, verdict.reason, verdict.next);
  const made = makePromotions(chosen, round, 'pending');
  const taken = promotions.find((one) => isOpen(one) && made.some(({ file }) => file === one.file));
  if (taken !== undefined)
    throw refuse(lesson, `is proposed already (${taken.file}, ${taken.state})`, renderNextCommand('show', lesson.slug));
  return made.map((promotion) => ({ promotion, told: `proposed for ${promotion.file}` }));
}

/** `oncebitten lessons promote approve`: it may be written. Whoever says so vouches for the lesson. */
export const runApprovePromotion: Handler = async (input) => {
  const changed = await changePromotions(input, { check: checkLesson, decide: decideApproval });
  return toPromotionResult(changed, { done: 'Approved', next: 'Write it: oncebitten lessons promote apply' });
};

function decideApproval(chosen: Chosen, round: Round): readonly Moved[] {
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

/** `oncebitten lessons promote reject`: keeps the lesson out of files; it still fires on its calls. */
export const runRejectPromotion: Handler = async (input) => {
  const changed = await changePromotions(input, { decide: decideRejection });
  return toPromotionResult(changed, {
    done: 'Rejected',
    next: 'Undo: oncebitten lessons promote propose',
    isProposing: true,
  });
};

function decideRejection(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, promotions, verdict } = chosen;
  const { by, at } = round.act;
  checkHere(lesson, round.place);
  if (promotions.length === 0 && verdict.verdict !== 'candidate')
    throw refuse(lesson, 'is not proposed', 'see all proposals: oncebitten lessons promote list');
  const rejected: readonly Promotion[] =
    promotions.length === 0
      ? makePromotions(chosen, round, 'rejected')
      : getMovable(chosen, 'reject').map((one) => ({ ...one, state: 'rejected', by, at }));
  return rejected.map((promotion) => ({ promotion, told: `rejected for ${promotion.file}` }));
}

/** New promotions of a lesson: one for each file that it should stand in. */
function makePromotions({ lesson, text, files }: Chosen, round: Round, state: PromotionState): readonly Promotion[] {
  const { act, place } = round;
  const used = files ?? listUsedFiles(place.root);
  const common = { lessonId: lesson.id, projectId: place.projectId, root: place.root, state, text };
  return [...new Set(used.length === 0 ? [DEFAULT_FILE] : used)].map((file) => ({
    ...{ id: makeId('prm', Date.parse(act.at)), ...common, file },
    ...{ by: act.by, at: act.at, createdAt: act.at },
  }));
}
