/** Does an error name a word of the command that failed? */
import { toLiteral } from './regex-literal.ts';

/** Options also without their dashes, where the text calls them so: `required flag(s) "base"`, `illegal option -- A`. */
export function isNamedIn(text: string, word: string): boolean {
  const [own = word] = word.split('=', 1);
  // A word that is longer than the text is not in it, and may be too long for an expression.
  if (word.length < 2 || own.length > text.length + 2) return false;
  const letter = /^-([A-Za-z])$/.exec(word)?.[1];
  if (letter !== undefined && isCalledLetter(text, letter)) return true;
  // Most words are nowhere in the text, and to compile an expression takes longer than to search for them.
  if (text.includes(own) && new RegExp(`(?<![\\w-])${toLiteral(own)}(?![\\w-])`).test(text)) return true;
  const bare = /^--?([A-Za-z][\w-]+)/.exec(word)?.[1];
  if (bare === undefined || !text.toLowerCase().includes(bare.toLowerCase())) return false;
  const name = toLiteral(bare);
  return new RegExp(
    `["'\`]${name}["'\`]|\\b(?:flag|option|argument|parameter)(?:s|\\(s\\))?:?\\s+${name}\\b`,
    'i',
  ).test(text);
}

function isCalledLetter(text: string, letter: string): boolean {
  return new RegExp(`\\b(?:option|switch)(?: requires an argument)?(?: -- '?| [\`'"‘])${letter}(?!\\w)`).test(text);
}
