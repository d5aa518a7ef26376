/**
 * A shell command that failed because of one of its words, and the command that then did the same without it. The
 * program's own error names the word, the parsed command gives its role: both together make the trigger.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import { hasHalfOf, toTypedProgram } from '../../../base/shell/command-words.ts';
import { isProbe } from '../../../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { toEditDistance } from '../../../base/text/edit-distance.ts';
import { toBaseName } from '../../../base/text/paths.ts';
import { subtract } from '../../episodes/find-attempt.ts';
import { type Culprit, findCulprit, isCulpritIn, toFailedName, toTriggers } from '../../episodes/find-culprit.ts';
import { isJudged, isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { isFailedCommand, makePairDetector } from '../../episodes/make-finding.ts';
import { isOnEveryMachine, isTemporaryProgram, runsTemporaryScript } from '../../episodes/passing-program.ts';
import { findRunInText } from '../../episodes/replaced-words.ts';
import { isStandIn, runsProgram } from '../../episodes/runs-program.ts';
import { findSetUp, setsUp } from '../../episodes/set-up.ts';
import { toLessonText } from '../../text/edit-text.ts';

/** Farther away, the same program is used for something else. */
export const MAX_STEPS = 8;
/** A command that has no other word to compare is the fix only this close to the failed one. */
const NEAR_STEPS = 3;
/** Without such an option the command does more than was meant, so leaving it out is no fix. */
export const SAFETY = /dry-?run|check|preview|plan|simulat|what-?if|no-?op|diff|test/i;
export const correctedCommand = makePairDetector({
  name: 'distill/corrected-command@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  isCandidate: isRejectable,
  findFix({ calls, index, call, commands, commandsOf }) {
    const culprit = findRejected(call, commands);
    const fix = culprit === undefined ? undefined : findLaterFix(culprit, calls, index, commandsOf);
    if (culprit === undefined || fix === undefined) return undefined;
    // The shell takes no program from the folder that it is in, whatever its name: that is a repair of any such name.
    if (culprit.role === 'program' && toTypedProgram(fix.command) === `./${culprit.word}`) return undefined;
    if (isPlaceLost(culprit, fix.command) || isOnlyLeftOut(culprit, fix.command)) return undefined;
    const text = toLessonText(culprit, fix.command, fix.setUp);
    if (text === undefined) return undefined;
    return {
      index: fix.index,
      text,
      triggers: toTriggers(culprit),
      intentKey: toFailedName(culprit),
      signals: fix.confirmed ? ['fix-confirmed'] : [],
    };
  },
});

/** The option named the folder to work in, and the fix happened to run there: without the option, a `cd` is missing. */
function isPlaceLost({ role, word, command: { args } }: Culprit, fixing: SimpleCommand): boolean {
  const place = args[args.findIndex(({ value }) => value === word) + 1]?.value ?? '';
  return role === 'option' && /^(?:~|\/)/.test(place) && !fixing.args.some(({ value }) => value === place);
}

/** What is absent is looked for elsewhere: to leave out its name is no correction. */
function isOnlyLeftOut({ absent, command }: Culprit, fixing: SimpleCommand): boolean {
  return absent === true && subtract(fixing, command).length === 0;
}

/** The word of a failed call that its program refuses, where that can be a lesson at all. */
export function findRejected(call: LiveCall, commands: readonly SimpleCommand[]): Culprit | undefined {
  const culprit = findCulprit(commands, call.output ?? '');
  if (culprit === undefined || isPassing(culprit) || findRunInText(call) !== undefined) return undefined;
  return isCulpritIn(culprit, culprit.command) ? culprit : undefined;
}

function isPassing({ role, command }: Culprit): boolean {
  if (isTemporaryProgram(command)) return true;
  return role === 'program' ? isOnEveryMachine(command.program) : runsTemporaryScript(command);
}

export function isRejectable(call: LiveCall): boolean {
  if (!isFailedCommand(call)) return false;
  // A pipe may hide the rejected word behind the output of programs that worked.
  return call.masked || (!isVerdict(call.output ?? '') && !isWorld(call.output ?? ''));
}

interface Fix {
  readonly index: number;
  readonly command: SimpleCommand;
  /** It succeeded; else it ran and gave a verdict on the code. */
  readonly confirmed: boolean;
  /** The line made the program be found: `PATH=$PATH:/opt/go/bin`. */
  readonly setUp?: string;
}

type ParsedCommands = (index: number) => readonly SimpleCommand[];

/**
 * The later call that did what the failed one wanted, without the culprit. Only the calls are evidence: the later call
 * worked, or failed only because a test or check said no.
 */
export function findLaterFix(
  culprit: Culprit,
  calls: readonly LiveCall[],
  failed: number,
  parsed: ParsedCommands,
): Fix | undefined {
  let fix: Fix | undefined;
  for (let index = failed + 1; index < calls.length; index++) {
    const call = calls[index];
    if (call === undefined || (fix === undefined && index - failed > MAX_STEPS)) break;
    if (fix === undefined && isProgramEdited(culprit, call)) return undefined;
    if (!hasRun(call) || isSameMistake(culprit, parsed(index), call)) continue;
    // The culprit works after all: what was missing was something else.
    if (!isSetUp(culprit, call) && parsed(index).some((command) => isCulpritIn(culprit, command))) return undefined;
    const seen = parsed(index).filter((one) => !mayHaveFailed(one, call));
    const command = fix === undefined ? findFixing(culprit, seen, index - failed) : undefined;
    if (command !== undefined) fix = toFix(culprit, { index, command, confirmed: call.outcome !== 'failure' }, call);
  }
  return fix;
}

/** Behind `||` stands what ran in its place, or nothing: the line works either way. */
function mayHaveFailed({ hidden }: SimpleCommand, { command = '' }: LiveCall): boolean {
  return hidden === true && command.includes('||');
}

/** That a program is found after its PATH was set says nothing of a line that does not set it. */
function isSetUp({ role }: Culprit, { command = '' }: LiveCall): boolean {
  return role === 'program' && setsUp(command);
}

/** Undefined if the calls do not show how the shell found the program. */
function toFix(culprit: Culprit, fix: Fix, call: LiveCall): Fix | undefined {
  if (!isSetUp(culprit, call) || !isCulpritIn(culprit, fix.command)) return fix;
  const setUp = findSetUp(call.command ?? '');
  return setUp === undefined ? undefined : { ...fix, setUp };
}

function hasRun(call: LiveCall): boolean {
  if (call.tool !== 'shell' || call.command === undefined || call.masked) return false;
  if (hasWorked(call)) return true;
  return isJudged(call);
}

/** Does the call make the mistake again? A pipe may hide the exit code, but not the error in the output. */
function isSameMistake(culprit: Culprit, commands: readonly SimpleCommand[], call: LiveCall): boolean {
  if (!commands.some(({ program }) => program === culprit.command.program)) return false;
  return findCulprit(commands, call.output ?? '') !== undefined;
}

function findFixing(culprit: Culprit, commands: readonly SimpleCommand[], steps: number): SimpleCommand | undefined {
  const countKept = (command: SimpleCommand): number =>
    toOtherWords(culprit, command).filter((word) => hasArg(command, word)).length;
  const fitting = commands.filter((command) => isFixing(culprit, command, steps));
  return fitting.sort((a, b) => countKept(b) - countKept(a))[0];
}

function isFixing(culprit: Culprit, command: SimpleCommand, steps: number): boolean {
  if (isProbe(command)) return false;
  if (culprit.role === 'program') {
    return runsProgram(command, culprit.word) || isStandIn(command, culprit.command);
  }
  const words = toPositionals(command);
  const sameSub = culprit.sub.every((word, i) => words[i] === word);
  return command.program === culprit.command.program && sameSub && keepsOtherWords(culprit, command, steps);
}

/** Does the command keep the words of the failed one, other than the culprit? */
function keepsOtherWords(culprit: Culprit, fix: SimpleCommand, steps: number): boolean {
  const others = toOtherWords(culprit, fix);
  if (culprit.role === 'sub-command' || culprit.role === 'word') {
    const instead = toPositionals(fix)[culprit.sub.length];
    const isNamed = culprit.role === 'sub-command' || culprit.absent === true;
    const isNext = isNamed && others.length === 0 && steps === 1;
    if (instead === undefined) return false;
    return isNext || isSimilar(culprit.word, instead) || isPartOf(culprit, fix) || keepsMost(others, fix);
  }
  if (culprit.role === 'option' && SAFETY.test(culprit.word) && !hasNewOption(culprit.command, fix)) return false;
  return others.length === 0 ? steps <= NEAR_STEPS : keepsMost(others, fix);
}

/** The words that a fix is expected to keep: all but the sub-command, the culprit and the value of the culprit. */
function toOtherWords(culprit: Culprit, fix: SimpleCommand): readonly string[] {
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

/** `main` in `origin/main`: the same thing by a longer name. */
function isPartOf({ role, word }: Culprit, fix: SimpleCommand): boolean {
  return role === 'word' && word.length > 2 && fix.args.some(({ value }) => value.endsWith(`/${word}`));
}

/** At least half of the words, and one of the operands. */
function keepsMost(words: readonly string[], fix: SimpleCommand): boolean {
  const operands = words.filter((word) => !isOption(word));
  const kept = operands.length === 0 ? words : operands;
  return kept.some((word) => hasArg(fix, word)) && hasHalfOf(words, fix);
}

function hasArg(command: SimpleCommand, word: string): boolean {
  return command.args.some(({ value }) => value === word);
}

function hasNewOption(before: SimpleCommand, after: SimpleCommand): boolean {
  return after.args.some(({ value }) => isOption(value) && value !== '--' && !hasArg(before, value));
}

const MAX_MISSPELT_CHARS = 40;

/** `lint:all` and `lint` have a part in common, `comit` and `commit` differ in at most two letters. */
function isSimilar(a: string, b: string): boolean {
  const parts = new Set(a.split(/[-_:.]/).filter((part) => part.length > 2));
  if (b.split(/[-_:.]/).some((part) => parts.has(part))) return true;
  const isComparable = a.length > 3 && a.length <= MAX_MISSPELT_CHARS && Math.abs(a.length - b.length) <= 2;
  return isComparable && toEditDistance(a, b) <= 2;
}

/** The program is being written in this session: its command line changed, the call was not wrong. */
function isProgramEdited({ command, sub }: Culprit, call: LiveCall): boolean {
  if ((call.tool !== 'edit' && call.tool !== 'write') || call.targetPath === undefined) return false;
  const edited = toBaseName(call.targetPath);
  return edited === command.program || sub.some((word) => toBaseName(word) === edited);
}
