/**
 * Formats text for the terminal: single lines, plain text, counts, times, shell words and id prefixes. Text that an
 * agent or a program wrote loses escape codes and control characters, so that it cannot control the terminal. Tables
 * cut lines to fit, so give them the whole line.
 */

import { toShortChars } from '../../base/text/short-text.ts';
import { stripAnsi } from '../../base/text/strip-ansi.ts';

/**
 * Text that an agent or a program wrote, as one line that cannot steer the terminal. Tables cut it to fit: give them
 * all of it.
 */
export function toLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = toPlainText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}

/** A sentence as one line. It is cut behind a whole word and never inside backticks, where half a command could be read. */
export function toShortLine(text: string, max: number): string {
  return toShortChars(toLine(text), max) || toLine(text, max);
}

/** The same of a path: its end says more than its beginning. */
export function toPathLine(path: string, max: number): string {
  const line = toLine(path);
  return line.length <= max || !line.includes('/') ? toLine(line, max) : `…${line.slice(line.length - max + 1)}`;
}

/** A limit that only a screen needs. In a pipe, where `columns` is undefined, nothing is left out or cut. */
export function toScreenMax(columns: number | undefined, max: number): number {
  return columns === undefined ? Number.POSITIVE_INFINITY : max;
}

export function toMinute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

const STEERING = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of several lines that cannot steer the terminal: no escape codes, no control characters, nothing that turns
 * the writing round.
 */
export function toPlainText(text: string): string {
  return text.search(STEERING) < 0 ? text : stripAnsi(text.replace(/\r\n?/g, '\n')).replace(STEERING, '');
}

/** The lines that are there: `isLate && 'The daemon is busy.'` is a line only if it holds. */
export function joinLines(lines: readonly (string | false)[]): string {
  return lines.filter((line) => line !== false).join('\n');
}

/** `1 line`, `26,010 lines`. */
export function toCount(n: number, word: string): string {
  return `${toNumber(n)} ${word}${n === 1 ? '' : 's'}`;
}

/** Says that nothing of a kind was found. A scan helps only while no session is recorded. */
export function renderNoneYet(kind: string, sessions: number): string {
  return sessions === 0
    ? `No ${kind} yet. Learn from past sessions: oncebitten scan`
    : `No ${kind} in ${toCount(sessions, 'recorded session')}`;
}

/** The text with a capital letter at its beginning. */
export function toSentence(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}

export function toNumber(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A word as a person can paste it into a shell. */
const PLAIN = /^[\w@%+=:,./~-]+$/;

export function quoteWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** How much of the beginning of ids tells them apart; at least `min` characters. */
export function toTellingLength(ids: readonly string[], min: number): number {
  const all = new Set(ids);
  const longest = Math.max(min, ...ids.map((id) => id.length));
  for (let length = min; length < longest; length++) {
    if (new Set([...all].map((id) => id.slice(0, length))).size === all.size) return length;
  }
  return longest;
}
