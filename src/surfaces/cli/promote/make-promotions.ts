/** New promotions of a lesson: one for each file that it should stand in. */
import { makeId } from '../../../base/ids.ts';
import type { Promotion, PromotionState } from '../../../base/promotion.ts';
import type { Chosen, Round } from './change-promotions.ts';
import { DEFAULT_FILE, listUsedFiles } from './find-target-files.ts';

export function makePromotions(
  { lesson, text, files }: Chosen,
  round: Round,
  state: PromotionState,
): readonly Promotion[] {
  const { act, place } = round;
  const used = files ?? listUsedFiles(place.root);
  const common = { lessonId: lesson.id, projectId: place.projectId, root: place.root, state, text };
  return [...new Set(used.length === 0 ? [DEFAULT_FILE] : used)].map((file) => ({
    ...{ id: makeId('prm', Date.parse(act.at)), ...common, file },
    ...{ by: act.by, at: act.at, createdAt: act.at },
  }));
}
