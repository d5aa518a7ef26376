/** A text of several lines that cannot steer the terminal: no escape codes, no control characters, nothing that turns the writing round. */
import { stripAnsi } from '../../base/strip-ansi.ts';

const STEERING = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

export function toPlainText(text: string): string {
  return text.search(STEERING) < 0 ? text : stripAnsi(text.replace(/\r\n?/g, '\n')).replace(STEERING, '');
}
