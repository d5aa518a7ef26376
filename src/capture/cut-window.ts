/**
 * A text as the scanner sees it and as it is kept: whole, or its two ends. What stands between is dropped, and with it
 * every word that the cut would go through: half a secret is no longer recognised as one. The mark tells texts with
 * the same ends apart.
 */
import { hash } from 'node:crypto';

/** At each end. */
export const WINDOW_CHARS = 8 * 1024;

export function cutWindow(text: string, chars: number = WINDOW_CHARS): string {
  if (text.length <= 2 * chars) return text;
  const head = toWordStart(text, chars);
  const tail = toWordEnd(text, text.length - chars);
  const dropped = text.slice(head, tail);
  const mark = hash('sha256', dropped).slice(0, 16);
  return `${text.slice(0, head)}[…${dropped.length} ${mark}]${text.slice(tail)}`;
}

const SPACE = /\s/;

function toWordStart(text: string, from: number): number {
  let at = from;
  while (at > 0 && !SPACE.test(text.charAt(at - 1))) at--;
  return at;
}

function toWordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !SPACE.test(text.charAt(at))) at++;
  return at;
}
