/**
 * Checks regular expressions of lessons: whether V8's linear-time engine accepts a pattern (no look-around, no
 * backreference, no large counts), and whether any text can match it. Only linear patterns are allowed in a lesson,
 * because they run while an agent waits.
 */

import { setFlagsFromString } from 'node:v8';

let ready = false;

export function isLinearRegex(source: string): boolean {
  if (!ready) setFlagsFromString('--enable-experimental-regexp-engine');
  ready = true;
  try {
    // The engine reports some rejections only at the first match.
    new RegExp(source, 'l').test('');
    return true;
  } catch {
    return false;
  }
}

/**
 * The properties of a pattern from which follows whether any text can match it: positions may contradict each other
 * (`a^b`, `$a`), and a set may be empty (`[]`).
 */
interface Shape {
  /** Nothing can match it. */
  readonly never: boolean;
  readonly minWidth: number;
  readonly maxWidth: number;
  /** It matches only at the start, or end, of a text. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

const NOTHING: Shape = { never: false, minWidth: 0, maxWidth: 0, atStart: false, atEnd: false };
const NEVER: Shape = { ...NOTHING, never: true };
const CHAR: Shape = { ...NOTHING, minWidth: 1, maxWidth: 1 };
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
const GROUP = /^\((?:\?:|\?<[A-Za-z]\w*>)?/;

/**
 * Can a text of at least `minChars` characters match? `^$` matches none of one character. True in doubt, because a
 * wrong no would reject a good pattern.
 */
export function canMatch(source: string, minChars = 0): boolean {
  const reader = { source, at: 0 };
  const shape = readAlternatives(reader);
  const isTooShort = shape.atStart && shape.atEnd && shape.maxWidth < minChars;
  return reader.at < source.length || !(shape.never || isTooShort);
}

interface Reader {
  readonly source: string;
  at: number;
}

function readAlternatives(reader: Reader): Shape {
  const alternatives = [readSequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at++;
    alternatives.push(readSequence(reader));
  }
  const possible = alternatives.filter(({ never }) => !never);
  if (possible.length === 0) return NEVER;
  return {
    never: false,
    minWidth: Math.min(...possible.map(({ minWidth }) => minWidth)),
    maxWidth: Math.max(...possible.map(({ maxWidth }) => maxWidth)),
    atStart: possible.every(({ atStart }) => atStart),
    atEnd: possible.every(({ atEnd }) => atEnd),
  };
}

function readSequence(reader: Reader): Shape {
  let whole = NOTHING;
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) {
    whole = join(whole, readTerm(reader));
  }
  return whole;
}

function join(a: Shape, b: Shape): Shape {
  const isPastStart = b.atStart && a.minWidth > 0;
  const isPastEnd = a.atEnd && b.minWidth > 0;
  return {
    never: a.never || b.never || isPastStart || isPastEnd,
    minWidth: a.minWidth + b.minWidth,
    maxWidth: a.maxWidth + b.maxWidth,
    atStart: a.atStart || b.atStart,
    atEnd: a.atEnd || b.atEnd,
  };
}

function readTerm(reader: Reader): Shape {
  const shape = readAtom(reader);
  const [quantifier, count, comma, most] = QUANTIFIER.exec(reader.source.slice(reader.at)) ?? [''];
  reader.at += quantifier.length;
  const min = count === undefined ? (quantifier === '' || quantifier.startsWith('+') ? 1 : 0) : Number(count);
  const maxWidth = shape.maxWidth === 0 ? 0 : shape.maxWidth * toMax(quantifier, comma === undefined ? count : most);
  if (min === 0) return { ...NOTHING, maxWidth };
  // The second repetition would be past the start, or the first before the end.
  const isTwice = min > 1 && shape.minWidth > 0 && (shape.atStart || shape.atEnd);
  return { ...shape, never: shape.never || isTwice, minWidth: shape.minWidth * min, maxWidth };
}

/** `most`: absent or empty if there is no maximum. */
function toMax(quantifier: string, most: string | undefined): number {
  if (most !== undefined && most !== '') return Number(most);
  return quantifier === '' || quantifier.startsWith('?') ? 1 : Number.POSITIVE_INFINITY;
}

function readAtom(reader: Reader): Shape {
  const { source } = reader;
  const char = source.charAt(reader.at);
  if (char === '(') {
    reader.at += GROUP.exec(source.slice(reader.at))?.[0].length ?? 1;
    const shape = readAlternatives(reader);
    reader.at++;
    return shape;
  }
  if (char === '[') return readSet(reader);
  reader.at += char === '\\' ? 2 : 1;
  if (char === '^') return { ...NOTHING, atStart: true };
  if (char === '$') return { ...NOTHING, atEnd: true };
  // The characters after `\x` are read as separate characters, so the width may be too large, but never below one.
  return char === '\\' && /[bB]/.test(source.charAt(reader.at - 1)) ? NOTHING : CHAR;
}

/** `[]` is empty; `[^]` is any character. */
function readSet(reader: Reader): Shape {
  const { source } = reader;
  const start = reader.at++;
  while (reader.at < source.length && source[reader.at] !== ']') reader.at += source[reader.at] === '\\' ? 2 : 1;
  reader.at++;
  return source.slice(start, reader.at) === '[]' ? NEVER : CHAR;
}
