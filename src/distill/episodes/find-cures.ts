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
import { findCheck, isSameCommand, isSameSubCommand } from '../../base/shell/intent.ts';
import { findObjectKind } from '../../base/shell/object-kind.ts';
import { parseCall, parseCommand } from '../../base/shell/parse-command.ts';
import { isDoing, isLooking, isPreparing, isProbe } from '../../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import { findErrorLine } from '../../base/text/cause-line.ts';
import { toEditDistance } from '../../base/text/edit-distance.ts';
import { toBaseName } from '../../base/text/paths.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import type { SessionWindow } from '../detector.ts';
import { isDestroying, isForcing, isGuarding, isHarmfulWord, isOvercoming } from '../gate/risky-remedies/is-forcing.ts';
import { findRisks } from '../gate/risky-remedies/judge-remedy.ts';
import { findNewVariable } from '../propose/commands/missing-variable.ts';
import { isMoving, toStand } from '../propose/paths/to-stand.ts';
import { toShortCommand } from '../text/to-short-command.ts';
import { findCure, isNamedIn } from './cure-step.ts';
import { renderEdit } from './find-edit.ts';
import { findToolCure, type Made } from './find-tool-cure.ts';
import { isHang } from './is-hang.ts';
import { isVerdict, isWorld } from './is-verdict.ts';

/** Agents look around before they try again: about one look for each attempt. */
const MAX_STEPS = 20;
const TEXT_CHARS = 180;

/** Something is not where it was looked for. */
const ABSENT =
  /no such (?:file|target|dir)|not found|(?:does not|doesn't) exist|can(?:not|'t) find|could(?: not|n't) find|ENOENT|no match|did not match|no module named|not a git repository|unable to (?:find|locate)/i;

/** The cures that the calls from `from` on show. */
export function findCures({ calls, from }: Pick<SessionWindow, 'calls' | 'from'>): readonly Cure[] {
  const found: Cure[] = [];
  for (let index = Math.max(0, from - MAX_STEPS); index < calls.length; index++) {
    const failing = calls[index];
    if (failing?.outcome !== 'failure' || failing.signature === undefined) continue;
    const next = calls.slice(index + 1, index + 1 + MAX_STEPS);
    const made = failing.tool === 'shell' ? findCommandCure(failing, next) : findToolCure(failing, next);
    const fixing = made && next[made.at];
    if (made === undefined || fixing === undefined || index + 1 + made.at < from) continue;
    if (isHarmful(made, failing, fixing)) continue;
    const { agent, sessionId, projectId, callId, signature } = failing;
    found.push({
      ...{ agent, sessionId, projectId, failingCallId: callId, fixingCallId: fixing.callId, signatureId: signature.id },
      ...{ kind: made.kind, text: made.text, at: fixing.occurredAt },
      ...dropAbsent({ edit: made.edit }),
    });
  }
  return found;
}

/** A failed command and a later call that may have got past its failure. */
interface Attempt {
  readonly failing: LiveCall;
  readonly failed: SimpleCommand;
  readonly fixing: LiveCall;
  readonly command: SimpleCommand;
  readonly between: readonly LiveCall[];
}

/**
 * The first later call that tells something decides. If none does, the form of the first later call that worked is kept
 * as an example.
 */
function findCommandCure(failing: LiveCall, next: readonly LiveCall[]): Made | undefined {
  const failed = findBlamed(failing);
  if (failed === undefined || isProbe(failed) || !isOfCommand(failing)) return undefined;
  const telling = toTellingWords(failed);
  const isUnfound = isMissing(failed, failing);
  let example: Made | undefined;
  for (const [at, fixing] of next.entries()) {
    if (fixing.tool !== 'shell' || !telling.some((word) => fixing.command?.includes(word))) continue;
    const found = isUnfound ? toFound({ failing, failed, fixing }) : undefined;
    if (found !== undefined) return { at, ...found };
    const command = findAlike(failed, fixing);
    if (command === undefined) continue;
    const attempt = { failing, failed, fixing, command, between: next.slice(0, at) };
    if (!hasGotPast(attempt)) continue;
    const made = toCured(attempt);
    if (made === 'chance') return undefined;
    if (made !== undefined) return { at, ...made };
    example ??= toExample(attempt, at);
  }
  return example;
}

/** Another command can be the fix. What a command printed before it was ended is not why it did not end. */
function isOfCommand(failing: LiveCall): boolean {
  const { output = '' } = failing;
  return !CONFLICT.test(output) && (isHang(failing) || !(isWorld(output) || isVerdict(output)));
}

const NOT_FOUND = 127;
const SHELL_SAYS = /^(?:\S*: line \d+|\(eval\)|\w*sh)\b/;

/** The shell did not find the program. It may name it by another path than the line does: `~` is replaced. */
function isMissing({ program }: SimpleCommand, { message = '', exitCode }: LiveCall): boolean {
  if (!/\b(?:not found|no such file or directory|is not recognized)\b/i.test(message)) return false;
  return (exitCode === NOT_FOUND || SHELL_SAYS.test(message)) && isNamedIn(message, program);
}

/** Folders that a line adds to those in which the shell looks for programs. */
const SEARCHED =
  /(?:^|[\s;&])((?:export )?PATH=["']?(?:\$\{?PATH\}?:[\w./:~-]+|[\w./:~-]+:\$\{?PATH\}?)["']?)(?=[\s;&])/;

/**
 * The shell found the program at another path, or after its folder was added to those that are searched. What the program
 * was to do does not matter, nor whether it then failed for a reason of its own.
 */
function toFound({ failed, fixing }: Omit<Attempt, 'command' | 'between'>): Told | undefined {
  const typed = toTypedProgram(failed);
  const command = parseCall(fixing).find(({ program }) => program === failed.program);
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

/** The texts have to be merged by hand, and the command is then continued. */
const CONFLICT = /^CONFLICT\b|\bmerge conflict|\bcould not apply|\bneeds merge\b/im;

/** The program and the longest other word. A command with neither is another command, and need not be parsed. */
function toTellingWords({ program, args }: SimpleCommand): readonly string[] {
  const longest = args.reduce((word, { value }) => (value.length > word.length ? value : word), '');
  return longest === '' ? [program] : [program, longest];
}

/**
 * It worked. Where a pipe or a later command hides the exit code, its output has to show that: some result, and no line
 * that has the form of an error. A call that fails for another reason got past the first one, too, unless the new error
 * is about a word that was changed.
 */
function hasGotPast({ failing, failed, fixing, command }: Attempt): boolean {
  if (fixing.outcome === 'success') return isShown(command, fixing);
  const output = fixing.output ?? '';
  const [before, after] = [failing.signature, fixing.signature];
  if (fixing.outcome !== 'failure' || fixing.masked || after === undefined || before?.id === after.id) return false;
  const [gone, come] = [subtract(failed, command), subtract(command, failed)];
  const isPointedAt = [...gone, ...come].some((word) => isNamedIn(failing.output ?? '', word));
  return (isPointedAt || isVerdict(output)) && !come.some((word) => isNamedIn(output, word));
}

/** Behind `||` stands what may have run in its place. */
function isShown({ hidden }: SimpleCommand, { command = '', output = '' }: LiveCall): boolean {
  return hidden !== true || (!command.includes('||') && output.trim() !== '' && findErrorLine(output) === undefined);
}

type Told = Omit<Made, 'at'>;

/** `chance`: the call ends the trouble and does not show why, so a later call was made for another reason. */
function toCured(attempt: Attempt): Told | 'chance' | undefined {
  const { failed, command } = attempt;
  const isSame = isSameCommand(failed, command) && toTypedProgram(failed) === toTypedProgram(command);
  const edited = isSame ? undefined : toEdited(attempt);
  if (edited !== undefined && edited !== 'verdict') return edited;
  const around = toFolder(attempt) ?? toOtherFolder(attempt) ?? toSetUp(attempt, isSame);
  if (around !== undefined) return around;
  if (isSame) return findFirst(attempt) ?? 'chance';
  return edited === 'verdict' ? 'chance' : undefined;
}

/**
 * Unless the error names the words that changed, a red check that turns green in another form says nothing. The line that
 * states the cause points better than the whole output, which may list all that the program knows.
 */
function toEdited({ failing, failed, command }: Attempt): Told | 'verdict' | undefined {
  const { output = '', message = '' } = failing;
  const find = (told: string): CommandEdit | undefined => findCure({ failed, fixing: command, points: { told } });
  const named = find(message);
  const edit = named !== undefined && isNamed(named, message) ? named : find(output);
  const text = edit && renderEdit(edit, TEXT_CHARS);
  if (edit === undefined || text === undefined || text === '' || !isTelling(edit)) return undefined;
  if (isCheck(failed) && !isHang(failing) && !isNamed(edit, output)) return 'verdict';
  if (!isSamePurpose(failed, command, failing) || !edit.steps.every((step) => isMeant(step, output))) return undefined;
  if (isOnlyLess(edit) && ABSENT.test(message) && subtract(failed, command).some((word) => isPath(word)))
    return undefined;
  return isNamed(edit, output) || FORM.test(output) || isMissing(failed, failing) || isHang(failing)
    ? { kind: 'edit', text, edit }
    : undefined;
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

function isCheck(command: SimpleCommand): boolean {
  return findCheck(unwrapRunner(command)) !== undefined;
}

/**
 * The command ran in another folder. The folder of an agent's shell outlives a call, so a path or a script that was
 * there before is suddenly missing.
 */
function toFolder({ failing, failed, fixing, command }: Attempt): Told | undefined {
  if (!ABSENT.test(failing.output ?? '')) return undefined;
  const line = parseCall(fixing);
  const from = toStand(failed, parseCall(failing), failing.cwd ?? '');
  const to = toStand(command, line, fixing.cwd ?? '');
  // A name with blanks may be a sentence, which the note would repeat.
  if (from === '' || to === '' || /\s/.test(to) || subtract(failed, command).some(isPath)) return undefined;
  if (to.startsWith(`${from}/`))
    return { kind: 'folder', text: `run it in the folder \`${to.slice(from.length + 1)}\`` };
  if (from.startsWith(`${to}/`)) return { kind: 'folder', text: `run it in the folder \`${toBaseName(to)}\` above` };
  // An agent may report the folder where its session began, while its shell is elsewhere.
  const hasMoved = from === to && line.slice(0, line.indexOf(command)).some(isMoving);
  return hasMoved && !parseCall(failing).some(isMoving)
    ? { kind: 'folder', text: `go to the folder \`${toBaseName(to)}\` with \`cd\` first` }
    : undefined;
}

function isPath(word: string): boolean {
  return word.includes('/') || findObjectKind({ text: word, value: word }) === 'path';
}

/** The same paths, as they are seen from another folder: each has lost or got the same first folders. */
function toOtherFolder({ failing, failed, command }: Attempt): Told | undefined {
  if (isLooking(failed) || !ABSENT.test(failing.output ?? '')) return undefined;
  const [gone, come] = [subtract(failed, command), subtract(command, failed)];
  if (gone.length === 0 || gone.length !== come.length) return undefined;
  const [lost] = new Set(gone.map((word, i) => findPrefix(word, come[i] ?? '')));
  const [got] = new Set(come.map((word, i) => findPrefix(word, gone[i] ?? '')));
  const isEach = (prefix: string, long: readonly string[], short: readonly string[]): boolean =>
    long.every((word, i) => word === prefix + short[i]);
  if (lost !== undefined && isEach(lost, gone, come)) {
    const steps = [{ from: [{ any: 'path', prefix: lost }], to: [{ any: 'path', copy: 0 }] }] as const;
    const text = `leave out \`${lost}\` before the path`;
    return { kind: 'edit', text, ...(gone.length === 1 ? { edit: { program: failed.program, steps } } : {}) };
  }
  if (got === undefined || !isEach(got, come, gone)) return undefined;
  return { kind: 'folder', text: got.startsWith('/') ? 'use the absolute path' : `put \`${got}\` before the path` };
}

/** The first folders of a path, up to the other path. */
function findPrefix(path: string, rest: string): string | undefined {
  const prefix = path.slice(0, path.length - rest.length);
  return rest !== '' && prefix.endsWith('/') && path.endsWith(rest) ? prefix : undefined;
}

/** The line sets the shell up for the very same command, or as the error says: a variable, or a file of settings. */
function toSetUp({ failing, failed, fixing, command }: Attempt, isSame: boolean): Told | undefined {
  const told = failing.output ?? '';
  const set = findNewVariable(failing, fixing);
  if (!isSame && (set === undefined || !isNamedIn(told, set.name))) return undefined;
  const edit = set && findCure({ failed, fixing: failed, around: { set }, points: { around: true, told } });
  const text = edit && renderEdit(edit, TEXT_CHARS);
  if (edit !== undefined && text !== undefined) return { kind: 'edit', text, edit };
  const line = parseCall(fixing);
  const sourced = line
    .slice(0, line.indexOf(command))
    .find((one) => /^(?:source|\.) [\w./-]+$/.test(one.text) && !failing.command?.includes(one.text));
  return sourced && { kind: 'first', text: `run \`${sourced.text}\` first, in the same line`, line: sourced.text };
}

/**
 * The very same command worked after another command: one that the error names, or the only one that did something. After
 * an edit, any command may work because the code changed.
 */
function findFirst({ failing, failed, fixing, command, between }: Attempt): Told | undefined {
  const isEdited = between.some(({ tool, outcome }) => (tool === 'edit' || tool === 'write') && outcome === 'success');
  if (isEdited) return undefined;
  const again = parseCall(fixing);
  const before = again.slice(0, again.indexOf(command)).map((one) => ({ one, text: fixing.command ?? '' }));
  const ran = between
    .filter(({ tool, outcome, masked }) => tool === 'shell' && outcome === 'success' && !masked)
    .flatMap((call) => parseCall(call).map((one) => ({ one, text: call.command ?? '' })));
  const line = parseCall(failing);
  const isNew = (one: SimpleCommand): boolean => !line.some((other) => isSameCommand(one, other));
  const doing = [...ran, ...before].filter(({ one }) => isDoing(one) && isNew(one));
  const isTold = (one: SimpleCommand): boolean =>
    subtract(one, failed).some((word) => !isCommonWord(word) && isNamedIn(failing.output ?? '', word));
  const isNext = between.length <= MAX_BETWEEN && doing.length === 1 && UNREADY.test(failing.output ?? '');
  const told = isCheck(failed) ? undefined : doing.findLast(({ one }) => isTold(one));
  const first = told ?? (isNext ? doing[0] : undefined);
  if (first === undefined) return undefined;
  return { kind: 'first', text: `run \`${toShortCommand(first.one, TEXT_CHARS)}\` first`, line: first.text };
}

/** Where more lay between, the agent did other work. */
const MAX_BETWEEN = 2;
/** Something is not there yet, or not as it must be. */
const UNREADY =
  /\bnot (?:found|exist|logged|signed|authenticated|installed|initiali[sz]ed|running|ready|built|up to date)|\bno such\b|\bno module\b|\bcannot find\b|\bmissing\b|\brequired\b|\bfirst\b|\bstale\b|\bout of date\b|\bbehind\b|\brejected\b|\bunstaged\b|\bdenied\b/i;

/** A word of a program's vocabulary that may as well be a word of the message. */
function isCommonWord(word: string): boolean {
  return word.includes('=') || (!isOption(word) && findObjectKind({ text: word, value: word }) === undefined);
}

/**
 * No edit can be told, but this form of the command worked: with options that the failed one had not, or without the one
 * that the error names. Other objects are no other form.
 */
function toExample({ failing, failed, fixing, command }: Attempt, at: number): Made | undefined {
  if (isCheck(failed) || !isSameSubCommand(failed, command) || fixing.outcome !== 'success') return undefined;
  const output = failing.output ?? '';
  if (!FORM.test(output) || ABSENT.test(output)) return undefined;
  const isGone = subtract(failed, command).some((word) => isOption(word) && isNamedIn(output, word));
  if (!isGone && !subtract(command, failed).some(isOption)) return undefined;
  const text = `use a form like \`${toShortCommand(command, TEXT_CHARS)}\``;
  return { at, kind: 'form', text, line: fixing.command ?? '' };
}

/** Longer lines contain data. */
const MAX_LINE_CHARS = 4_000;
/** Puts files back as they were committed: whatever was changed in them is gone. */
const DISCARDING =
  /\bgit\b[^\n|;&]{0,80}\s(?:checkout\s+(?:\S+\s+)*?(?:--\s+\S|[^\s-]\S*\.\w{1,9}(?:\s|$))|restore\s+(?!(?:\S+\s+)*?(?:--staged|-S)\s))/;

/** A cure never weakens a check, widens permissions, discards work, hides an exit code or reaches for another host. */
function isHarmful({ edit, line, kind, text }: Made, failing: LiveCall, fixing: LiveCall): boolean {
  if (kind === 'input') return isHarmfulInput(text);
  const [before = [], after = []] = [failing, fixing].map(({ command = '' }) => command.split(/\s+/));
  const told = line ?? (edit === undefined ? '' : (fixing.command ?? ''));
  const brought = [...listAdded(edit), ...listActs(line ?? '', fixing)];
  const known = kind === 'form' ? before : [];
  // `git worktree delete` was meant to remove something.
  const isMeant = before.some(isDestroying);
  if (brought.some((word) => isHarmfulWord(word) && !known.includes(word) && !(isMeant && isDestroying(word))))
    return true;
  // The whole line, because parsing looks through some programs.
  const isWorse = (word: string): boolean => (isOption(word) ? isForcing(word) : isOvercoming(word));
  if ([...after, ...(line?.split(/\s+/) ?? [])].some((word) => isWorse(word) && !before.includes(word))) return true;
  if (before.some((word) => isGuarding(word) && !after.includes(word))) return true;
  return (
    DISCARDING.test(told.slice(0, MAX_LINE_CHARS)) ||
    findRisks(told, { named: [failing.command ?? ''], cwd: failing.cwd }).length > 0
  );
}

/** The names and values of parameters that the text tells: `force: true`. */
function isHarmfulInput(text: string): boolean {
  return [...text.matchAll(/`([^`:]+)(?:: ([^`]*))?`/g)].some(([, name = '', value = '']) => {
    const option = `--${name.replaceAll('_', '-')}`;
    return isForcing(option) || isGuarding(option) || isHarmfulWord(value);
  });
}

/** The programs of a line with their options and sub-commands. Texts, such as the message of a commit, do nothing. */
function listActs(line: string, { rawTool }: LiveCall): readonly string[] {
  return parseCommand(line, { rawTool }).flatMap(({ program, args }) => {
    const words = args.map(({ value }) => value);
    return [program, ...words.filter(isOption), ...words.filter((word) => !isOption(word)).slice(0, MAX_SUB_COMMANDS)];
  });
}

const MAX_SUB_COMMANDS = 3;

function listAdded(edit: CommandEdit | undefined): readonly string[] {
  const words = edit?.steps.flatMap((step) => ('from' in step ? step.to : 'first' in step ? step.first : [])) ?? [];
  return words.filter((word) => typeof word === 'string');
}

/**
 * The command of the line that failed: of those that the signature may mean, the one that the cause names most words of.
 * Where a line first writes a file, the signature has the program that wrote it.
 */
function findBlamed(call: LiveCall): SimpleCommand | undefined {
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
function findAlike(failed: SimpleCommand, call: LiveCall): SimpleCommand | undefined {
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

function subtract(from: SimpleCommand, other: SimpleCommand): readonly string[] {
  const words = toWords(other);
  return toWords(from).filter((word) => !words.includes(word));
}

function toWords({ program, args }: SimpleCommand): readonly string[] {
  return [program, ...args.map(({ value }) => value)];
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
