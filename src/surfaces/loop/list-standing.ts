/**
 * Which promoted lessons their files really hold. After a change of branch, or of the file, one may be gone from it: then
 * no agent reads it there, and it speaks at its calls again.
 */
import { makeToProjectId } from '../../base/project-alias.ts';
import type { Promotion } from '../../base/promotion.ts';
import type { Store } from '../../base/store.ts';
import { findAnyStanding } from '../find-standing.ts';

/** A project may have had many worktrees: so many are looked at, the newest. */
const MAX_ROOTS = 20;

/** `isMeant`: files are read for these only. */
export async function listStanding(
  store: Store,
  isMeant: (promotion: Promotion) => boolean = () => true,
): Promise<readonly Promotion[]> {
  const applied = (await store.listPromotions({ state: 'applied' })).filter(isMeant);
  if (applied.length === 0) return [];
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const roots = Map.groupBy(await store.listProjectRoots(), ([id]) => toProjectId(id));
  const standing: Promotion[] = [];
  for (const promotion of applied) {
    const lesson = await store.findLesson(promotion.lessonId);
    const known = roots.get(toProjectId(promotion.projectId))?.flatMap(([, all]) => all) ?? [];
    if (lesson !== undefined && findAnyStanding(promotion, lesson, known.slice(-MAX_ROOTS)) !== 'gone')
      standing.push(promotion);
  }
  return standing;
}
