/** Which parts of a text stand in what calls printed, and in nothing that the agent typed or the user said. */
import type { MayHold } from './make-run-filter.ts';

export interface Sources {
  /** What calls printed, as one plain line each, in small letters. Several may stand in one text, a line break between. */
  readonly printed: readonly string[];
  /** Says no to most of what stands in none of them. */
  readonly mayHold?: MayHold;
  /** What was typed or said by a person, in the same form; without what had been printed before. */
  readonly typed: readonly string[];
  /** Sentences that were typed after they had been printed. */
  readonly echoed?: readonly string[];
  /** Addresses of that kind. */
  readonly led?: readonly string[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly words: number;
}

/** Scripts that put no space between words: a sign is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[\p{L}\p{N}_]+/gu;
/** So many words together are no accident. */
const RUN = 3;
/** Typed words between printed ones are part of what was printed. */
const MAX_GAP = 3;

export function findQuoted(text: string, sources: Sources): readonly Span[] {
  const low = toSearchable(text);
  const words = [...low.matchAll(WORD)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const spans: { first: number; last: number }[] = [];
  for (let at = 0; at + RUN <= words.length || (at === 0 && words.length > 0); at++) {
    const last = Math.min(at + RUN, words.length) - 1;
    const run = low.slice(words[at]?.start, words[last]?.end);
    if (!isPrinted(run, sources)) continue;
    const open = spans.at(-1);
    if (open !== undefined && at - open.last <= MAX_GAP + 1) open.last = last;
    else spans.push({ first: at, last });
  }
  return spans.map(({ first, last }) => ({
    start: words[first]?.start ?? 0,
    end: words[last]?.end ?? 0,
    words: last - first + 1,
  }));
}

export function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

export function isPrinted(run: string, { printed, mayHold, typed }: Sources): boolean {
  const wanted = run.replace(/\s+/g, ' ');
  if (mayHold?.(wanted) === false) return false;
  return !typed.some((text) => text.includes(wanted)) && printed.some((text) => text.includes(wanted));
}

/** All of them as one: a text is searched faster than many, and nothing that is looked for holds a line break. */
export function joinTexts(texts: readonly string[]): readonly string[] {
  return texts.length < 2 ? texts : [texts.join('\n')];
}

/** The text with what was typed or said by a person blanked out, run by run. */
export function blankTyped(text: string, { typed }: Sources): string {
  const low = toSearchable(text);
  const words = [...low.matchAll(WORD)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const isKept = words.map(() => true);
  for (let at = 0; at + RUN <= words.length; at++) {
    const run = low.slice(words[at]?.start, words[at + RUN - 1]?.end).replace(/\s+/g, ' ');
    if (typed.some((one) => one.includes(run))) isKept.fill(false, at, at + RUN);
  }
  let out = '';
  let from = 0;
  words.forEach(({ start, end }, at) => {
    out += `${text.slice(from, start)}${isKept[at] ? text.slice(start, end) : '·'}`;
    from = end;
  });
  return out + text.slice(from);
}

/** Small letters, of the same length: places in it are places in the text. */
export function toSearchable(text: string): string {
  const low = text.toLowerCase();
  if (low.length === text.length) return low;
  return [...text].map((char) => (char.toLowerCase().length === char.length ? char.toLowerCase() : char)).join('');
}
