/**
 * Finds the intent of a call (what it is for) and compares two calls. Three comparisons differ in what they look at:
 *
 * - `isSameCommand`: the same program with the same words. `git push -f` is also `git push "-f"`.
 * - `isSameSubCommand`: the same program and sub-command, whatever they are given. `git push -f` is also `git push origin`.
 * - `isSameIntent`: the same purpose, however it is typed. `uv run pytest -q a.py` is also `npm test`.
 *
 * The first two serve detectors that explain what was wrong with the words. The third compares intent keys. A key looks
 * through package runners, and all checks of one kind share one key. It distinguishes calls that are typed alike but do
 * different work: two hosts of `curl`, two scripts of `python`, and a command and its `--help`.
 *
 * The store keeps the key of every call, and a later success with the same key settles an earlier failure. After a
 * change of a rule, new calls get other keys than stored calls of the same intent, so change a rule only where the key
 * is wrong. A line that does several things has several keys, in slots of fixed length, and settles them all.
 */

import { hashText } from '../ids.ts';
import type { Outcome } from '../model/event.ts';
import type { ToolName } from '../model/tool.ts';
import { isInFolder, isSameBaseName, toPlainPath } from '../text/paths.ts';
import { toCommandName } from './command-words.ts';
import { parseCall } from './parse-command.ts';
import { findCheckKind, isLooking, isPreparing, isProbe } from './program-kinds.ts';
import { isKnownAs } from './programs/all-facts.ts';
import type { CheckKind } from './programs/vocabulary.ts';
import { isOption, type SimpleCommand, toPositionals } from './simple-command.ts';
import { findScriptName, isInterpreter, toSubCommand, unwrapRunner } from './sub-commands.ts';

/** The prefix by which stores recognize the keys of a line that does several things. */
export const SEVERAL_PREFIX = 'several:';
export const SLOT_CHARS = 48;
export const MAX_SLOTS = 4;

/** Compares values, so quotes may differ. */
export function isSameCommand(a: SimpleCommand, b: SimpleCommand): boolean {
  const [words, others] = [a, b].map(({ args }) => args.map(({ value }) => value).join('\n'));
  return a.program !== '' && a.program === b.program && words === others;
}

export function isSameSubCommand(a: SimpleCommand, b: SimpleCommand): boolean {
  return a.program !== '' && toCommandName(a) === toCommandName(b);
}

interface IntentCall {
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly command?: string;
  readonly targetPath?: string;
  readonly outcome?: Outcome;
  readonly masked?: boolean;
  readonly signature?: { readonly program: string };
  readonly message?: string;
  readonly output?: string;
}

/**
 * Does the later call have the intent of the earlier one? For file tools: it names the same file, a file of the same
 * name elsewhere (the first path may have been wrong), or a file in the folder that the earlier call named.
 */
export function isSameIntent(
  earlier: IntentCall & { readonly intentKey?: string },
  later: IntentCall & { readonly intentKey?: string },
): boolean {
  if (earlier.tool !== later.tool) return false;
  const [before, after] = [earlier.targetPath, later.targetPath];
  if (earlier.tool !== 'shell' && before !== undefined && after !== undefined)
    return isSameBaseName(before, after) || isInFolder(after, toPlainPath(before));
  const [keys, others] = [earlier, later].map((call) => {
    const isUnknown = call.tool === 'shell' && call.command === undefined;
    return listIntents(call.intentKey ?? (isUnknown ? '' : toIntentKey(call)));
  });
  return keys?.some((key) => others?.includes(key)) ?? false;
}

/** The intent key of a call. */
export function toIntentKey(call: IntentCall): string {
  const { tool, rawTool, targetPath } = call;
  if (tool !== 'shell') return toSlot(`${tool} ${targetPath === undefined ? rawTool : hashText(targetPath)}`);
  const { message, output } = call;
  const hiddenProgram = call.masked === true ? call.signature?.program : undefined;
  const subjects = findSubjects(parseCall(call), {
    failed: call.outcome === 'failure',
    hiddenProgram,
    message,
    output,
  });
  const keys = [...new Set(subjects.map((command) => toSlot(toIntent(command))))].slice(0, MAX_SLOTS);
  if (keys.length < 2) return keys[0] ?? tool;
  return SEVERAL_PREFIX + keys.map((key) => key.padEnd(SLOT_CHARS)).join('');
}

/** The intents of a key: one for each command of a line that does several things. */
export function listIntents(intentKey: string): readonly string[] {
  if (!intentKey.startsWith(SEVERAL_PREFIX)) return intentKey === '' ? [] : [intentKey];
  const slots = intentKey.slice(SEVERAL_PREFIX.length);
  return Array.from({ length: Math.ceil(slots.length / SLOT_CHARS) }, (_, n) =>
    slots.slice(n * SLOT_CHARS, (n + 1) * SLOT_CHARS).trim(),
  );
}

const PRINTABLE = /^[ -~]*$/;
const SCRIPT_FILE = /\.\w+$/;
const WORD = /^[a-z][a-z0-9:_-]{0,30}$/i;

/** The intent of one command, looking through package runners: `check test` of `uv run pytest`, `shell git push`. */
export function toIntent(typed: SimpleCommand): string {
  const command = unwrapRunner(typed);
  const { program } = command;
  // `gh pr create --help` creates nothing.
  if (isProbe(command)) return `ask ${program}`;
  const script = findScriptName(command);
  const check = findCheckKind(command, script);
  if (check !== undefined) return `check ${check}`;
  if (script !== undefined) return `run ${script}${SCRIPT_FILE.test(script) ? toScriptWord(command, script) : ''}`;
  if (isInterpreter(program))
    return `shell ${program} ${command.args.find(({ value }) => isOption(value))?.value ?? ''}`;
  const words = isRemote(program) ? toHost(command) : toSubCommand(command);
  return `shell ${[program, ...words].join(' ')}`;
}

/** `prod` of `./deploy.sh prod`, because a script may have sub-commands. */
function toScriptWord(command: SimpleCommand, script: string): string {
  const words = toPositionals(command);
  const word = words[command.program === script ? 0 : 1] ?? '';
  return WORD.test(word) ? ` ${word}` : '';
}

const HOST = /^(?:[a-z]+:\/\/)?(?:[^@/\s]*@)?((?:[\w-]+\.)*[\w-]+(?::\d+)?)(?:[/:?]|$)/i;

function isRemote(program: string): boolean {
  return isKnownAs(program, 'http') || program === 'ssh' || program === 'scp';
}

/** Another host is another intent; another path is often a second attempt at the same request. */
function toHost(command: SimpleCommand): readonly string[] {
  const words = command.args.map(({ value }) => value);
  const place = words.find((word) => word.includes('://')) ?? toPositionals(command)[0] ?? '';
  return HOST.exec(place)?.slice(1, 2) ?? [];
}

/** Only ASCII, because SQLite and PostgreSQL count other characters differently from JavaScript. */
function toSlot(key: string): string {
  const bare = key.trim();
  if (bare.length <= SLOT_CHARS && PRINTABLE.test(bare)) return bare;
  const hash = hashText(bare);
  return `${bare.slice(0, SLOT_CHARS - hash.length - 1).replaceAll(/[^!-~]+/g, ' ')} ${hash}`;
}

/** The end of the line, as far as it is known. */
interface LineEnd {
  readonly failed: boolean;
  /** The program whose failure the line hid, and its message. */
  readonly hiddenProgram?: string | undefined;
  readonly message?: string | undefined;
  readonly output?: string | undefined;
}

/** A program prints its own errors early; the rest of a long output is data. */
const MAX_OUTPUT_CHARS = 20_000;

/**
 * The commands that a line is about, in order: all of them if the line worked, the failing one if it failed. Commands
 * that prepare the shell or only look count only if there are no others. Empty if no program of the line is known by
 * name.
 */
function findSubjects(commands: readonly SimpleCommand[], end: LineEnd): readonly SimpleCommand[] {
  const named = commands.filter(({ program }) => program !== '');
  if (!end.failed) return toWeightiest(named);
  const failing = findHidden(named, end) ?? findFailing(toVisible(named), end) ?? toWeightiest(toVisible(named)).at(-1);
  return failing === undefined ? [] : [failing];
}

function findHidden(
  commands: readonly SimpleCommand[],
  { hiddenProgram, message }: LineEnd,
): SimpleCommand | undefined {
  if (hiddenProgram === undefined) return undefined;
  return (
    commands.findLast(({ program }) => program === hiddenProgram) ??
    commands.findLast((command) => unwrapRunner(command).program === hiddenProgram) ??
    // The shell failed on a word of it.
    (message === undefined ? undefined : findNamed(commands, message))
  );
}

/** A shorter word may stand in any message. */
const MIN_NAMED_CHARS = 4;

/** The only program of a line with a word that the message names. What a search passes on has the searched word in it. */
function findNamed(commands: readonly SimpleCommand[], message: string): SimpleCommand | undefined {
  const named = commands.filter(
    (command) =>
      command.args.some(({ value }) => value.length >= MIN_NAMED_CHARS && message.includes(value)) &&
      (command.piped !== true || !isLooking(command) || message.startsWith(`${command.program}: `)),
  );
  return new Set(named.map(({ program }) => program)).size === 1 ? named[0] : undefined;
}

/** The commands whose exit code can be the exit code of the line. */
function toVisible(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const visible = commands.filter(({ hidden }) => hidden !== true);
  return visible.some((command) => toWeight(command) === MAX_WEIGHT) ? visible : commands;
}

/** The command whose program begins a line of output: `ls: cannot access …` means that the `ls` of a line failed. */
function findFailing(commands: readonly SimpleCommand[], { output = '' }: LineEnd): SimpleCommand | undefined {
  if (new Set(commands.map(({ program }) => program)).size < 2) return undefined;
  const lines = output.slice(0, MAX_OUTPUT_CHARS).split('\n');
  return commands.findLast(({ program }) =>
    lines.some((line) => line.startsWith(`${program}: `) || line.startsWith(`${program} ERR!`)),
  );
}

const MAX_WEIGHT = 2;

function toWeight(command: SimpleCommand): number {
  if (isPreparing(command)) return 0;
  return isLooking(command) ? 1 : MAX_WEIGHT;
}

function toWeightiest(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const weights = commands.map(toWeight);
  const most = Math.max(...weights);
  return commands.filter((_, i) => weights[i] === most);
}

/** The command of a failed line that failed: the only one with a word that the message names, else the likeliest. */
export function findFailingCommand(commands: readonly SimpleCommand[], message: string): SimpleCommand | undefined {
  const named = commands.filter(({ program }) => program !== '');
  return findNamed(named, message) ?? findSubjects(named, { failed: true, output: message })[0];
}

/** The kind of check that the command runs, also through a package runner. */
export function findCheck(command: SimpleCommand): CheckKind | undefined {
  const inner = unwrapRunner(command);
  return findCheckKind(inner, findScriptName(inner));
}

/** The command that a line is about: the first that does more than prepare the shell. */
export function findMainCommand(commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  const named = commands.filter(({ program }) => program !== '');
  return named.find((command) => !isPreparing(command)) ?? named[0];
}
