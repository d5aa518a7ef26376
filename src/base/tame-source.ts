/**
 * A script with the characters put away that the parser reads the whole rest for, each time. Few of them are meant;
 * thousands are data. Others of the same length stand in for them, so every place stays what it is.
 */

/** Braces that open no group, and the old way to write arithmetic. */
const COSTLY = /\{(?=\S)|(?<=\$)\[/g;
/** So many are read as what they are: in a few milliseconds, and more than a document in a script has. */
const MAX_BRACES = 1_000;
const MAX_OLD_SUMS = 200;
/** Private to whoever uses them: they mean nothing to a shell. */
const BRACE = '\uE07B';
const BRACKET = '\uE05B';

export interface Tamed {
  readonly source: string;
  /** A text of it as it was written. */
  readonly restore: (text: string) => string;
}

export function tameSource(source: string): Tamed {
  let braces = 0;
  let sums = 0;
  const tamed = source.replace(COSTLY, (char) => {
    if (char === '{') return ++braces > MAX_BRACES ? BRACE : char;
    return ++sums > MAX_OLD_SUMS ? BRACKET : char;
  });
  return { source: tamed, restore: tamed === source ? (text) => text : restore };
}

function restore(text: string): string {
  return text.replaceAll(BRACE, '{').replaceAll(BRACKET, '[');
}
