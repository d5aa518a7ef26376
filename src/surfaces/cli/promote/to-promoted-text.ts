/** What a lesson says in a file: what came from outside has no tags in it, as at a call. */
import type { Lesson } from '../../../base/lesson.ts';
import { toHarmless, toUnmarked } from '../../../match/to-harmless.ts';
import { renderPromotion } from '../../../promote/render-promotion.ts';

export function toPromotedText(lesson: Lesson): string {
  const { origin, file, scope } = lesson;
  const isForeign = origin.trust === 'foreign' || origin.kind === 'import' || origin.kind === 'model';
  return renderPromotion(lesson, isForeign || file !== undefined || scope.kind === 'team' ? toHarmless : toUnmarked);
}
