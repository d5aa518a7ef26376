/**
 * What changed around a command that then worked, while the command itself stayed the same: the folder that it ran in,
 * the folder from which its paths are seen, a variable, or a command that had to run first.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { hideRandom } from '../../base/secrets/secret-values.ts';
import { isSameCommand } from '../../base/shell/intent.ts';
import { findObjectKind } from '../../base/shell/object-kind.ts';
import { isDoing, isLooking, isPreparing } from '../../base/shell/program-kinds.ts';
import { findFacts } from '../../base/shell/programs/all-facts.ts';
import { isListed } from '../../base/shell/programs/find-program.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { endsWithPath, isInFolder, isSamePath, toAbsolute, toBaseName, toRelative } from '../../base/text/paths.ts';
import { renderEdit } from '../text/render-edit.ts';
import { toShortCommand } from '../text/to-short-command.ts';
import {
  type Attempt,
  findCheckOf,
  isCheck,
  isPath,
  listCommands,
  listSent,
  type PlacedCommand,
  subtract,
} from './find-attempt.ts';
import { TEXT_CHARS, type Told } from './find-tool-cure.ts';
import { isVerdict } from './is-verdict.ts';
import { isTemporaryPath } from './passing-program.ts';
import { toSetEdit } from './teachable-edit.ts';
import { isMoving, toStand } from './to-stand.ts';

/** Something is not where it was looked for. */
export const ABSENT =
  /no such (?:file|target|dir)|not found|(?:does not|doesn't) exist|can(?:not|'t) find|could(?: not|n't) find|ENOENT|no match|did not match|no module named|not a git repository|unable to (?:find|locate)|not in the working tree/i;

/** `isSame`: the command has the very same words. */
export function findAround(attempt: Attempt, isSame: boolean): Told | undefined {
  return (
    toFolder(attempt) ??
    toOtherFolder(attempt) ??
    toSameFile(attempt) ??
    toPlainPath(attempt) ??
    toSetUp(attempt, isSame)
  );
}

/** A path with a pattern in it, in whose place stand only paths that it would have found, or the folder above it. */
function toPlainPath({ failing, failed, fixing, command }: Attempt): Told | undefined {
  // To a look, that nothing matches is an answer, unless the call wanted no complaint and the shell made one.
  if (isLooking(failed) && ABSENT.test(failing.message ?? '') && !/2>\s*\/dev\/null/.test(failed.text))
    return undefined;
  const [gone, come] = [subtract(failed, command), subtract(command, failed)];
  const [pattern = '', ...more] = gone;
  const sign = SIGN.exec(pattern)?.[0];
  if (sign === undefined || more.length > 0 || come.length === 0 || fixing.outcome !== 'success') return undefined;
  const folders = pattern.split('/').filter((part) => /^[\w@+-][\w@+.-]*$/.test(part));
  const isOfPattern = (word: string): boolean => word.split('/').some((part) => folders.includes(part));
  return come.every((word) => isPlainPath(word) && !SIGN.test(word) && isOfPattern(word))
    ? {
        kind: 'form',
        text: `name the folder or the files instead of a path with \`${sign}\`${hasStopped(failing) ? ', because zsh runs nothing where no file matches' : ''}`,
        line: fixing.command ?? '',
      }
    : undefined;
}

/**
 * The command ran in another folder. The folder of an agent's shell outlives a call, so a path or a script that was
 * there before is suddenly missing.
 */
function toFolder({ failing, failed, fixing, command }: Attempt): Told | undefined {
  if (!ABSENT.test(failing.output ?? '') || subtract(failed, command).some(isPath)) return undefined;
  const line = listCommands(fixing);
  const from = toStand(failed, listCommands(failing), failing.cwd ?? '');
  const to = toStand(command, line, fixing.cwd ?? '');
  if (from === '' || to === '') return undefined;
  const isNear = from !== to && (isInFolder(from, to) || isInFolder(to, from));
  // An agent may report the folder where its session began, while its shell is elsewhere.
  const hasMoved = from === to && line.slice(0, line.indexOf(command)).some(isMoving);
  return isNear || (hasMoved && !listCommands(failing).some(isMoving)) ? toPlace(to, failed, failing) : undefined;
}

/** As it is seen from the root of the project, or in full. A name with blanks may be a sentence, which the note would repeat. */
function toPlace(folder: string, { program }: SimpleCommand, { projectRoot = '' }: LiveCall): Told | undefined {
  // A folder of that day has a name that nobody chose.
  if (/\s/.test(folder) || hideRandom(folder) !== folder) return undefined;
  const inside = toRelative(folder, projectRoot) || '.';
  const place = inside === folder ? `folder \`${folder}\`` : `project's folder \`${inside}\``;
  const text = `run it in the ${inside === '.' ? "project's root folder" : place}`;
  return { kind: 'folder', text, edit: { program, steps: [{ first: ['cd', inside] }] } };
}

/** The same file, named as it is seen from the folder that the line went to: only the folder made a difference. */
function toSameFile({ failing, failed, fixing, command }: Attempt): Told | undefined {
  const from = toStand(failed, listCommands(failing), failing.cwd ?? '');
  const to = toStand(command, listCommands(fixing), fixing.cwd ?? '');
  const [gone, come] = [subtract(failed, command), subtract(command, failed)];
  if (from === '' || !to.startsWith(`${from}/`)) return undefined;
  const isSame = (path: string, i: number): boolean =>
    isSamePath(toAbsolute(path, from), toAbsolute(come[i] ?? '', to));
  if (gone.length === 0 || gone.length !== come.length || !gone.every((path, i) => isPath(path) && isSame(path, i)))
    return undefined;
  const place = toPlace(to, failed, failing);
  return place && { kind: 'folder', text: `${place.text} and leave \`${to.slice(from.length + 1)}/\` out of the path` };
}

const SIGN = /\.{3}|\*\*?/;

/** zsh found no file for a pattern and did not run the command. */
function hasStopped({ message = '' }: LiveCall): boolean {
  return /^(?:zsh|\(eval\)):(?:\d+:)? no matches found: /.test(message);
}

interface OwnFolder {
  readonly option: string;
  /** Its index among the words behind the program. */
  readonly at: number;
  readonly folder: string;
}

/** An option of the failed command with a path, which the other one has neither with an option nor without. */
function findLostPlace({ failing, failed, command }: Attempt): OwnFolder | undefined {
  const gone = subtract(failed, command);
  const at = failed.args.findIndex(({ value }, i) => {
    const path = failed.args[i + 1]?.value ?? '';
    return (
      isOption(value) &&
      value !== '--' &&
      gone.includes(value) &&
      gone.includes(path) &&
      isPath(path) &&
      !isOption(path)
    );
  });
  if (at < 0 || subtract(command, failed).some((word) => isOption(word) || isPath(word))) return undefined;
  const from = toStand(failed, listCommands(failing), failing.cwd ?? '');
  const folder = toAbsolute(failed.args[at + 1]?.value ?? '', from);
  return { option: failed.args[at]?.value ?? '', at, folder };
}

/** The option named the folder in which the other command ran: what the option did, `cd` does. */
export function findOwnFolder(attempt: Attempt): Told | undefined {
  const { failed, fixing, command } = attempt;
  const lost = findLostPlace(attempt);
  if (lost === undefined || lost.folder !== toStand(command, listCommands(fixing), fixing.cwd ?? '')) return undefined;
  const { program } = failed;
  const of = [program, lost.option, {}, { many: true }] as const;
  const make = [
    [['cd'], [{ copy: 2 }]],
    [[program], [{ copy: 3, many: true }]],
  ] as const;
  const isFirst = lost.at === 0 && failed.args.length > 2;
  const text = `use \`cd <path> && ${program} …\` instead of \`${lost.option} <path>\``;
  return { kind: 'edit', text, ...(isFirst ? { edit: { program, steps: [{ of, make, join: '&&' }] } } : {}) };
}

/** Without its path the command is done to something else. */
export function isPlaceLost(attempt: Attempt): boolean {
  return findLostPlace(attempt) !== undefined;
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
    // In another folder it is another file.
    if (!endsWithPath(failing.cwd ?? '', lost)) return undefined;
    const text = `leave out \`${lost}\` before the path: the shell is in that folder already`;
    return { kind: 'edit', text, ...(gone.length === 1 ? { edit: { program: failed.program, steps } } : {}) };
  }
  if (got === undefined || !isEach(got, come, gone)) return toElsewhere({ failing, failed, gone, come });
  return { kind: 'folder', text: got.startsWith('/') ? 'use the absolute path' : `put \`${got}\` before the path` };
}

interface Moved {
  readonly failing: LiveCall;
  readonly failed: SimpleCommand;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** The error names the one path that changed, and a file of the same name is in another folder. */
function toElsewhere({ failing: { message = '', cwd = '' }, failed, gone, come }: Moved): Told | undefined {
  const [[from = '', ...more], [to = '']] = [gone, come];
  if (more.length > 0 || ![from, to].every(isPlainPath) || !isNamedIn(message, from)) return undefined;
  if (toBaseName(from) !== toBaseName(to)) return undefined;
  const near = cwd !== '' && to.startsWith(`${cwd}/`) ? to.slice(cwd.length + 1) : to;
  const edit = { program: failed.program, steps: [{ from: [from], to: [near] }] };
  return { kind: 'edit', text: `replace \`${from}\` with \`${near}\``, edit };
}

/** A path that the note can repeat: no sentence, no pattern, nothing that the shell replaces. */
function isPlainPath(word: string): boolean {
  return word.length <= MAX_PATH && /^[\w@.+~/-]*\/[\w@.+-]*$/.test(word) && !isOption(word);
}

const MAX_PATH = 80;

/** The first folders of a path, up to the other path. */
function findPrefix(path: string, rest: string): string | undefined {
  const prefix = path.slice(0, path.length - rest.length);
  return rest !== '' && prefix.endsWith('/') && path.endsWith(rest) ? prefix : undefined;
}

/** The line sets the shell up for the very same command, or as the error says: a variable, or a file of settings. */
function toSetUp({ failing, failed, fixing, command, isAsked }: Attempt, isSame: boolean): Told | undefined {
  const message = failing.output ?? '';
  const set = findNewVariable(failing, fixing);
  // With the same words, the variable made the difference, unless the user may have asked for it.
  const isSole = isSame && !isAsked;
  if (!isSole && (set === undefined || !isNamedIn(message, set.name))) return undefined;
  const edit = set && toSetEdit(failed.program, set, message);
  const text = edit && renderEdit(edit, TEXT_CHARS);
  if (edit !== undefined && text !== undefined) return { kind: 'edit', text, edit };
  const line = listCommands(fixing);
  const sourced = line
    .slice(0, line.indexOf(command))
    .find((one) => /^(?:source|\.) [\w./-]+$/.test(one.text) && !failing.command?.includes(one.text));
  return sourced && { kind: 'first', text: `run \`${sourced.text}\` first, in the same line`, line: sourced.text };
}

/**
 * The very same command worked after another command: one that the error names, the only one that did something, or the
 * only one that the agent put before it in the same line. After an edit, any command may work because the code changed.
 */
export function findFirst({ failing, failed, fixing, command, between }: Attempt): Told | undefined {
  const isEdited = between.some(({ tool, outcome }) => (tool === 'edit' || tool === 'write') && outcome === 'success');
  if (isEdited || isPreparing(failed)) return undefined;
  const line = listCommands(failing);
  const isCause = (one: PlacedCommand): boolean =>
    isActing(one) &&
    (failing.command ?? '').includes(one.host ?? '') &&
    !isOnlyChecking(one) &&
    listSent(one).length === 0 &&
    !toPositionals(one).some(isTemporaryPath) &&
    !line.some((other) => isSameCommand(one, other));
  const again = listCommands(fixing);
  const before = again.slice(0, again.indexOf(command)).filter(isCause);
  // The failed command itself was asked for: only what stands before it is new.
  const put = (fixing.command ?? '').split(command.text, 1)[0] ?? '';
  const ran = between
    .filter(({ tool, outcome, masked }) => tool === 'shell' && outcome === 'success' && !masked)
    .flatMap((call) => listCommands(call).map((one) => ({ one, text: call.command ?? '' })))
    .filter(({ one }) => isCause(one));
  const doing = [...ran, ...before.map((one) => ({ one, text: put }))];
  const cause = toCause(failing);
  const isNamed = (one: SimpleCommand): boolean =>
    subtract(one, failed).some((word) => !isCommonWord(word) && isNamedIn(cause, word));
  const named = isCheck(failed) ? undefined : doing.findLast(({ one }) => isNamed(one));
  const isPut = before.length === 1 && !isCheck(failed);
  const busy = between.filter(isBusy).length;
  const isOfProgram = busy === 1 && doing[0]?.one.program === failed.program && !isVerdict(failing.output ?? '');
  const isNext = doing.length === 1 && busy <= MAX_BUSY && (isPut || isOfProgram || UNREADY.test(cause));
  const first = named ?? (isNext ? doing[0] : undefined);
  if (first === undefined) return undefined;
  const where = first.one.host === undefined ? '' : ' on the host';
  return { kind: 'first', text: `run \`${toShortCommand(first.one, TEXT_CHARS)}\`${where} first`, line: first.text };
}

const LINES_BELOW = 3;

/** The line that states the cause and what it lists below. A report names all that it knows, also what is no cause. */
function toCause({ message = '', output = '' }: LiveCall): string {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => line.includes(message));
  return [message, ...lines.slice(Math.max(at, 0), at + 1 + LINES_BELOW)].join('\n');
}

/** Words of a group of sub-commands that only show: `git remote show`. */
const SHOWING = /^(?:list|ls|show|get|get-url|status|log|view|info)$/;

/** Also the sub-commands that change something in a group that shows how things are: `git remote set-url`. */
function isActing(command: SimpleCommand): boolean {
  if (isDoing(command)) return true;
  const [first = '', second] = toPositionals(command);
  const isGroup = isListed(first, findFacts(command.program)?.groups);
  return isLooking(command) && isGroup && second !== undefined && !SHOWING.test(second);
}

/** A build makes files that other commands need; tests, linters and type checkers leave everything as it was. */
function isOnlyChecking(command: SimpleCommand): boolean {
  const kind = findCheckOf(command);
  return kind !== undefined && kind !== 'build';
}

/** Where the agent did more than this in between, it did other work. Looks do not count. */
const MAX_BUSY = 2;

function isBusy(call: LiveCall): boolean {
  return call.tool === 'shell' ? listCommands(call).some(isActing) : !['read', 'grep', 'glob'].includes(call.tool);
}

/** Something is not there yet, or not as it must be. */
const UNREADY =
  /\bnot (?:found|exist|logged|signed|authenticated|installed|initiali[sz]ed|running|ready|built|up to date)|\bno such\b|\bno module\b|\bcannot find\b|\bmissing\b|\brequired\b|\bfirst\b|\bstale\b|\bout of date\b|\bunstaged\b|\bdenied\b/i;

/** A word of a program's vocabulary that may as well be a word of the message. */
function isCommonWord(word: string): boolean {
  return word.includes('=') || (!isOption(word) && findObjectKind({ text: word, value: word }) === undefined);
}

const ASSIGNED = /(?:^|[\s;&|(])([A-Z][A-Z0-9_]{2,})=([^\s;&|$`"'()]+)\s+(?=\S)/g;
const SECRET = /TOKEN|KEY|SECRET|PASS|AUTH|CREDENTIAL/;
/** It makes a program say more, and mends nothing. */
const TELLING = /TRACE|DEBUG|VERBOSE|(?:^|_)LOG|COLOR/;

interface Variable {
  readonly name: string;
  readonly value: string;
}

function toVariables({ command = '' }: LiveCall): readonly Variable[] {
  return [...command.matchAll(ASSIGNED)].map(([, name = '', value = '']) => ({ name, value }));
}

/** It only makes a program say more, or holds a secret: no fix. */
export function isAside(name: string): boolean {
  return SECRET.test(name) || TELLING.test(name);
}

/** A variable that the later line sets and the earlier one does not. */
export function findNewVariable(earlier: LiveCall, later: LiveCall): Variable | undefined {
  const had = toVariables(earlier);
  return toVariables(later).find(({ name }) => !isAside(name) && !had.some((one) => one.name === name));
}
