import { toPlainText } from './to-plain-text.ts';

/** Text that an agent or a program wrote, as one line that cannot steer the terminal. */
export function toLine(text: string, max: number): string {
  const line = toPlainText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}

export function toMinute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
