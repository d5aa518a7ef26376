/**
 * Finds out how an agent got past a failed call: the next call of the same purpose that worked, and the difference
 * between the two. A cure is kept under the signature of the failure, so that the same failure can be met with it at
 * once. No program and no message is named here: the difference between the calls and the words of the error decide.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { Cure } from '../../base/model/cure.ts';
import { dropAbsent } from '../../base/records.ts';
import type { CommandEdit, EditStep, EditWord } from '../../base/shell/command-edit.ts';
import { toPlainSubCommand, toTypedProgram } from '../../base/shell/command-words.ts';
import { isSameCommand, isSameSubCommand } from '../../base/shell/intent.ts';
import { findObjectKind } from '../../base/shell/object-kind.ts';
import { isDoing } from '../../base/shell/program-kinds.ts';
import { type Argument, isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { toEditDistance } from '../../base/text/edit-distance.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { toBaseName } from '../../base/text/paths.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import type { SessionWindow } from '../detector.ts';
import { renderEdit } from '../text/render-edit.ts';
import { toShortCommand } from '../text/to-short-command.ts';
import { findGivenParameter, renderParameterFix } from './changed-parameter.ts';
import { classifyFailure, isMistake } from './classify-failure.ts';
import {
  type Attempt,
  findAlike,
  findCheckOf,
  isCheck,
  isPath,
  listBlamed,
  listCommands,
  type PlacedCommand,
  subtract,
  toWords,
} from './find-attempt.ts';
import { findToolCure, type Made, TEXT_CHARS, type Told } from './find-tool-cure.ts';
import { ABSENT, findAround, findFirst, findOwnFolder, isPlaceLost } from './fix-around.ts';
import { findSingleQuoted, toTextFix } from './fix-in-text.ts';
import { hasGotPast, isShown, listQuoted } from './got-past.ts';
import { isHarmful, isOptionName } from './is-harmful.ts';
import { isJudged } from './is-verdict.ts';
import { makeIsAskedAfter } from './make-finding.ts';
import { isMissing, isTemporaryProgram, runsTemporaryScript } from './passing-program.ts';
import { findEqualsQuoted, isEqualsExpanded } from './replaced-words.ts';
import { findTeachableEdit } from './teachable-edit.ts';
import { toStand } from './to-stand.ts';

/** Agents look around before they try again: about one look for each attempt. */
const MAX_STEPS = 20;

/** A cure with its calls. */
export interface CuredCall {
  readonly cure: Cure;
  readonly failing: LiveCall;
  readonly fixing: LiveCall;
  /** From the failing call to the fixing one. */
  readonly steps: number;
  /** The command of a line that failed. */
  readonly failed?: SimpleCommand;
}

type CallWindow = Pick<SessionWindow, 'calls' | 'from' | 'spoken'>;

/** Both the store of cures and the lessons about them ask for the same windows. */
const known = new WeakMap<CallWindow, readonly CuredCall[]>();

/** The cures that the calls from `from` on show. */
export function findCures(window: CallWindow): readonly CuredCall[] {
  const found = known.get(window) ?? lookForCures(window);
  known.set(window, found);
  return found;
}

function lookForCures({ calls, from, spoken }: CallWindow): readonly CuredCall[] {
  const found: CuredCall[] = [];
  const isAskedAfter = makeIsAskedAfter(spoken);
  for (let index = Math.max(0, from - MAX_STEPS); index < calls.length; index++) {
    const failing = calls[index];
    if (failing?.outcome !== 'failure' || failing.signature === undefined) continue;
    const next = calls.slice(index + 1, index + 1 + MAX_STEPS);
    const made =
      failing.tool === 'shell'
        ? findCommandCure(failing, next, isAskedAfter)
        : findToolCure(failing, next, calls.slice(0, index));
    const fixing = made && next[made.at];
    if (made === undefined || fixing === undefined || index + 1 + made.at < from) continue;
    if (isHarmful(made, failing, fixing)) continue;
    const { agent, sessionId, projectId, callId, signature } = failing;
    const cure = {
      agent,
      sessionId,
      projectId,
      failingCallId: callId,
      fixingCallId: fixing.callId,
      signatureId: signature.id,
      kind: made.kind,
      text: made.text,
      at: fixing.occurredAt,
      ...dropAbsent({ edit: made.edit }),
    };
    found.push({ cure, failing, fixing, steps: made.at + 1, ...dropAbsent({ failed: made.failed }) });
  }
  return found;
}

/** Of commands that may be meant, the first one that a later call corrected. */
function findCommandCure(
  failing: LiveCall,
  next: readonly LiveCall[],
  isAskedAfter: (call: LiveCall) => boolean,
): Made | undefined {
  const quoted = findSingleQuoted(failing, next);
  if (quoted !== undefined) return quoted;
  // The shell did not run the command at all.
  if (isEqualsExpanded(failing)) return findEqualsQuoted(failing, next);
  const blamed = listBlamed(failing).filter((one) => !isTemporaryProgram(one));
  const given = blamed[0] && findGivenParameter(failing, next);
  if (given !== undefined) {
    const text = renderParameterFix(given.changed, failing.output ?? '');
    // It says nothing without the value.
    if (text.startsWith('give it another ')) return undefined;
    return { at: given.at, kind: 'input', text, ...dropAbsent({ failed: blamed[0] }) };
  }
  if (blamed[0] === undefined || !isMistake(classifyFailure(failing, next))) return undefined;
  // A look beside the command that failed was no mistake.
  for (const failed of blamed.filter((one, i) => i === 0 || isDoing(one)).slice(0, MAX_BLAMED)) {
    const made = findCureOf(failed, failing, { next, isAskedAfter });
    if (made !== undefined) return isOwnOfScript(made, failed) ? undefined : { ...made, failed };
  }
  return undefined;
}

const MAX_BLAMED = 3;

/** Of a script of that day, only what is done before it or with its interpreter can be told. */
function isOwnOfScript({ kind, edit }: Told, failed: PlacedCommand): boolean {
  if (!runsTemporaryScript(failed) || (kind !== 'edit' && kind !== 'form')) return false;
  return edit === undefined || !edit.steps.some((step) => 'from' in step && step.at === 0);
}

interface Later {
  readonly next: readonly LiveCall[];
  /** Did the user speak right after the call? */
  readonly isAskedAfter: (call: LiveCall) => boolean;
}

/**
 * The first later call that tells something decides. If none does, the form of the first later call that worked is kept
 * as an example.
 */
function findCureOf(failed: PlacedCommand, failing: LiveCall, { next, isAskedAfter }: Later): Made | undefined {
  const telling = toTellingWords(failed);
  const isUnfound = isMissing(failed, failing);
  let example: Made | undefined;
  for (const [at, fixing] of next.entries()) {
    if (fixing.tool !== 'shell' || !telling.some((word) => fixing.command?.includes(word))) continue;
    const found = isUnfound ? toFound({ failing, failed, fixing }) : undefined;
    if (found !== undefined) return { at, ...found };
    const command = findAlike(failed, fixing);
    if (command === undefined) continue;
    const between = next.slice(0, at);
    const isAsked = [failing, ...between].some(isAskedAfter);
    const attempt = { failing, failed, fixing, command, between, isAsked };
    if (!hasGotPast(attempt)) continue;
    const made = toCured(attempt);
    if (made === 'chance') return undefined;
    if (made !== undefined) return { at, ...toApplicable(made, failed) };
    example ??= toExample(attempt, at);
  }
  return example;
}

/** A command inside the text of another one is told, but nothing can edit it there. */
function toApplicable({ edit, ...made }: Told, { host }: PlacedCommand): Told {
  return edit === undefined || host !== undefined ? made : { ...made, edit };
}

/** Folders that a line adds to those in which the shell looks for programs. */
const SEARCHED =
  /(?:^|[\s;&])((?:export )?PATH=["']?(?:\$\{?PATH\}?:[\w./:~-]+|[\w./:~-]+:\$\{?PATH\}?)["']?)(?=[\s;&])/;

/**
 * The shell found the program at another path, or after its folder was added to those that are searched. What the program
 * was to do does not matter, nor whether it then failed for a reason of its own.
 */
function toFound({ failed, fixing }: Pick<Attempt, 'failing' | 'failed' | 'fixing'>): Told | undefined {
  const typed = toTypedProgram(failed);
  const command = listCommands(fixing).find(({ program, host }) => program === failed.program && host === failed.host);
  if (command === undefined || isMissing(command, fixing)) return undefined;
  if (fixing.outcome === 'success' ? !isShown(command, fixing) : fixing.outcome !== 'failure') return undefined;
  const [line, head] = [fixing.command ?? '', toTypedProgram(command)];
  if (head !== typed) {
    const edit = { program: failed.program, steps: [{ from: [typed], to: [head], at: 0 }] };
    const text = renderEdit(edit, TEXT_CHARS);
    return text === undefined ? undefined : { kind: 'edit', text, edit };
  }
  const searched = SEARCHED.exec(line.slice(0, line.indexOf(command.text)))?.[1];
  return searched === undefined
    ? undefined
    : { kind: 'first', text: `run \`${searched}\` first, in the same line`, line: searched };
}

/** The program and the longest other word. A command with neither is another command, and need not be parsed. */
function toTellingWords({ program, args }: SimpleCommand): readonly string[] {
  const longest = args.reduce((word, { value }) => (value.length > word.length ? value : word), '');
  return longest === '' ? [program] : [program, longest];
}

/** `chance`: the call ends the trouble and does not show why, so a later call was made for another reason. */
function toCured(attempt: Attempt): Told | 'chance' | undefined {
  const { failed, command } = attempt;
  const hasSameWords = isSameCommand(failed, command) && toTypedProgram(failed) === toTypedProgram(command);
  const isSame = hasSameWords && listQuoted(failed, command).length === 0;
  const edited = isSame ? undefined : findEdited(attempt);
  if (edited !== undefined && edited !== 'verdict') return edited;
  const around = findAround(attempt, isSame);
  if (around !== undefined) return around;
  if (isSame) return findFirst(attempt) ?? 'chance';
  return edited === 'verdict' ? 'chance' : toTextFix(attempt);
}

function findEdited(attempt: Attempt): Told | 'verdict' | undefined {
  const told = toDashed(attempt) ?? toPlainValue(attempt) ?? toOtherOption(attempt) ?? findOwnFolder(attempt);
  if (told !== undefined) return told;
  return isPlaceLost(attempt) ? undefined : (toSole(attempt) ?? toEdited(attempt));
}

/** The error rejects an option, and its value became a plain word: `send web <text>` for `send web -m <text>`. */
function toPlainValue({ failing: { output = '' }, failed, command }: Attempt): Told | undefined {
  const options = [failed, command].map(({ args }) => args.map(({ value }) => value).filter(isOption));
  const [option = '', ...more] = options[0]?.filter((word) => !options[1]?.includes(word)) ?? [];
  const at = failed.args.findIndex(({ value }) => value === option);
  const value = failed.args[at + 1];
  if (value === undefined || isOption(value.value) || more.length > 0 || !isNamedIn(output, option)) return undefined;
  const count = ({ args }: SimpleCommand): number => args.filter((word) => !isOption(word.value)).length;
  // Before an option that has no value, there is seldom another word than those of the sub-command.
  const isValue = count({ ...failed, args: failed.args.slice(0, at) }) > toPlainSubCommand(failed).length;
  const isAdded = options[1]?.some((word) => !options[0]?.includes(word));
  if (!isValue || isAdded || count(failed) !== count(command)) return undefined;
  const hole = { any: findObjectKind(value) ?? 'name' };
  const edit = { program: failed.program, steps: [{ from: [option, hole], to: [{ ...hole, copy: 0 }] }] };
  return { kind: 'edit', text: `leave out \`${option}\` and give its value as a plain argument`, edit };
}

/** The error is about the value of an option, or about its name before `=`, and another option took the same. */
function toOtherOption({ failing: { output = '' }, failed, command }: Attempt): Told | undefined {
  const list = ({ args }: SimpleCommand) =>
    args.flatMap(({ value }, i) => {
      const option = args[i - 1]?.value ?? '';
      const [name = ''] = value.split('=', 1);
      const kind = findObjectKind({ text: name, value: name });
      // What the command is done to often stands behind an option that takes no value.
      const isValue = isOptionName(option) && !isOption(value) && (kind === undefined || kind === 'name');
      return isValue ? [{ option, name, what: name === value ? 'the same value' : `\`${name}=…\`` }] : [];
    });
  const [before, after] = [list(failed), list(command)];
  const texts = before.flatMap(({ option, name, what }) => {
    const other = after.find((one) => one.name === name)?.option ?? option;
    const isOther = isNamedIn(output, name) && !before.some((one) => one.option === other);
    return isOther ? [`give ${what} with \`${other}\` instead of \`${option}\``] : [];
  });
  const [text, ...more] = texts;
  return text === undefined || more.length > 0 ? undefined : { kind: 'form', text };
}

/** A text in quotes that begins with a dash was taken for an option, until `--` or an option stood before it. */
function toDashed({ failing, failed, command }: Attempt): Told | undefined {
  if (!/\b(?:option|flag|argument|switch)\b/i.test(failing.message ?? '')) return undefined;
  const before = ({ args }: SimpleCommand, text: string): readonly string[] =>
    args
      .slice(
        0,
        args.findIndex(({ value }) => value === text),
      )
      .map(({ value }) => value);
  const isText = ({ text, value }: Argument): boolean => isOption(value) && /^["']/.test(text);
  const { value = '' } =
    failed.args.find((word) => isText(word) && command.args.some((one) => one.value === word.value)) ?? {};
  const [had, has] = [before(failed, value), before(command, value)];
  const mark = has.includes('--') ? '--' : (has.at(-1) ?? '');
  if (value === '' || had.includes('--') || had.at(-1) === mark || !/^--?\w*$/.test(mark)) return undefined;
  const edit = findTeachableEdit({
    failed,
    fixing: command,
    points: { words: [mark], message: failing.message ?? '' },
  });
  const options = mark === '--' ? ', and all options before the `--`' : '';
  const text = `put \`${mark}\` before a text that begins with a dash${options}`;
  return { kind: 'edit', text, ...dropAbsent({ edit }) };
}

/**
 * Unless the error names the words that changed, a red check that turns green in another form says nothing. The line that
 * states the cause points better than the whole output, which may list all that the program knows.
 */
function toEdited({ failing, failed, command }: Attempt): Told | 'verdict' | undefined {
  const { output = '', message = '' } = failing;
  const find = (told: string): CommandEdit | undefined =>
    findTeachableEdit({ failed, fixing: command, points: { message: told } });
  const named = find(message);
  const edit = named !== undefined && isNamed(named, message) ? named : find(output);
  const text = edit && renderEdit(edit, TEXT_CHARS);
  if (edit === undefined || text === undefined || text === '' || !isTelling(edit)) return undefined;
  if (isCheck(failed) && failing.hung !== true && !isNamed(edit, output))
    return findCheckOf(failed) === findCheckOf(command) ? 'verdict' : undefined;
  if (!isSamePurpose(failed, command, failing) || !edit.steps.every((step) => isMeant(step, output))) return undefined;
  if (isOnlyLess(edit) && ABSENT.test(message) && subtract(failed, command).some((word) => isPath(word)))
    return undefined;
  return isNamed(edit, output) || FORM.test(output) || isMissing(failed, failing) || failing.hung === true
    ? { kind: 'edit', text, edit }
    : undefined;
}

/**
 * The next attempt changed one thing and worked, and nothing but looks lay between: then this was the fix, whatever the
 * error says. Something that is absent may also have been looked for elsewhere.
 */
function toSole(attempt: Attempt): Told | undefined {
  const { failing, failed, fixing, command, between, isAsked } = attempt;
  const { output = '', message = '' } = failing;
  // The user may have asked for the change.
  if (isAsked) return undefined;
  // A check that could not begin now judges.
  const hasRun = fixing.outcome === 'success' || (isCheck(failed) && isJudged(fixing));
  if (!hasRun || command.hidden === true || between.length > MAX_LOOKS) return undefined;
  if (ABSENT.test(message) || ALREADY.test(message) || !between.every((call) => isOnlyLook(call, failed)))
    return undefined;
  const [gone, come] = [subtract(failed, command), subtract(command, failed)];
  if (come.some((word) => SAYING_MORE.test(word)) || !isSameAction(failed, command, gone)) return undefined;
  // The error is about a word that stays. The sub-command may as well be a word of any message.
  const common = [failed.program, ...toPlainSubCommand(failed), ...gone];
  if (toWords(failed).some((word) => !common.includes(word) && isNamedIn(message, word))) return undefined;
  const edit = findTeachableEdit({ failed, fixing: command, points: { sole: true, message: output } });
  const text = edit && renderEdit(edit, TEXT_CHARS);
  if (edit === undefined || !text || !isTelling(edit)) return undefined;
  // Where it ran made the difference, unless the error is about a word that changed.
  return hasMoved(attempt) && !isNamed(edit, output) ? undefined : { kind: 'edit', text, edit };
}

/** The two commands ran in different folders. */
function hasMoved({ failing, failed, fixing, command }: Attempt): boolean {
  const from = toStand(failed, listCommands(failing), failing.cwd ?? '');
  return from !== toStand(command, listCommands(fixing), fixing.cwd ?? '');
}

const MAX_LOOKS = 4;
/** How things are, not how the command was called. */
const ALREADY = /\balready\b/i;
/** It makes a program say more or less, and mends nothing. */
const SAYING_MORE = /^(?:-v+|-s|-q|--(?:verbose|debug|trace|silent|quiet|log-level)(?:=.*)?)$/;

function isOnlyLook(call: LiveCall, failed: SimpleCommand): boolean {
  if (call.tool !== 'shell') return call.tool === 'read' || call.tool === 'grep' || call.tool === 'glob';
  return listCommands(call).every(
    (one) => !isDoing(one) || (call.outcome !== 'success' && one.program === failed.program),
  );
}

/** Another sub-command in the place of the first one does other work, and `rm x` does not run `x`. */
function isSameAction(failed: SimpleCommand, command: SimpleCommand, gone: readonly string[]): boolean {
  if (failed.args.length === 0 && failed.program !== command.program) return false;
  return failed.program !== command.program || !toPlainSubCommand(failed).some((word) => gone.includes(word));
}

/** The program complains about the form of its call. Any other error may have gone for another reason. */
const FORM =
  /\b(?:usage|arg|argument|args|flag|option|parameter|operand|syntax|quote|pattern|multiline|unexpected|invalid|unrecogni[sz]ed|unknown|illegal|missing|required|expected|must|mutually|no match(?:es)?|too many|not supported|unsupported|module ?not ?found|no module)(?:s|\(s\))?\b/i;

/** What is absent is looked for elsewhere: to leave its name out is no correction. */
function isOnlyLess({ steps }: CommandEdit): boolean {
  return steps.every((step) => 'from' in step && step.to.length === 0);
}

/**
 * Another sub-command or another program does other work. It is a correction if the error rejects the first one, and the
 * other one is named by the error, is spelled alike, or is all that changed.
 */
function isSamePurpose(failed: SimpleCommand, command: SimpleCommand, failing: LiveCall): boolean {
  const output = failing.output ?? '';
  const [a, b] = [failed, command].map((one) => [one.program, ...toPlainSubCommand(one)]);
  if (a === undefined || b === undefined) return false;
  if (failed.program !== command.program) {
    // It runs through another program, or without it. `rm x` does not run `x`: the words of the call must follow, too.
    const isRun = unwrapRunner(command).program === failed.program || failed.args.length > 0;
    if (isRun && toWords(command).some((word) => toBaseName(word) === failed.program)) return true;
    if (toWords(failed).includes(command.program)) return true;
    return isMissing(failed, failing) || isAlikeWord(failed.program, command.program);
  }
  const [gone, come] = [a.filter((word) => !b.includes(word)), b.filter((word) => !a.includes(word))];
  if (gone.length + come.length === 0) return true;
  const isRest = subtract(failed, command).length === gone.length && subtract(command, failed).length === come.length;
  if (isRest && gone.some((word) => isRejected(word, output))) return true;
  if (gone.length === 0 && come.some((word) => QUOTES.some((sign) => output.includes(sign + word)))) return true;
  const isQuoted = gone.some((word) => isRejected(word, output) || QUOTES.some((sign) => output.includes(sign + word)));
  return isQuoted && come.some((word, i) => isNamedIn(output, word) || isAlikeWord(word, gone[i] ?? ''));
}

const QUOTES = ['"', "'", '`', '‘', '“'];

function isAlikeWord(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a) || toEditDistance(a, b) * 3 <= Math.max(a.length, b.length);
}

/** Beside a word of complaint: a sub-command is often a word of English, too. */
function isRejected(word: string, output: string): boolean {
  const name = `(?<![\\w-])${toLiteral(word)}(?![\\w-])`;
  const before = '\\b(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|missing|no such|not found)\\b';
  return new RegExp(`${before}[^\\n]{0,30}${name}|${name}[^\\n]{0,20} (?:not found|is not)\\b`, 'i').test(output);
}

/** An option that took the place of another one was meant as a correction if the error names the first one or its value. */
function isMeant(step: EditStep, output: string): boolean {
  if (!('from' in step) || step.at === 0) return true;
  const [gone, come] = [step.from, step.to].map((words) =>
    words.filter((word) => typeof word === 'string' && isOption(word)),
  );
  if (gone === undefined || come === undefined || gone.length === 0 || come.length === 0) return true;
  if (String(gone) === String(come)) return true;
  // Of several options that went together, nobody knows which one the others stand for.
  if (gone.length > 1) return gone.every((word) => isNamedIn(output, `${word}`));
  return step.from.some((word) => typeof word === 'string' && isNamedIn(output, word));
}

/** The program complains about how many words it was given. */
const NUMBER =
  /\b(?:single|exactly|at (?:most|least)|only one|one at a time|too (?:many|few)|takes? (?:no|one|two|\d+))\b/i;

/** The program complains about the words that it was given. */
const OF_CALL =
  /\b(?:usage|arg|argument|flag|option|parameter|operand|syntax|pattern|unrecogni[sz]ed|unknown|illegal|unexpected)(?:s|\(s\))?\b/i;

/**
 * No edit can be told, but this form of the command worked: with an option that the failed one had not, or with as many
 * words as the error asks for. Other objects are no other form.
 */
function toExample({ failing, failed, fixing, command }: Attempt, at: number): Made | undefined {
  if (!isSameSubCommand(failed, command) || fixing.outcome !== 'success') return undefined;
  const output = failing.output ?? '';
  const [gone, come] = [subtract(failed, command), subtract(command, failed)];
  const form = `as in \`${toShortCommand(command, TEXT_CHARS)}\``;
  const toMade = (what: string): Made => ({ at, kind: 'form', text: `${what}, ${form}`, line: fixing.command ?? '' });
  if (isSurplus(failed, command, failing.message ?? '')) return toMade(`give each call ${renderCount(command)}`);
  if (isCheck(failed)) return undefined;
  if (NUMBER.test(failing.message ?? '') && (gone.length === 0) !== (come.length === 0))
    return toMade(gone.length > 0 ? `give each call ${renderCount(command)}` : 'give it more arguments');
  if (!OF_CALL.test(output) || ABSENT.test(output)) return undefined;
  const [options, others] = [come, gone].map((words) => words.filter(isOptionName));
  const asked = options?.filter((word) => isNamedIn(output, word)) ?? [];
  const [option, ...more] = asked.length > 0 ? asked : (options ?? []);
  // Of several options that came nobody knows which one was needed.
  if (option === undefined || more.length > 0 || isCrossing(failed, command)) return undefined;
  const named = others?.filter((word) => isNamedIn(output, word)) ?? [];
  return toMade(`use \`${option}\`${named.length === 1 ? ` instead of \`${named[0]}\`` : ''}`);
}

/** The error names an argument that is one too many, and the working call has fewer of them. */
function isSurplus(failed: SimpleCommand, command: SimpleCommand, message: string): boolean {
  const [before, after] = [failed, command].map((one) => toPositionals(one).slice(toPlainSubCommand(one).length));
  if (before === undefined || after === undefined || after.length >= before.length || !SURPLUS.test(message))
    return false;
  return before.slice(1).some((word) => !isOption(word) && isNamedIn(message, word));
}

const SURPLUS = /\b(?:unexpected|unrecogni[sz]ed|extra|surplus) (?:positional )?arguments?\b/i;

function renderCount(command: SimpleCommand): string {
  const count = toPositionals(command).length - toPlainSubCommand(command).length;
  return count === 1 ? 'one argument' : count > 1 ? `${count} arguments` : 'fewer arguments';
}

/** The value of an option has another role in the other command. */
function isCrossing(failed: SimpleCommand, command: SimpleCommand): boolean {
  const toRoles = ({ args }: SimpleCommand) =>
    new Map(args.map(({ value }, i) => [value, isOption(args[i - 1]?.value ?? '') ? args[i - 1]?.value : '']));
  const [before, after] = [toRoles(failed), toRoles(command)];
  return [...before].some(
    ([word, role]) => role !== '' && !isOption(word) && after.has(word) && after.get(word) !== role,
  );
}

/** More than other objects of the same kind: those were wanted that day. */
function isTelling({ steps }: CommandEdit): boolean {
  return steps.some((step) => !('from' in step) || String(step.from.map(toShape)) !== String(step.to.map(toShape)));
}

function toShape(word: EditWord): string {
  return typeof word === 'string' ? word : `<${word.any}>${word.prefix ?? ''}`;
}

/** The error names a word that the edit takes or brings, or the program that it replaces or wraps. */
function isNamed({ program, steps }: CommandEdit, output: string): boolean {
  const words = steps.flatMap((step): readonly EditWord[] => {
    if ('list' in step) return step.list;
    return 'from' in step ? [...step.from, ...step.to, ...(step.at === 0 ? [program] : [])] : [];
  });
  return words.some((word) => typeof word === 'string' && isNamedIn(output, word));
}
