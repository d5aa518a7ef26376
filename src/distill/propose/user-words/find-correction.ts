/**
 * How a later command differs from an earlier one in the way the words of a user say. Words alone prove nothing: they must
 * name what changed from one command to the other.
 */

import { toOperands, toOptions, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameSubCommand, toIntent } from '../../../base/shell/intent.ts';
import { isLooking, isPreparing, isProbe } from '../../../base/shell/program-kinds.ts';
import { hasTrait } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPositionals } from '../../../base/shell/simple-command.ts';
import { toBaseName } from '../../../base/text/paths.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import type { Correction, Phrase } from './parse-corrections.ts';

/** The trigger that speaks on the corrected command, not on the later one. */
export function findCorrection(
  correction: Correction,
  corrected: SimpleCommand,
  later: SimpleCommand,
): ProgramTrigger | undefined {
  if ([corrected, later].some((one) => one.program === '' || isPreparing(one) || isProbe(one))) return undefined;
  const trigger = isSameSubCommand(corrected, later)
    ? (findOption(correction, corrected, later) ?? findWord(correction, corrected, later))
    : findOtherCommand(correction, corrected, later);
  if (trigger === undefined || !programHolds(trigger, corrected) || programHolds(trigger, later)) return undefined;
  return trigger;
}

/** An option that was missing, or one that was too many. */
function findOption({ wanted, unwanted }: Correction, corrected: SimpleCommand, later: SimpleCommand) {
  const [had, has] = [toOptions(corrected), toOptions(later)];
  const trigger = toProgramTrigger(corrected);
  const gone = had.filter((option) => !has.includes(option) && isNamed(unwanted, option));
  if (gone.length > 0) return { ...trigger, args: { any: gone } };
  const added = has.filter((option) => !had.includes(option) && wanted.some((phrase) => phrase.includes(option)));
  return added.length > 0 ? { ...trigger, args: { none: added } } : undefined;
}

/** `--amend` by its name, or as the first word of what is not wanted: "don't amend". */
function isNamed(phrases: readonly Phrase[], option: string): boolean {
  const bare = /^--([a-z][a-z-]{3,})$/.exec(option)?.[1];
  return phrases.some((phrase) => phrase.includes(option) || phrase[0]?.toLowerCase() === bare);
}

/** Names of one day: numbers, hashes, addresses, texts. */
const PASSING = /^\d|^[0-9a-f]{7,}$|:\/\/|\s|^.{0,1}$|[*?$<>]/;

/** A word in the place of another: `main`, not `master`. Both must be named. */
function findWord({ wanted, unwanted }: Correction, corrected: SimpleCommand, later: SimpleCommand) {
  const trigger = toProgramTrigger(corrected);
  if (hasTrait(corrected, 'looks', 'varies')) return undefined;
  const [had, has] = [toOperands(corrected), toOperands(later)];
  const gone = had.filter((word) => !has.includes(word) && isFirst(unwanted, word));
  const come = has.filter((word) => !had.includes(word) && isFirst(wanted, word));
  const isPassing = [...gone, ...come].some((word) => PASSING.test(word));
  return gone.length > 0 && come.length > 0 && !isPassing ? { ...trigger, args: { any: gone } } : undefined;
}

function isFirst(phrases: readonly Phrase[], word: string): boolean {
  return phrases.some(([first]) => first === word);
}

/** Another program, or another command of the same. What is wanted must be named, and what was done or its purpose known. */
function findOtherCommand({ wanted, unwanted }: Correction, corrected: SimpleCommand, later: SimpleCommand) {
  if (!wanted.some((phrase) => namesCommand(phrase, later, corrected))) return undefined;
  const named = unwanted.find((phrase) => namesCommand(phrase, corrected, later));
  if (named !== undefined) {
    // The end of a pipe is not what the user saw.
    if (corrected.piped === true) return undefined;
    const isWhole =
      corrected.program !== later.program && !toPlainSubCommand(corrected).some((word) => named.includes(word));
    return isWhole ? { name: corrected.program } : toProgramTrigger(corrected);
  }
  // Something else was forbidden.
  if (unwanted.length > 0 || isLooking(corrected) || isLooking(later)) return undefined;
  const isSamePurpose = toIntent(corrected) === toIntent(later) || sharesOperand(corrected, later);
  return isSamePurpose ? toProgramTrigger(corrected) : undefined;
}

/** Words that may follow the name of a program without being part of it. */
const AFTER_NAME =
  /^(?:instead|not|rather|please|directly|always|everywhere|here|there|now|again|to|by|over|either|anymore|at|is|was|of|commands?|tool|cli|first|only|yourself|though|too)$/i;

/**
 * A phrase names a command when it starts with its program (or with its sub-command, where the programs are the same) and
 * goes on with a word of it, or with nothing: "use make", not "make sure"; "go test", not "go ahead".
 */
function namesCommand(phrase: Phrase, command: SimpleCommand, other: SimpleCommand): boolean {
  const [first = '', second, ...rest] = phrase;
  const own = command.args.map(({ value }) => value);
  if (command.program === other.program) {
    const [sub, otherSub] = [toPlainSubCommand(command), toPlainSubCommand(other)];
    const words = first === command.program ? [second, ...rest] : phrase;
    const changed = sub.findIndex((word, i) => word !== otherSub[i]);
    return changed >= 0 && sub.slice(changed).every((word, i) => words[changed + i] === word || words[i] === word);
  }
  if (toBaseName(first) !== command.program) return false;
  return second === undefined || AFTER_NAME.test(second) || own.includes(second);
}

/** The words of a runner say nothing about what it runs. */
const RUNNING = /^(?:run|exec|x|dlx|task)$/;

/** Have both commands a word in common that says what they work on? */
function sharesOperand(a: SimpleCommand, b: SimpleCommand): boolean {
  // Commands of one program have their first words in common whatever they do.
  const toShared = a.program === b.program ? toOperands : toPositionals;
  const words = new Set(toShared(b));
  return toShared(a).some((word) => words.has(word) && !PASSING.test(word) && !RUNNING.test(word));
}
