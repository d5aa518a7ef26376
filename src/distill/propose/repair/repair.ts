/**
 * A repair: a command failed, and the very next attempt, with the same program or the same objects, worked. The fix
 * becomes a template, and the trigger is what the failing command has and the fix lacks. No program and no message is
 * named here. A check, a search, a file that is not there and the network are no repairs, and what forces, destroys or
 * raises rights is for a person to decide.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import type { Finding } from '../../../base/model/finding.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { CommandEdit } from '../../../base/shell/command-edit.ts';
import type { CopiedWord, WordSource } from '../../../base/shell/command-template.ts';
import { toCommandName, toTypedProgram } from '../../../base/shell/command-words.ts';
import { findCheck } from '../../../base/shell/intent.ts';
import { findObjectKind } from '../../../base/shell/object-kind.ts';
import { isLooking, isPreparing, isProbe } from '../../../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand } from '../../../base/shell/simple-command.ts';
import { findScriptName } from '../../../base/shell/sub-commands.ts';
import { toEditDistance } from '../../../base/text/edit-distance.ts';
import { isNamedIn } from '../../../base/text/is-named-in.ts';
import { classifyFailure, isMistake } from '../../episodes/classify-failure.ts';
import { ABSENT } from '../../episodes/fix-around.ts';
import { isHarmful } from '../../episodes/is-harmful.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { isCopy, isRight, joinTemplates, type Learned, learnTemplate } from '../../episodes/learn-template.ts';
import { type FailureWindow, makePairDetector } from '../../episodes/make-finding.ts';
import { isLostPath, isTemporaryPath, runsTemporaryScript } from '../../episodes/passing-program.ts';
import { isGuarding } from '../../gate/risky-remedies/is-forcing.ts';
import { type LessonText, REPAIRED, SUMMARY_CHARS, toExample, toMistake, toSentence } from '../../text/edit-text.ts';
import { renderEdit } from '../../text/render-edit.ts';
import { findContrast, isTelling, type RepairCalls, toLost } from './contrast-trigger.ts';

const MAX_STEPS = 3;
/** No other command is the fix. */
const OTHERS: ReadonlySet<string> = new Set(['verdict', 'world', 'exploration', 'edit-text']);
const HARMFUL = 'its fix forces, deletes or raises rights';
const UNNAMED = 'the error names nothing that the fix changes';
const SILENT = 'failed without a message';

export const REPAIR = 'distill/repair@1';

export const repair = makePairDetector({
  name: REPAIR,
  kind: 'repair',
  maxSteps: MAX_STEPS,
  findFix(failure) {
    const { call, calls } = failure;
    if (call.masked || call.hung === true || !mayBeMistake(failure)) return undefined;
    const next = findNext(failure);
    if (next === undefined) return undefined;
    const { index, fixing, learned } = next;
    if (!isRepair(learned, call)) return undefined;
    const worked = calls.filter((one) => one.tool === 'shell' && one !== fixing && hasWorked(one) && !one.masked);
    const proposal = propose(learned, { failing: call, fixing, worked });
    const { how } = proposal ?? {};
    if (proposal === undefined || how === undefined) return undefined;
    return {
      index,
      text: proposal.text,
      triggers: proposal.triggers,
      intentKey: toCommandName(learned.failed),
      signals: ['fix-confirmed'],
      ...(call.signature === undefined ? { said: SILENT } : {}),
      ...dropAbsent({ caution: findCaution(learned, how, call, fixing) }),
    };
  },
});

/** Why a person has to look at it first. */
function findCaution(learned: Learned, how: string, call: LiveCall, fixing: LiveCall): string | undefined {
  if (isHarmful({ kind: 'form', text: how, line: fixing.command?.trim() ?? '' }, call, fixing)) return HARMFUL;
  const changed = [...listGone(learned), ...listCome(learned)];
  return changed.some((word) => isNamedIn(call.output ?? '', word)) ? undefined : UNNAMED;
}

/**
 * The same failure was repaired before, with other words: the finding about what both pairs have in common. Undefined if
 * they share no template, or if no trigger fires on both mistakes and on neither fix.
 */
export function widenRepair(finding: Finding, known: Lesson, calls: RepairCalls): Finding | undefined {
  const [before, ...more] = known.edit?.others === undefined ? (known.edit?.steps ?? []) : [];
  if (before === undefined || more.length > 0 || !('make' in before)) return undefined;
  const { failing, fixing } = calls;
  const pair = {
    failing: failing.command?.trim() ?? '',
    fixing: fixing.command?.trim() ?? '',
    message: failing.output ?? '',
  };
  const learned = learnTemplate(pair);
  const step = learned && joinTemplates(before, learned.step);
  if (learned === undefined || step === undefined || !isRight(step, pair)) return undefined;
  const literal = learned.words.map((word, i) => step.of[i] === word);
  const proposal = propose({ ...learned, step, literal }, calls);
  if (proposal === undefined) return undefined;
  const { text, triggers } = proposal;
  const { summary, mistake, remediation, edit } = text;
  return { ...finding, ...{ summary, mistake, remediation, triggers, widens: known.id }, ...dropAbsent({ edit }) };
}

function propose(learned: Learned, calls: RepairCalls) {
  const { failing, fixing } = calls;
  const triggers = findContrast(learned, calls);
  const edit = toEdit(learned);
  const how = renderEdit(edit, HOW_CHARS);
  if (triggers === undefined || how === undefined) return undefined;
  const { failed, made, literal, head } = learned;
  const last = made.at(-1) ?? failed;
  const said = failing.message ?? '';
  const name = literal.slice(head + 1).some(Boolean) ? toCommandName(failed) : failed.program;
  const complaint = `\`${name}\` failed in this form`;
  const summary = `${complaint}: ${how}`;
  const line = fixing.command?.trim() ?? '';
  const mistake = toMistake(failed, said, 'failed', last);
  const text: LessonText = {
    summary: summary.length <= SUMMARY_CHARS ? summary : mistake,
    mistake,
    remediation: toSentence(how),
    tags: [`tool:${failed.program}`, REPAIRED],
    edit,
    example: { ...toExample(failed, last, said), ...(line.length <= EXAMPLE_CHARS ? { fix: line } : {}) },
  };
  return { triggers, text, how };
}

const EXAMPLE_CHARS = 120;
/** A template shows two whole lines. */
const HOW_CHARS = 300;

function mayBeMistake({ call, calls, index }: FailureWindow): boolean {
  const { output = '', signature } = call;
  if (signature === undefined && (isWorld(output) || isVerdict(output))) return false;
  return !OTHERS.has(classifyFailure(call, calls.slice(index + 1, index + 1 + MAX_STEPS)));
}

interface Next {
  readonly index: number;
  readonly fixing: LiveCall;
  readonly learned: Learned;
}

/** The next attempt. An agent may look around before it; an edit, another command or the user ends the episode. */
function findNext({ call, calls, index, commandsOf, isAsked }: FailureWindow): Next | undefined {
  for (let at = index + 1; at <= index + MAX_STEPS && at < calls.length; at++) {
    const later = calls[at];
    if (later === undefined || later.tool === 'edit' || later.tool === 'write' || isAsked(at)) return undefined;
    if (later.tool !== 'shell') continue;
    const commands = commandsOf(at);
    const learned =
      hasWorked(later) && !later.masked
        ? learnTemplate({
            failing: call.command?.trim() ?? '',
            fixing: later.command?.trim() ?? '',
            message: call.output ?? '',
          })
        : undefined;
    if (learned !== undefined && isRelated(learned) && isSeen(learned, commands))
      return { index: at, fixing: later, learned };
    if (!commands.every((one) => isLooking(one) || isProbe(one) || isPreparing(one))) return undefined;
  }
  return undefined;
}

/** The exit code tells whether the command worked that took the place of the failing one. */
function isSeen({ failed }: Learned, commands: readonly SimpleCommand[]): boolean {
  const same = commands.filter(({ program }) => program === failed.program);
  return same.length > 0 ? same.some(({ hidden }) => !hidden) : !commands.at(-1)?.hidden;
}

/** Both calls run the same program, or one of nearly the same name, or do something to the same objects. */
function isRelated({ failed, made, literal, copied }: Learned): boolean {
  return made.some(({ program }) => isAlike(failed.program, program)) || copied.some((one, i) => one && !literal[i]);
}

function isAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const [letters, others] = [a, b].map((word) => word.split('').sort().join(''));
  return (short.length > 1 && long.startsWith(short)) || letters === others || toEditDistance(a, b) * 3 <= long.length;
}

/** The fix only looks or asks, or goes on with what had stopped. */
const RESUMES = /^--(?:skip|continue|abort|quit)$/;
const LOOKS = /^(?:list|ls(?:-[a-z]+)?|status|show|view|info|help|get|describe|logs?|version|whoami|search|find)$/;
/** A place that is the same for every call. */
const PLACE = /^(?:\.{1,2}|~|\/|-)$/;

/** Another command is the fix, and not only because it looks at something, or is done to something else. */
function isRepair(learned: Learned, call: LiveCall): boolean {
  const { output = '' } = call;
  const { failed, made, words, literal, copied } = learned;
  const come = listCome(learned);
  const isUnguarded = words.some((word) => isGuarding(word) && !listConstants(learned).includes(word));
  if (isUnguarded || isOfThatDay(learned, call)) return false;
  if (isProbe(failed) || made.some(isProbe) || isOtherScript(learned)) return false;
  const isDropped = words.some((_, i) => !literal[i] && !copied[i]);
  if (come.some((word) => LOOKS.test(word) || (isDropped && RESUMES.test(word)))) return false;
  if (isOtherObject(learned, come, isDropped)) return false;
  const changed = listGone(learned);
  if (ABSENT.test(output) && isElsewhere(learned, changed)) return false;
  // Something is looked for elsewhere.
  if (isDropped && (isLooking(failed) || made.every(isLooking))) return false;
  const isRun = findCheck(failed) !== undefined && !isMistake(classifyFailure(call));
  return !isRun || [...come, ...changed].some((word) => isNamedIn(output, word));
}

/** The words of the fix that are no copies, but for its programs. */
function listConstants({ step }: Learned): readonly string[] {
  const words = step.make.flatMap((line) => line.slice(1));
  return words.flatMap(([one]) => (typeof one === 'string' ? [one] : []));
}

function listCome(learned: Learned): readonly string[] {
  return listConstants(learned).filter((word) => !learned.words.includes(word));
}

function listGone({ step, words }: Learned): readonly string[] {
  return words.filter((word, i) => i > 0 && !step.make.flat().some(([one]) => isWhole(one, word, i)));
}

/** A program of a temporary folder is another one the next time, and a PATH that was lost is there again. */
function isOfThatDay({ failed, made, words, head }: Learned, call: LiveCall): boolean {
  if (words.some((word, i) => i <= head && isTemporaryPath(word)) || isLostPath(failed, call)) return true;
  return runsTemporaryScript(failed) && made.some((one) => toTypedProgram(one) === toTypedProgram(failed));
}

/** `npm run build` after `npm run types`. */
function isOtherScript({ failed, made }: Learned): boolean {
  const script = findScriptName(failed);
  const others = made.flatMap((one) => findScriptName(one) ?? []);
  return script !== undefined && others.length > 0 && !others.some((one) => isAlike(one, script));
}

/** Objects came that the failing command does not have: for others that went, or alone. */
function isOtherObject({ failed, made }: Learned, come: readonly string[], isDropped: boolean): boolean {
  const kinds = come
    .filter((word) => !isOption(word) && !PLACE.test(word))
    .map((word) => findObjectKind({ text: word, value: word }));
  if (isDropped && kinds.some((kind) => kind !== undefined)) return true;
  const isAlone = come.length === kinds.length && made.every(({ program }) => program === failed.program);
  return come.length > 0 && isAlone && kinds.every((kind) => kind !== undefined && kind !== 'name');
}

/** A path went, or leads to another folder. Without a scheme or an ending it is the same place. */
function isElsewhere({ step, words, copied }: Learned, changed: readonly string[]): boolean {
  const isMoved = (source: CopiedWord): boolean => {
    const parts = [...toLost(source, words[source.copy] ?? ''), source.prefix ?? ''];
    return parts.some((part) => part.includes('/') && !isTelling(part));
  };
  const moved = step.make.flat().flatMap(([one]) => (isCopy(one) && isMoved(one) ? [words[one.copy]] : []));
  return changed.some((word) => word.includes('/') && (!copied[words.indexOf(word)] || moved.includes(word)));
}

function isWhole(source: WordSource | undefined, word: string, i: number): boolean {
  if (typeof source !== 'object') return source === word;
  const isFree = 'copy' in source && (source.after ?? source.before ?? source.prefix ?? source.suffix) === undefined;
  return isFree && (source.copy === i || (source.many === true && source.copy <= i));
}

function toEdit({ step, failed, literal, head }: Learned): CommandEdit {
  return { program: literal[head] ? failed.program : '*', steps: [step] };
}
