/**
 * A correction that calls show: a command, words that say what was wrong with it, and a later command that differs from the
 * first in the way the words say. Words alone prove nothing here: they must name what changed from one to the other.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import { toOperands, toOptions, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand, toIntent } from '../../../base/shell/intent.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isLooking, isPreparing, isProbe } from '../../../base/shell/program-kinds.ts';
import { hasTrait, isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { Trait } from '../../../base/shell/programs/vocabulary.ts';
import { type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import type { Thing } from './named-things.ts';
import type { Rule } from './read-words.ts';
import { toTwins } from './thing-triggers.ts';

export interface Link {
  readonly command: SimpleCommand;
  readonly programs: readonly ProgramTrigger[];
  /** What was done instead. */
  readonly instead: string;
}

export function findLink(rule: Rule, corrected: LiveCall, fixing: LiveCall): Link | undefined {
  if (!isSpokenOf(corrected) || !hasWorked(fixing)) return undefined;
  const commands = parseCall(corrected).toReversed();
  const later = parseCall(fixing);
  for (const command of commands) {
    for (const other of later) {
      const trigger = findTrigger(rule, command, other);
      const isStillRun = (given: ProgramTrigger): boolean => later.some((one) => programHolds(given, one));
      // The corrected way is still there, beside the other.
      if (trigger === undefined || isStillRun(trigger)) continue;
      // "python3, not python"
      const programs = [trigger, ...toTwins(trigger).filter((one) => !isStillRun(one))];
      return { command, programs, instead: `\`${toShortCommand(other, 120)}\`` };
    }
  }
  return undefined;
}

/** What was refused with words has a detector of its own, and what we held back nobody else minded. */
function isSpokenOf({ tool, command, outcome, outcomeType, message }: LiveCall): boolean {
  if (outcome === 'denied' && (message !== undefined || outcomeType === 'own-refusal')) return false;
  return tool === 'shell' && command !== undefined;
}

/** The trigger that fires on the corrected command, not on the later one. */
function findTrigger(rule: Rule, corrected: SimpleCommand, later: SimpleCommand): ProgramTrigger | undefined {
  if ([corrected, later].some((one) => one.program === '' || isPreparing(one) || isProbe(one))) return undefined;
  const trigger = isSameSubCommand(corrected, later)
    ? findWord(rule, corrected, later)
    : findOther(rule, corrected, later);
  return trigger !== undefined && programHolds(trigger, corrected) && !programHolds(trigger, later)
    ? trigger
    : undefined;
}

/** Names of one day: numbers, hashes, addresses, texts. */
const PASSING = /^\d|^[0-9a-f]{7,}$|:\/\/|\s|^.{0,1}$|[*?<>./]|\$(?![A-Z])/;

/** An option that was missing, one that was too many, or a word in the place of another: `main`, not `master`. */
function findWord({ words, wanted, unwanted }: Rule, corrected: SimpleCommand, later: SimpleCommand) {
  const trigger = toProgramTrigger(corrected);
  const isUnwanted = (word: string): boolean =>
    unwanted.some(({ text }) => text.split(/[\s=]/).includes(word)) ||
    (unwanted === wanted && words.split(/[^\w$-]+/).includes(word));
  const [had, has] = [toOptions(corrected), toOptions(later)];
  const gone = had.filter((option) => !has.includes(option) && isUnwanted(option));
  if (gone.length > 0) return { ...trigger, args: { any: gone } };
  const added = has.filter(
    (option) => !had.includes(option) && wanted.some(({ text }) => text.split(/[\s=]/).includes(option)),
  );
  if (added.length > 0) return { ...trigger, args: { none: added } };
  if (hasTrait(corrected, 'looks', 'varies')) return undefined;
  const [before, after] = [toOperands(corrected), toOperands(later)];
  const out = before.filter((word) => !after.includes(word) && !PASSING.test(word) && isUnwanted(word));
  const come = after.filter(
    (word) => !before.includes(word) && !PASSING.test(word) && words.split(/[^\w$-]+/).includes(word),
  );
  return out.length > 0 && come.length > 0 ? { ...trigger, args: { any: out } } : undefined;
}

/** Another program, or another command of the same. What is wanted must be named, and what was done or its purpose known. */
function findOther({ wanted, unwanted, marks }: Rule, corrected: SimpleCommand, later: SimpleCommand) {
  if (!wanted.some((thing) => isNaming(thing, later, corrected))) return undefined;
  const named = unwanted.find((thing) => isNaming(thing, corrected, later));
  if (named !== undefined) {
    // The end of a pipe is not what the user saw.
    if (corrected.piped === true) return undefined;
    const isWhole = corrected.program !== later.program && named.command?.args.length === 0;
    return isWhole ? { name: corrected.program } : toProgramTrigger(corrected);
  }
  // Something else was forbidden.
  if (unwanted.length > 0 || marks.has('over') || isLooking(corrected) || isLooking(later)) return undefined;
  if (!areRivals(corrected, later)) return undefined;
  return arePeers(corrected, later) ? { name: corrected.program } : toProgramTrigger(corrected);
}

/** Programs that can stand in for each other. */
export const PEERS: readonly Trait[] = ['node-packages', 'searches', 'finds', 'http'];

export function arePeers(one: SimpleCommand, other: SimpleCommand): boolean {
  const isShared = (trait: Trait): boolean => [one, other].every(({ program }) => isKnownAs(program, trait));
  return one.program !== other.program && PEERS.some(isShared);
}

/** Do both serve one purpose? */
export function areRivals(one: SimpleCommand, other: SimpleCommand): boolean {
  return toIntent(one) === toIntent(other) || sharesOperand(one, other);
}

/** Does the thing name this command, and not the other? */
function isNaming({ command }: Thing, one: SimpleCommand, other: SimpleCommand): boolean {
  if (command?.program !== one.program) return false;
  if (one.program !== other.program)
    return command.args.every(({ value }) => one.args.some((arg) => arg.value === value));
  const [sub, named, others] = [one, command, other].map(toPlainSubCommand);
  return (
    named !== undefined &&
    named.length > 0 &&
    named.every((word, i) => sub?.[i] === word) &&
    named.some((word, i) => others?.[i] !== word)
  );
}

/** The words of a runner say nothing about what it runs. */
const RUNNING = /^(?:run|exec|x|dlx|task)$/;

/** Have both commands a word in common that says what they work on? */
function sharesOperand(a: SimpleCommand, b: SimpleCommand): boolean {
  // Commands of one program have their first words in common whatever they do.
  const toShared = a.program === b.program ? toOperands : toPositionals;
  const words = new Set(toShared(b));
  return toShared(a).some(
    (word) => words.has(word) && !/^\d|^[0-9a-f]{7,}$|:\/\/|\s|^.{0,1}$|[*?$<>]/.test(word) && !RUNNING.test(word),
  );
}
