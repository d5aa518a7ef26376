/**
 * The beginning of a text that is too long. It ends behind a whole word, where no quote and no bracket is open: half a
 * word, a command without its end or an open quote can be read as something else than was meant.
 */

const MORE = ' …';
/** Chinese, Japanese and Korean are written without spaces: there each character ends a word. */
const LAST_WORD = /(?:[⺀-鿿가-힯]|[^\s⺀-鿿가-힯]+)$/;

/** The empty string where nothing whole is short enough. */
export function toShortText(text: string, fits: (text: string) => boolean): string {
  let short = text.trimEnd();
  let told = short;
  while (short !== '' && !(fits(told) && isClosed(short))) {
    if (short === text.trimEnd() && fits(told)) return told;
    short = short.replace(LAST_WORD, '').replace(/[\s,:;]+$/, '');
    told = short + MORE;
  }
  return short === '' ? '' : told;
}

/** In at most so many characters. */
export function toShortChars(text: string, max: number): string {
  // Of a text much longer than that only the beginning can stay.
  return toShortText(text.length > max * 2 ? `${text.slice(0, max * 2)} ` : text, (short) => short.length <= max);
}

/** An apostrophe stands inside a word, a quote at the edge of one. */
const QUOTES = [/`/g, /"/g, /(?<![\p{L}\d])'|'(?![\p{L}\d])/gu];

/** Quotations that begin with a backtick and end with an apostrophe, as git and other GNU programs print them, in apostrophes. */
export function toPairedQuotes(text: string): string {
  return text.replace(/`([^`'\n]*)'/g, "'$1'");
}

/** All quotes and brackets are closed: a text that ends so was not cut in one. */
export function isClosed(text: string): boolean {
  const count = (sign: RegExp): number => text.match(sign)?.length ?? 0;
  return listOpenQuotes(text).length === 0 && count(/[([{]/g) <= count(/[)\]}]/g);
}

/** The kinds of quotes that are opened and not closed. */
export function listOpenQuotes(text: string): readonly RegExp[] {
  return QUOTES.filter((quote) => (text.match(quote)?.length ?? 0) % 2 === 1);
}

/** Where each quotation begins and ends, with its quotes. Quotes of a kind that is not closed count for nothing. */
export function listQuotations(text: string): readonly { readonly start: number; readonly end: number }[] {
  const open = listOpenQuotes(text);
  return QUOTES.filter((quote) => !open.includes(quote)).flatMap((quote) => {
    const places = [...text.matchAll(quote)].map(({ index }) => index);
    return places.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: (places[i + 1] ?? start) + 1 }] : []));
  });
}
