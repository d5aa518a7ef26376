/**
 * Decides whether a working call may have changed the outcome of an earlier failed call. Both are reduced to things: a
 * failed call *needs* things (the files and words that it names, the words of its error, the program whose state it
 * works on, the project's code if it runs code), and a working call *touches* things. A thing in both lists means that
 * the failed call may work now. When in doubt, a thing is listed: a warning that is left out costs less than a wrong one.
 *
 * Things are kept as short hashes, because they are stored for longer than texts may be.
 */

import { hashText } from '../ids.ts';
import type { ToolName } from '../model/tool.ts';
import { toBaseName, toPlainPath, toRelative } from '../text/paths.ts';
import { toTypedProgram } from './command-words.ts';
import { normalizeCommand } from './exact-call.ts';
import { findCheck } from './intent.ts';
import { parseCall } from './parse-command.ts';
import { isDoing } from './program-kinds.ts';
import { isKnownAs } from './programs/all-facts.ts';
import { isOption, type SimpleCommand } from './simple-command.ts';
import { findScriptName, isInterpreter, toSubCommand, unwrapRunner } from './sub-commands.ts';

interface ChangingCall {
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly command?: string | undefined;
  readonly targetPath?: string | undefined;
  readonly exactKey?: string | undefined;
  readonly outcomeType?: string;
}

/** A failed call and its error. */
interface FailedCall extends ChangingCall {
  /** The cause line. */
  readonly message?: string | undefined;
  /** `words`: the program does not know the words that it was given. `program`: a program or a module is absent. */
  readonly usage?: 'words' | 'program' | undefined;
  /** The short parameters of a tool that is not a shell. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

const MAX_THINGS = 80;
/** Any file of the project. */
const CODE = 'code';

/** The things that a failed call needs. `root`: the folder of the project. */
export function listNeeded(call: FailedCall, root: string): readonly string[] {
  const { message = '', usage } = call;
  const commands = parseCall(call);
  const isAbsent = usage === 'program' && ABSENT_PROGRAM.test(message);
  const named = message.split(/[^\w@./+-]+/).map((word) => word.replace(/[.]+$/, ''));
  // A check that could not begin is not repaired by the code that it would have judged.
  if (isCheck(call)) return toThings([...toOwn(call), ...toFiles(named.flatMap((word) => toNames(word, root)))]);
  const values = [call.targetPath ?? '', ...Object.values(call.parameters ?? {}), ...commands.flatMap(toWords)];
  return toThings([
    ...toOwn(call),
    ...(usage === 'words' && !commands.some(runsCode) ? toLine(call, root) : []),
    ...(commands.some(runsCode) && !isAbsent ? [CODE] : []),
    ...(isAbsent ? commands.filter(({ program }) => named.includes(program)).flatMap(toRun) : []),
    ...(usage === undefined ? commands.flatMap(toStates) : []),
    ...commands.flatMap(toOptions).filter((option) => named.some((word) => option.endsWith(` ${word}`))),
    ...[...commands.map(({ program }) => program), ...(usage === undefined ? values : [])].flatMap((word) =>
      toNames(word, root),
    ),
    // The command that corrects a rejected word often has it, too. Only a file can bring what the program did not know.
    ...named.flatMap((word) => (usage === 'words' ? toFiles(toNames(word, root)) : toNames(word, root))),
  ]);
}

/**
 * The things that a call proves if it works: the call itself, its line in any folder, and that its programs are there. A
 * failed call that needs one of them says how this call will end.
 */
export function listProven(call: ChangingCall, root: string): readonly string[] {
  return toThings(toProven(call, root, parseCall(call)));
}

/** Does the call check code? */
export function isCheck(call: ChangingCall): boolean {
  return call.tool === 'shell' && parseCall(call).some((command) => findCheck(command) !== undefined);
}

/** The program of a call that a failed call with these needs did not find. */
export function findNeededProgram(call: ChangingCall, needs: readonly string[]): string | undefined {
  const needed = parseCall(call).find((command) => toThings(toRun(command)).some((thing) => needs.includes(thing)));
  return needed && toTypedProgram(needed);
}

function toProven(call: ChangingCall, root: string, commands: readonly SimpleCommand[]): readonly string[] {
  const ran = SETS_PATH.test(call.command ?? '') ? [] : commands.flatMap(toRun);
  return [...toOwn(call), ...toLine(call, root), ...ran];
}

/** The things that a working call may have changed, among them the call itself, which works now. */
export function listTouched(call: ChangingCall, root: string): readonly string[] {
  const { tool, targetPath } = call;
  const commands = parseCall(call);
  // A call that still runs in the background has not worked yet.
  const isVisible = call.outcomeType !== 'background' && !commands.some(({ hidden }) => hidden === true);
  const proven = isVisible ? toProven(call, root, commands) : [];
  if (tool === 'edit' || tool === 'write') {
    const places = toPlaces(targetPath ?? '', root);
    return toThings([...proven, CODE, ...places, ...toFiles(places)]);
  }
  const doing = commands.filter((command) => isDoing(command) && findCheck(command) === undefined);
  const written = [...(call.command ?? '').matchAll(WRITTEN)].flatMap(([, file = '']) => toPlaces(file, root));
  if (doing.length + written.length === 0) return toThings(proven);
  return toThings([
    ...[...proven, CODE],
    ...[...doing.flatMap(toStates), ...(isVisible ? doing.flatMap(toOptions) : [])],
    ...doing.flatMap(toObjects).flatMap((word) => toPlaces(word, root)),
    ...[...written, ...toFiles(written)],
  ]);
}

/** The program is not there. It is there again when it runs. */
const ABSENT_PROGRAM = /not found|not recogni[sz]ed|no such file/i;

/** In such a line a program runs that others do not find. */
const SETS_PATH = /\bPATH=|(?:^|[;&|]\s*)(?:source|\.)\s/;

/** As it was typed: a program that is absent by its name may be there at its path. */
function toRun(command: SimpleCommand): readonly string[] {
  return command.program === '' ? [] : [`runs ${toTypedProgram(command)}`];
}

/** The file behind `>` or `>>`; `2>&1` and `/dev/null` are none. */
const WRITTEN = />>?[ \t]*(?!&|\/dev\/)["']?([^\s"'&|;<>()]+)/g;

function toThings(things: readonly string[]): readonly string[] {
  return [...new Set(things)].slice(0, MAX_THINGS).map((thing) => hashText(thing).slice(0, 9));
}

/** The very call. */
function toOwn({ exactKey }: ChangingCall): readonly string[] {
  return exactKey === undefined ? [] : [`call ${exactKey}`];
}

/** Wrong words are wrong in every folder. */
function toLine({ tool, rawTool, command }: ChangingCall, root: string): readonly string[] {
  if (tool !== 'shell' || command === undefined) return [];
  return [`line ${normalizeCommand(command, { rawTool, cwd: '', root }).line}`];
}

/** Scripts, tasks, modules and inline programs: any edit of the project may change what they do. */
function runsCode(typed: SimpleCommand): boolean {
  const command = unwrapRunner(typed);
  if (command !== typed || isInterpreter(command.program) || isKnownAs(command.program, 'runner')) return true;
  return findScriptName(command) !== undefined || /^["']?[^\s"']*\//.test(command.text);
}

/** A program with sub-commands works on a state (a repository, a cluster, an account) that its other commands change. */
function toStates(typed: SimpleCommand): readonly string[] {
  const command = unwrapRunner(typed);
  return toSubCommand(command).length === 0 || isInterpreter(command.program) ? [] : [`state ${command.program}`];
}

/** A program that takes an option for one object takes it for all. */
function toOptions({ program, args }: SimpleCommand): readonly string[] {
  return args.flatMap(({ value }) => (isOption(value) ? [`${program} ${value.split('=', 1)[0]}`] : []));
}

function toWords({ args }: SimpleCommand): readonly string[] {
  return args.flatMap(({ value }) => (isOption(value) ? toValues(value) : [value]));
}

/** The words that are no sub-command. */
function toObjects(command: SimpleCommand): readonly string[] {
  const sub = toSubCommand(command);
  return toWords(command).filter((word) => !sub.includes(word));
}

function toValues(option: string): readonly string[] {
  const at = option.indexOf('=');
  return at < 0 ? [] : [option.slice(at + 1)];
}

function toFiles(names: readonly string[]): readonly string[] {
  return names.map((name) => `file ${name}`);
}

const MIN_CHARS = 3;
const MAX_CHARS = 200;

/** A word as it is, as a path of the project, and as a file name. */
function toNames(word: string, root: string): readonly string[] {
  if (word.length < MIN_CHARS || word.length > MAX_CHARS || /\s/.test(word)) return [];
  const path = toRelative(toPlainPath(word), root);
  return [path, toBaseName(path)].filter((name) => name.length >= MIN_CHARS);
}

/** Also every folder of the project above it, because a call that names the folder needs the file. */
function toPlaces(word: string, root: string): readonly string[] {
  const names = toNames(word, root);
  const path = names[0] ?? '';
  const above = path.startsWith('/') ? [] : path.split('/').slice(0, -1);
  return [...names, ...above.flatMap((name, n) => toNames(above.slice(0, n).concat(name).join('/'), root))];
}
