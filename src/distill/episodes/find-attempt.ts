/** A failed command beside a later call: which command of each line is meant, and how the words of the two differ. */

import type { LiveCall } from '../../base/model/call.ts';
import { dropAbsent } from '../../base/records.ts';
import { findCheck } from '../../base/shell/intent.ts';
import { findObjectKind } from '../../base/shell/object-kind.ts';
import { BASH, parseCall, parseCommand } from '../../base/shell/parse-command.ts';
import { isPreparing, isProbe } from '../../base/shell/program-kinds.ts';
import { isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { isMoving } from './to-stand.ts';

/** A command of a line. `host`: the machine that a program of the line runs it on, such as `ssh`. */
export interface PlacedCommand extends SimpleCommand {
  readonly host?: string;
}

/** A failed command and a later call that may have got past its failure. */
export interface Attempt {
  readonly failing: LiveCall;
  readonly failed: PlacedCommand;
  readonly fixing: LiveCall;
  readonly command: PlacedCommand;
  readonly between: readonly LiveCall[];
  /** The user spoke between the two calls. */
  readonly isAsked: boolean;
}

const listed = new WeakMap<LiveCall, readonly PlacedCommand[]>();

/** The commands of a line, and behind each command that runs others on another machine, those. */
export function listCommands(call: LiveCall): readonly PlacedCommand[] {
  const known = listed.get(call) ?? parseCall(call).flatMap((one) => [one, ...listSent(one)]);
  listed.set(call, known);
  return known;
}

/** The commands that a command runs on another machine. */
export function listSent(command: SimpleCommand): readonly PlacedCommand[] {
  if (!isKnownAs(command.program, 'elsewhere') || !isKnownAs(command.program, 'reaches')) return [];
  const [host] = toPositionals(command);
  if (host === undefined) return [];
  const script = command.args.slice(command.args.findIndex(({ value }) => value === host) + 1);
  const { hidden, piped } = command;
  return parseCommand(script.map(({ value }) => value).join(' '), BASH).map((one) => ({
    ...one,
    ...dropAbsent({ host, hidden, piped }),
  }));
}

export function findBlamed(call: LiveCall): PlacedCommand | undefined {
  return listBlamed(call)[0];
}

/**
 * The command of the line that failed: of those that the signature may mean, the one that the cause names most words of.
 * Where a line first writes a file, the signature has the program that wrote it. Several where nothing tells them apart.
 */
export function listBlamed(call: LiveCall): readonly PlacedCommand[] {
  const commands = listCommands(call);
  const program = call.signature?.program;
  const cause = call.message ?? '';
  const scored = commands.map((one) => {
    // Its folder is a part of every path below it: only an error that names the mover is about the move.
    const isInnocent = isMoving(one) && !isNamedIn(cause, one.program);
    const named = isInnocent ? 0 : toWords(one).filter((word) => isNamedIn(cause, word)).length;
    const isOwn = one.program === program ? 2 : unwrapRunner(one).program === program ? 1 : 0;
    return { one, named, isOwn: isOwn + (isOwn > 0 && one.host !== undefined ? 1 : 0) };
  });
  const [best, ...others] = scored
    .filter(({ named, isOwn }) => named + isOwn > 0)
    .sort((a, b) => b.named - a.named || b.isOwn - a.isOwn);
  if (best === undefined) return commands.filter((one) => !isPreparing(one)).slice(-1);
  const tied = others.filter(({ named, isOwn }) => named === best.named && isOwn === best.isOwn);
  return [best, ...tied].map(({ one }) => one);
}

const MIN_ALIKE = 0.5;

/** The command of a line that is most like the failed one, if it has half of its words. */
export function findAlike(failed: PlacedCommand, call: LiveCall): PlacedCommand | undefined {
  const scored = listCommands(call)
    // A command that reads what another one prints is used otherwise.
    .filter((one) => !isProbe(one) && one.piped === failed.piped && one.host === failed.host)
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
