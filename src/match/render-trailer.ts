/**
 * The last line of what is said at a call, for programs that read it: what was shown and why. The same call gives the same
 * bytes: no ids of deliveries, no times.
 */
import type { DeliveryMode } from '../base/lesson.ts';
import type { CompiledLesson } from '../base/manifest.ts';
import { toHarmless } from './to-harmless.ts';

export interface Trailed {
  readonly lesson: Pick<CompiledLesson, 'slug' | 'why'>;
  readonly mode: DeliveryMode;
  readonly score: number;
}

export function renderTrailer(trailed: readonly Trailed[]): string {
  const shown = trailed.map(({ lesson, mode, score }) => {
    return { lesson: lesson.slug, mode, score, why: toHarmless(lesson.why ?? '') };
  });
  // The text of a comment must not end it, nor open anything.
  const json = JSON.stringify({ shown }).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return `<!-- oncebitten: ${json} -->`;
}
