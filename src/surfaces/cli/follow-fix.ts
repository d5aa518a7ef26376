/**
 * A new fix of a lesson whose summary quotes the old one: the summary gets it too, else an agent would be told both. Where
 * the old fix is not in it word for word nobody but a person can say what it should be.
 */
import type { Lesson } from '../../base/lesson.ts';
import type { LessonPatch } from '../../promote/edit-lesson.ts';

const MAX_SUMMARY = 300;

type Words = Pick<Lesson, 'summary' | 'remediation'>;

export function followFix(before: Words, patch: LessonPatch): LessonPatch {
  const { remediation } = patch;
  if (remediation === undefined || patch.summary !== undefined) return patch;
  const summary = replaceWords(before.summary, before.remediation.trim(), remediation.trim());
  return summary === undefined ? patch : { ...patch, summary };
}

/** Says that the summary may still tell another fix; undefined where it tells this one, or somebody has just written it. */
export function findStaleSummary(before: Words, patch: LessonPatch, after: Words): string | undefined {
  if (patch.remediation === undefined || patch.summary !== undefined) return undefined;
  if (patch.remediation === before.remediation || after.summary !== before.summary) return undefined;
  const fix = after.remediation.trim();
  if (fix !== '' && after.summary.includes(fix)) return undefined;
  return `its summary still says: ${after.summary}`;
}

/** Undefined where the words are not in the text, or the text would no longer be one line of its length. */
function replaceWords(text: string, words: string, by: string): string | undefined {
  if (words === '' || by === '' || words === by || /[\n\r]/.test(by)) return undefined;
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // Not in the middle of another word: `npm i` is not in `pnpm install`.
  const changed = text.replace(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'g'), () => by);
  return changed === text || changed.length > MAX_SUMMARY ? undefined : changed;
}
