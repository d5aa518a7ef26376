/**
 * Checks which promoted lessons their files really contain, and checks again whenever a session starts. A change of
 * branch or an edit may remove a lesson from its file; then no agent reads the lesson there, so it fires at its calls
 * again. The check runs in the worker, where no agent waits for it.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../base/contracts/store.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { makeToProjectId } from '../base/model/project.ts';
import type { Promotion } from '../base/model/promotion.ts';
import { toSessionKey } from '../base/model/session.ts';
import { decodeBytes, parseManagedBlock, toSectionName } from '../promote/managed-block.ts';
import { isEdited } from '../promote/promotions.ts';
import { isRefused } from '../promote/transition.ts';
import type { Sight } from './keep-facts.ts';

/** Number of worktrees to check, the newest ones. */
const MAX_ROOTS = 20;

/** `isMeant` selects the promotions whose files are read. */
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

/** `gone`: somebody removed it, or the file. `unclear`: the file cannot be read, or its block is broken. */
export type Standing = 'there' | 'changed' | 'gone' | 'unclear';
type Named = Pick<Lesson, 'slug' | 'id'>;

/** The state of a promoted lesson in its file. */
export function findStanding(promotion: Promotion, lesson: Named, root = promotion.root): Standing {
  try {
    const found = parseManagedBlock(decodeBytes(readFileSync(join(root, promotion.file))));
    if (isRefused(found)) return 'unclear';
    const section = found.block?.sections.find((one) => one.slug === toSectionName(lesson));
    if (section === undefined) return 'gone';
    return isEdited(section, promotion) ? 'changed' : 'there';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unclear';
  }
}

/** True if the file of this clone certainly contains the lesson. */
export function isStanding(promotion: Promotion, lesson: Named, root: string): boolean {
  const standing = findStanding(promotion, lesson, root);
  return standing === 'there' || standing === 'changed';
}

/** The lesson is gone only if no clone has it. */
export function findAnyStanding(promotion: Promotion, lesson: Named, roots: readonly string[]): Standing {
  for (const root of new Set([promotion.root, ...roots])) {
    const standing = findStanding(promotion, lesson, root);
    if (standing !== 'gone') return standing;
  }
  return 'gone';
}

/** Number of sessions to remember. */
const MAX_KNOWN = 1_000;

interface StandingWatch {
  /** Returns true if lessons must be compiled again. */
  take(sights: readonly Sight[]): Promise<boolean>;
}

/**
 * Checks at the start of each session, when the agent reads its files, whether promoted lessons were added or removed, by
 * a change of branch or by hand.
 */
export function makeStandingWatch(store: Store): StandingWatch {
  const known = new Set<string>();
  let last: string | undefined;
  return {
    async take(sights) {
      // Past sessions read no files any more.
      const live = sights.filter(({ source }) => source === 'hook');
      const fresh = live.map(toSessionKey).filter((key) => !known.has(key));
      if (fresh.length === 0) return false;
      if (known.size > MAX_KNOWN) known.clear();
      for (const key of fresh) known.add(key);
      const standing = (await listStanding(store)).map(({ id }) => id).join(' ');
      // What was compiled before this process started is unknown.
      const isChanged =
        last === undefined ? (await store.listPromotions({ state: 'applied' })).length > 0 : standing !== last;
      last = standing;
      return isChanged;
    },
  };
}
