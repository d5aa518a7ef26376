/** A failed command beside a later call: which command of each line is meant, and how the words of the two differ. */

import type { LiveCall } from '../../base/model/call.ts';
import { findCheck } from '../../base/shell/intent.ts';
import { findObjectKind } from '../../base/shell/object-kind.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { isPreparing, isProbe } from '../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { isNamedIn } from './cure-step.ts';

/** A failed command and a later call that may have got past its failure. */
export interface Attempt {
  readonly failing: LiveCall;
  readonly failed: SimpleCommand;
  readonly fixing: LiveCall;
  readonly command: SimpleCommand;
  readonly between: readonly LiveCall[];
}

/**
 * The command of the line that failed: of those that the signature may mean, the one that the cause names most words of.
 * Where a line first writes a file, the signature has the program that wrote it.
 */
export function findBlamed(call: LiveCall): SimpleCommand | undefined {
  const commands = parseCall(call);
  const program = call.signature?.program;
  const cause = call.message ?? '';
  const scored = commands.map((one) => {
    const named = toWords(one).filter((word) => isNamedIn(cause, word)).length;
    const isOwn = one.program === program ? 2 : unwrapRunner(one).program === program ? 1 : 0;
    return { one, named, isOwn };
  });
  const [best] = scored
    .filter(({ named, isOwn }) => named + isOwn > 0)
    .sort((a, b) => b.named - a.named || b.isOwn - a.isOwn);
  return best?.one ?? commands.filter((one) => !isPreparing(one)).at(-1);
}

const MIN_ALIKE = 0.5;

/** The command of a line that is most like the failed one, if it has half of its words. */
export function findAlike(failed: SimpleCommand, call: LiveCall): SimpleCommand | undefined {
  const scored = parseCall(call)
    // A command that reads what another one prints is used otherwise.
    .filter((one) => !isProbe(one) && one.piped === failed.piped)
    .map((command) => ({ command, alike: toAlike(failed, command) }))
    .filter(({ alike }) => alike >= MIN_ALIKE)
    .sort((a, b) => b.alike - a.alike);
  return scored[0]?.command;
}

function toAlike(a: SimpleCommand, b: SimpleCommand): number {
  const [x, y] = [toWords(a), toWords(b)];
  const left = [...y];
  let common = 0;
  for (const word of x) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common++;
  }
  return (2 * common) / (x.length + y.length);
}

/** The words of one command that the other one lacks. */
export function subtract(from: SimpleCommand, other: SimpleCommand): readonly string[] {
  const words = toWords(other);
  return toWords(from).filter((word) => !words.includes(word));
}

export function toWords({ program, args }: SimpleCommand): readonly string[] {
  return [program, ...args.map(({ value }) => value)];
}

export function isPath(word: string): boolean {
  return word.includes('/') || findObjectKind({ text: word, value: word }) === 'path';
}

/** The kind of check that a command runs, also through a package runner. */
export function findCheckOf(command: SimpleCommand): ReturnType<typeof findCheck> {
  return findCheck(unwrapRunner(command));
}

export function isCheck(command: SimpleCommand): boolean {
  return findCheckOf(command) !== undefined;
}
