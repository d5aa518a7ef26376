/** The trailers in a text, as `render-trailer.ts` writes them: also where they are quoted as JSON, in a log of a conversation. */
import { DELIVERY_MODES, type DeliveryMode } from '../base/lesson.ts';

export interface Told {
  /** The slug. */
  readonly lesson: string;
  readonly mode: DeliveryMode;
}

const QUOTE = String.raw`\\*"`;
const BEGIN = 'oncebitten: {';
const ENTRY = new RegExp(['lesson', ':', '([^"\\\\]+)', ',', 'mode', ':', '(\\w+)', ''].join(QUOTE), 'g');
/** A trailer is one line, and so is what quotes it. */
const END = /-->|\n/;
/** More than a trailer has: it stands within a budget. */
const MAX_CHARS = 16_384;

export function parseTrailers(text: string): readonly Told[] {
  const told: Told[] = [];
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, at + 1)) {
    const rest = text.slice(at, at + MAX_CHARS);
    const trailer = rest.slice(0, rest.search(END) + 1);
    for (const [, lesson = '', name] of trailer.matchAll(ENTRY)) {
      const mode = DELIVERY_MODES.find((one) => one === name);
      if (mode !== undefined) told.push({ lesson, mode });
    }
  }
  return told;
}
