/** The option of a command that was given a value: `--json merged`, `--json=a,merged`, `-ojson`. */

import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption } from '../../../base/shell/simple-command.ts';

interface OptionValue {
  readonly option: string;
  /** The value is only a part of the word or of a comma list. */
  readonly embedded: boolean;
}

/** `option` restricts the search to that one, where the error names it. */
export function findOptionValue(
  command: SimpleCommand,
  value: string,
  option: string | undefined,
): OptionValue | undefined {
  const words = command.args.map((arg) => arg.value);
  for (const [i, word] of words.entries()) {
    const place = isOption(word) ? toPlace(word, words[i + 1], value) : undefined;
    if (place !== undefined && (option === undefined || isSameOption(place.option, option))) return place;
  }
  return undefined;
}

function toPlace(word: string, next: string | undefined, value: string): OptionValue | undefined {
  const equals = word.indexOf('=');
  if (equals > 0) {
    return hasPart(word.slice(equals + 1), value) ? { option: word.slice(0, equals), embedded: true } : undefined;
  }
  if (next !== undefined && hasPart(next, value)) return { option: word, embedded: next !== value };
  return /^-[A-Za-z]/.test(word) && word.slice(2) === value ? { option: word.slice(0, 2), embedded: true } : undefined;
}

function hasPart(list: string, value: string): boolean {
  return list.split(',').includes(value);
}

/** Messages may name the long form where the short one was typed, and the other way round: `-o` and `--output`. */
function isSameOption(typed: string, named: string): boolean {
  const [a, b] = [typed.replace(/^-+/, ''), named.replace(/^-+/, '')];
  return a === b || ((a.length === 1 || b.length === 1) && a[0] === b[0]);
}
