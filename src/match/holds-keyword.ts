/** Whether a text has a keyword: whole words in any case, of a phrase all words in order. Linear in the text. */

/** A letter, a digit, a sign on one; not of a script that puts no spaces between words. */
const WORD = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_]`;
/** Made when first asked for: compiling classes of letters takes a millisecond, and few calls come to keywords. */
let edges: { readonly begins: RegExp; readonly ends: RegExp } | undefined;

/** Several lessons ask about the same messages. */
const plain = new WeakMap<readonly string[], readonly string[]>();

export function holdsKeyword(texts: readonly string[], keywords: readonly string[]): boolean {
  const known = plain.get(texts) ?? texts.map(toPlain);
  plain.set(texts, known);
  return keywords.some((keyword) => {
    const words = toPlain(keyword).trim();
    return words !== '' && known.some((text) => holds(text, words));
  });
}

function holds(text: string, words: string): boolean {
  edges ??= { begins: new RegExp(`^${WORD}`, 'u'), ends: new RegExp(`${WORD}$`, 'u') };
  const { begins: startsWord, ends: endsWord } = edges;
  const [begins, ends] = [startsWord.test(words), endsWord.test(words)];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    // Two units: the character may be a pair.
    const goesOn = ends && startsWord.test(text.slice(end, end + 2));
    if (!goesOn && !(begins && endsWord.test(text.slice(Math.max(0, at - 2), at)))) return true;
  }
  return false;
}

function toPlain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ');
}
