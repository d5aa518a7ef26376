/** A simple command on one line, short enough to read and whole where it can be: only long arguments are cut. */
import type { SimpleCommand } from '../base/simple-command.ts';

const MAX_ARGUMENT_CHARS = 60;

export function toShortCommand(command: SimpleCommand, maxChars: number): string {
  const words = command.args.map(({ text }) => toShortWord(text.replace(/\s+/g, ' ')));
  const line = [toHead(command), ...words].join(' ');
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}

function toShortWord(text: string): string {
  return text.length <= MAX_ARGUMENT_CHARS ? text : `${text.slice(0, MAX_ARGUMENT_CHARS - 1)}…`;
}

/** The program as it was typed: `.venv/bin/pytest` is not `pytest`. Variables set for it are left out. */
function toHead({ program, text }: SimpleCommand): string {
  return text.split(/\s+/).find((word) => word === program || word.endsWith(`/${program}`)) ?? program;
}
