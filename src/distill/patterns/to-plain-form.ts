/** The masked form of a message for people: each mask is an ellipsis, and what only points at a place is left out. */
import { MASK } from '../../base/text/mask-word.ts';

/** Where it was said: a file and line, or a shell that was given a line to run. */
const PLACE_FIRST = /^(?:(?:\(eval\)|(?:ba|z|da|k)?sh:)?\s*…[:,]?\s*)+/;
const ELLIPSES = /…(?:[\s:,./-]*…)+/g;

export function toPlainForm(template: string): string {
  const bare = template.replaceAll(MASK, '…').replaceAll(ELLIPSES, '…').trim();
  return bare.replace(PLACE_FIRST, '').trim() || bare;
}

/** Says that something failed, not what. */
const EMPTY_WORDS = new Set(
  'exit status code error errors fail failed failure warning package issue issues problem problems line file test tests found with from the and for'.split(
    ' ',
  ),
);
const WORD = /\p{L}{3,}/gu;

/** Is there a word in it that tells it from any other failure? */
export function isTelling(template: string): boolean {
  const words = template.replaceAll(MASK, ' ').toLowerCase().match(WORD) ?? [];
  return words.some((word) => !EMPTY_WORDS.has(word));
}
