/**
 * Renders and parses the trailer: the last line of a delivered text, which tells programs which lessons were shown and
 * why. The same call gives the same bytes, so a trailer contains no delivery ids and no times.
 */

import { DELIVERY_MODES, type DeliveryMode } from '../base/model/lesson.ts';
import type { CompiledLesson } from '../base/model/manifest.ts';
import { toHarmless } from './harmless-text.ts';

interface Trailed {
  readonly lesson: Pick<CompiledLesson, 'slug' | 'why'>;
  readonly mode: DeliveryMode;
  readonly score: number;
}

export function renderTrailer(trailed: readonly Trailed[]): string {
  const shown = trailed.map(({ lesson, mode, score }) => {
    return { lesson: lesson.slug, mode, score, why: toHarmless(lesson.why ?? '') };
  });
  // The JSON must neither end the comment nor open a tag.
  const json = JSON.stringify({ shown }).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return `<!-- oncebitten: ${json} -->`;
}

export interface TrailerEntry {
  /** The slug. */
  readonly lesson: string;
  readonly mode: DeliveryMode;
}

const QUOTE = String.raw`\\*"`;
const TRAILER_BEGIN = 'oncebitten: {';
const ENTRY = new RegExp(['lesson', ':', '([^"\\\\]+)', ',', 'mode', ':', '(\\w+)', ''].join(QUOTE), 'g');
/** A trailer is one line, also where it is quoted. */
const TRAILER_END = /-->|\n/;
/** Longer than any trailer within the budget. */
const MAX_CHARS = 16_384;

/** Finds the trailers in a text, also where they are quoted as JSON in a transcript. */
export function parseTrailers(text: string): readonly TrailerEntry[] {
  const entries: TrailerEntry[] = [];
  for (let at = text.indexOf(TRAILER_BEGIN); at !== -1; at = text.indexOf(TRAILER_BEGIN, at + 1)) {
    const rest = text.slice(at, at + MAX_CHARS);
    const trailer = rest.slice(0, rest.search(TRAILER_END) + 1);
    for (const [, lesson = '', name] of trailer.matchAll(ENTRY)) {
      const mode = DELIVERY_MODES.find((one) => one === name);
      if (mode !== undefined) entries.push({ lesson, mode });
    }
  }
  return entries;
}
