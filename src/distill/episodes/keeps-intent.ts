/** Whether a later command still wants what the failed one wanted: the same words, but for the culprit. */

import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption, toPositionals } from '../../base/shell/simple-command.ts';
import type { Culprit } from '../propose/rejected-words/culprit.ts';

/** Without this option the command does more than was meant: leaving it out is no fix. */
export const SAFETY = /dry-?run|check|preview|plan|simulat|what-?if|no-?op|diff|test/i;
/** With no other word to compare, only a command close by counts as the same intent. */
const NEAR_STEPS = 3;

export function keepsIntent(culprit: Culprit, fix: SimpleCommand, steps: number): boolean {
  const rest = toRest(culprit, fix);
  const kept = rest.filter((word) => hasArg(fix, word));
  if (culprit.role === 'sub-command' || culprit.role === 'word') {
    const instead = toPositionals(fix)[culprit.sub.length];
    const isNamed = culprit.role === 'sub-command' || culprit.absent === true;
    const isNext = isNamed && rest.length === 0 && steps === 1;
    if (instead === undefined) return false;
    return isNext || isSimilar(culprit.word, instead) || isPartOf(culprit, fix) || isMostlyKept(rest, kept);
  }
  if (culprit.role === 'option' && SAFETY.test(culprit.word) && !hasNewOption(culprit.command, fix)) return false;
  return rest.length === 0 ? steps <= NEAR_STEPS : isMostlyKept(rest, kept);
}

/** `main` in `origin/main`: the same thing, named from farther away. */
function isPartOf({ role, word }: Culprit, fix: SimpleCommand): boolean {
  return role === 'word' && word.length > 2 && fix.args.some(({ value }) => value.endsWith(`/${word}`));
}

/** How many words of the failed command the other one has. */
export function countKept(culprit: Culprit, fix: SimpleCommand): number {
  return toRest(culprit, fix).filter((word) => hasArg(fix, word)).length;
}

/** The words that a fix is expected to keep: all but the sub-command, the culprit and what belongs to the culprit. */
function toRest(culprit: Culprit, fix: SimpleCommand): readonly string[] {
  const sub = [...culprit.sub];
  const words = culprit.command.args.map(({ value }) => value);
  return words.filter((word, i) => {
    if (word === '--' || isCulpritWord(culprit, word)) return false;
    if (sub[0] === word) return sub.shift() === undefined;
    const before = words[i - 1];
    const ownValue = before !== undefined && isCulpritWord(culprit, before) && !isOption(word);
    return !ownValue || hasArg(fix, word);
  });
}

function isCulpritWord({ role, word, cluster, option, embedded }: Culprit, arg: string): boolean {
  if (arg === word || arg === cluster || arg.startsWith(`${word}=`)) return true;
  if (role !== 'value' || option === undefined) return false;
  return arg === option || (embedded === true && arg.split(/[,=]/).includes(word));
}

function isMostlyKept(rest: readonly string[], kept: readonly string[]): boolean {
  const operands = rest.filter((word) => !isOption(word));
  const hasOperand = operands.length === 0 || operands.some((word) => kept.includes(word));
  return kept.length > 0 && hasOperand && kept.length * 2 >= rest.length;
}

function hasArg(command: SimpleCommand, word: string): boolean {
  return command.args.some(({ value }) => value === word);
}

function hasNewOption(before: SimpleCommand, after: SimpleCommand): boolean {
  return after.args.some(({ value }) => isOption(value) && value !== '--' && !hasArg(before, value));
}

/** `lint:all` and `lint`, `comit` and `commit`: one has a part of the other, or two letters differ at most. */
function isSimilar(a: string, b: string): boolean {
  const parts = new Set(a.split(/[-_:.]/).filter((part) => part.length > 2));
  return b.split(/[-_:.]/).some((part) => parts.has(part)) || (a.length > 3 && toDistance(a, b) <= 2);
}

function toDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || a.length > 40) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    row = next;
  }
  return row[b.length] ?? 3;
}
