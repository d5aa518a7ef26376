/** What has become of a lesson in the file that it was written into. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../base/lesson.ts';
import type { Promotion } from '../base/promotion.ts';
import { isEdited } from '../promote/apply-promotion.ts';
import { toRaw, toSectionName } from '../promote/managed-block.ts';
import { parseManagedBlock } from '../promote/parse-managed-block.ts';
import { isRefused } from '../promote/transition.ts';

/** `gone`: somebody removed it, or the file. `unclear`: the file cannot be read, or its block is broken. */
export type Standing = 'there' | 'changed' | 'gone' | 'unclear';
type Named = Pick<Lesson, 'slug' | 'id'>;

export function findStanding(promotion: Promotion, lesson: Named, root = promotion.root): Standing {
  try {
    const found = parseManagedBlock(toRaw(readFileSync(join(root, promotion.file))));
    if (isRefused(found)) return 'unclear';
    const section = found.block?.sections.find((one) => one.slug === toSectionName(lesson));
    if (section === undefined) return 'gone';
    return isEdited(section, promotion) ? 'changed' : 'there';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unclear';
  }
}

/** Is it in the file of this clone, for certain? */
export function isStanding(promotion: Promotion, lesson: Named, root: string): boolean {
  const standing = findStanding(promotion, lesson, root);
  return standing === 'there' || standing === 'changed';
}

/** It is gone when it is neither in the clone that it was written in nor in any of these. */
export function findAnyStanding(promotion: Promotion, lesson: Named, roots: readonly string[]): Standing {
  for (const root of new Set([promotion.root, ...roots])) {
    const standing = findStanding(promotion, lesson, root);
    if (standing !== 'gone') return standing;
  }
  return 'gone';
}
