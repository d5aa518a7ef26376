/**
 * Shortens a text that is too long. It ends after a whole word with no quote or bracket open, because half a word, half
 * a command or an open quote could be misread.
 */

const MORE = ' …';
/** Chinese, Japanese and Korean are written without spaces, so each character ends a word. */
const LAST_WORD = /(?:[⺀-鿿가-힯]|[^\s⺀-鿿가-힯]+)$/;

/** Empty if no whole part is short enough. */
export function toShortText(text: string, fits: (text: string) => boolean): string {
  let short = text.trimEnd();
  let shortened = short;
  while (short !== '' && !(fits(shortened) && hasClosedQuotes(short))) {
    if (short === text.trimEnd() && fits(shortened)) return shortened;
    short = short.replace(LAST_WORD, '').replace(/[\s,:;]+$/, '');
    shortened = short + MORE;
  }
  return short === '' ? '' : shortened;
}

/** Limits the text to `max` characters. */
export function toShortChars(text: string, max: number): string {
  // The part of a much longer text that could never stay is cut first.
  return toShortText(text.length > max * 2 ? `${text.slice(0, max * 2)} ` : text, (short) => short.length <= max);
}

/** An apostrophe stands inside a word, a quote at its edge. */
const QUOTES = [/`/g, /"/g, /(?<![\p{L}\d])'|'(?![\p{L}\d])/gu];

/** Replaces the opening backtick of quotations like `x', as git and GNU programs print them, by an apostrophe. */
export function toPairedQuotes(text: string): string {
  return text.replace(/`([^`'\n]*)'/g, "'$1'");
}

/** Are all quotes and brackets closed? Such a text was not cut inside one. */
export function hasClosedQuotes(text: string): boolean {
  const count = (sign: RegExp): number => text.match(sign)?.length ?? 0;
  return listOpenQuotes(text).length === 0 && count(/[([{]/g) <= count(/[)\]}]/g);
}

/** The kinds of quotes that are opened and not closed. */
export function listOpenQuotes(text: string): readonly RegExp[] {
  return QUOTES.filter((quote) => (text.match(quote)?.length ?? 0) % 2 === 1);
}

/** The positions of each quotation, including its quotes. Unclosed kinds of quotes are ignored. */
export function listQuotations(text: string): readonly { readonly start: number; readonly end: number }[] {
  const open = listOpenQuotes(text);
  return QUOTES.filter((quote) => !open.includes(quote)).flatMap((quote) => {
    const places = [...text.matchAll(quote)].map(({ index }) => index);
    return places.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: (places[i + 1] ?? start) + 1 }] : []));
  });
}
