import { toPlainText } from './to-plain-text.ts';

/** Text that an agent or a program wrote, as one line that cannot steer the terminal. Tables cut it to fit: give them all of it. */
export function toLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = toPlainText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
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
