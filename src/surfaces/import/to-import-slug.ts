/**
 * The name of a lesson that an import brings: like any of ours, but its last signs follow from what it says and where. So a
 * dry run names what the import will, and the same file brings the same names.
 */
import { createHash } from 'node:crypto';
import { makeSlug } from '../../base/ids.ts';
import type { Lesson } from '../../base/lesson.ts';

const SIGNS = 4;

export type Named = Pick<Lesson, 'summary' | 'contentHash' | 'scope'>;

/** `words`: what the name is made of, where that is not the summary. */
export function toImportSlug(
  { summary, contentHash, scope }: Named,
  isTaken: (slug: string) => boolean = () => false,
  words = summary,
): string {
  const stem = makeSlug(words).slice(0, -SIGNS);
  for (let n = 0; ; n++) {
    const seed = JSON.stringify([summary, contentHash, scope.kind, scope.id ?? '', n]);
    const slug = `${stem}${toSigns(seed)}`;
    if (!isTaken(slug)) return slug;
  }
}

function toSigns(seed: string): string {
  const number = createHash('sha256').update(seed).digest().readUIntBE(0, 6);
  return (number % 36 ** SIGNS).toString(36).padStart(SIGNS, '0');
}
