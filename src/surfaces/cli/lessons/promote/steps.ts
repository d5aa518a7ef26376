/**
 * The steps of a promotion. `oncebitten lessons promote propose` proposes a lesson (also again after a rejection or
 * rollback), `approve` allows it to be written, and `reject` keeps it out of the files. The approver vouches for the
 * lesson. `apply` writes approved lessons into their files, where they no longer fire; `rollback` removes them, and they
 * fire again.
 */

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hashText, makeId } from '../../../../base/ids.ts';
import { isOpen, type Promotion, type PromotionState } from '../../../../base/model/promotion.ts';
import { findAnyStanding, findStanding, isStanding } from '../../../../loop/promoted-lessons.ts';
import { toSectionName } from '../../../../promote/managed-block.ts';
import {
  applyPromotion,
  type Rollback,
  type RolledBack,
  renderNextCommand,
  rollbackPromotion,
} from '../../../../promote/promotions.ts';
import { isRefused } from '../../../../promote/transition.ts';
import { DEFAULT_FILE } from '../../agent-names.ts';
import { lessonError } from '../../arguments/lessons.ts';
import { saysYes } from '../../arguments/options.ts';
import type { CommandInput, Handler } from '../../command.ts';
import {
  type Chosen,
  changePromotions,
  checkHere,
  checkLesson,
  getMovable,
  type Moved,
  type Round,
  refuseFile,
  toPromotionResult,
} from './change-promotions.ts';
import { isSkillFile, listUsedFiles, toFileHead } from './target-files.ts';

export const runPropose: Handler = async (input) => {
  const changed = await changePromotions(input, { check: checkLesson, decide: decideProposal });
  return toPromotionResult(changed, { done: 'Proposed', next: 'Approve it: oncebitten lessons promote approve' });
};

function decideProposal(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, candidacy, promotions } = chosen;
  if (candidacy.standing !== 'candidate' && !round.force) throw lessonError(lesson, candidacy.reason, candidacy.next);
  const made = makePromotions(chosen, round, 'pending');
  const taken = promotions.find((one) => isOpen(one) && made.some(({ file }) => file === one.file));
  if (taken !== undefined)
    throw lessonError(
      lesson,
      `is proposed already (${taken.file}, ${taken.state})`,
      renderNextCommand('show', lesson.slug),
    );
  return made.map((promotion) => ({ promotion, what: `proposed for ${promotion.file}` }));
}

export const runApprove: Handler = async (input) => {
  const changed = await changePromotions(input, { check: checkLesson, decide: decideApproval });
  return toPromotionResult(changed, { done: 'Approved', next: 'Write it: oncebitten lessons promote apply' });
};

function decideApproval(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, text, promotions, candidacy } = chosen;
  const { by, at } = round.act;
  // A candidate needs no proposal of its own.
  if (promotions.length === 0 && candidacy.standing !== 'candidate')
    throw lessonError(lesson, candidacy.reason, candidacy.next);
  const approved: readonly Promotion[] =
    promotions.length === 0
      ? makePromotions(chosen, round, 'approved')
      : getMovable(chosen, 'approve').map((one) => ({ ...one, state: 'approved', text, by, at }));
  return approved.map((promotion) => ({
    promotion,
    what: `approved for ${promotion.file}`,
    lesson: { ...lesson, reviewedBy: lesson.reviewedBy ?? by },
  }));
}

export const runReject: Handler = async (input) => {
  const changed = await changePromotions(input, { decide: decideRejection });
  return toPromotionResult(changed, {
    done: 'Will not be written (the lessons still fire on calls)',
    next: 'Undo: oncebitten lessons promote propose',
    isProposing: true,
  });
};

function decideRejection(chosen: Chosen, round: Round): readonly Moved[] {
  const { lesson, promotions, candidacy } = chosen;
  const { by, at } = round.act;
  checkHere(lesson, round.place);
  if (promotions.length === 0 && candidacy.standing !== 'candidate')
    throw lessonError(lesson, 'is not proposed', 'see all proposals: oncebitten lessons promote list');
  const rejected: readonly Promotion[] =
    promotions.length === 0
      ? makePromotions(chosen, round, 'rejected')
      : getMovable(chosen, 'reject').map((one) => ({ ...one, state: 'rejected', by, at }));
  return rejected.map((promotion) => ({ promotion, what: `rejected for ${promotion.file}` }));
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

export const runApply: Handler = async (input) => {
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
  const { lesson, candidacy, files } = chosen;
  // A removed section is written again; a changed one is found in the file itself.
  const isOff = (one: Promotion): boolean => findAnyStanding(one, lesson, [place.root]) !== 'there';
  const movable = getMovable(chosen, 'apply', isOff);
  if (movable.length > 0) return movable;
  const where = files === undefined ? '' : ` for ${files.join(' or ')}`;
  const reason = `cannot be written: you have not approved it${where}`;
  if (candidacy.standing === 'candidate') throw lessonError(lesson, reason, renderNextCommand('approve', lesson.slug));
  throw lessonError(lesson, `${reason}, and it ${candidacy.reason}`, candidacy.next);
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
    what: `written into ${file}`,
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

export const runRollback: Handler = async (input) => {
  const changed = await changePromotions(input, { decide: decideRollback });
  const next = 'Propose it again: oncebitten lessons promote propose';
  return toPromotionResult(changed, { done: 'Rolled back', next, isProposing: true });
};

function decideRollback(chosen: Chosen, round: Round): readonly Moved[] {
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
  if (elsewhere === undefined) throw lessonError(lesson, 'is in no file', renderNextCommand('show', lesson.slug));
  const next = isHere(elsewhere) ? renderNextCommand('rollback', lesson.slug) : `run the command in ${elsewhere.root}`;
  throw lessonError(lesson, `is in ${join(elsewhere.root, elsewhere.file)}`, next);
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
    what: isGone ? `was no longer in ${promotion.file}` : `removed from ${promotion.file}`,
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
    throw lessonError(lesson, `is in ${join(promotion.root, file)}, not here`, `run the command in ${promotion.root}`);
  return isGone;
}
