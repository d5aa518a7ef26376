/**
 * Parses a shell command line into the simple commands that it runs, and notes which of them can fail without failing
 * the line. Commands are parsed, never grepped: words in a quoted string or a here-document are not a command, but
 * words in `$(…)`, in `bash -c '…'` or after `sudo` are. Length, depth and count are bounded, so that a match stays
 * within its deadline.
 */

import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { dropOldest } from '../bounded-memory.ts';
import type { ToolName } from '../model/tool.ts';
import { toBaseName } from '../text/paths.ts';
import { isPowerShell, parsePowerShell } from './power-shell.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Longer commands contain data rather than more commands; the bound keeps a match within its deadline. */
const MAX_COMMAND_CHARS = 64 * 1024;
const MAX_DEPTH = 64;
/** The same applies to a line with more commands than this, or with more parts in its words. */
export const MAX_COMMANDS = 1000;
const MAX_NODES = 40_000;
/** For every new here-document, the parser looks at all open ones. */
const MAX_HERE_DOCUMENTS = 500;
const MAX_NESTED_SHELLS = 3;

/** Conditions of the shell itself, which run no program. */
const CONDITIONS: Readonly<Record<string, string>> = { TestCommand: '[[', ArithmeticCommand: '((' };

/** Says which shell a command is for, by the agent's name of the tool (`Bash`, `PowerShell`). Every call has one. */
export interface ShellTool {
  readonly rawTool: string;
}

export const BASH: ShellTool = { rawTool: 'Bash' };
/** For text that no call ran, such as the remedy of a lesson: the text itself must show the shell. */
export const ANY_SHELL: ShellTool = { rawTool: '' };

/** A call of any tool, with its whole command or the beginning that the store keeps. */
export interface ShellCall extends ShellTool {
  readonly tool: ToolName;
  readonly command?: string | undefined;
  readonly inputSummary?: string | undefined;
}

/** The commands that a call runs; empty for a tool that is not a shell. */
export function parseCall(call: ShellCall): readonly SimpleCommand[] {
  return call.tool === 'shell' ? parseCommand(call.command ?? call.inputSummary ?? '', call) : [];
}

interface ParseOptions {
  /** Also returns `[[ … ]]` and `(( … ))`, as commands of these names. */
  readonly withConditions?: boolean;
}

/** Every stage parses the same calls, so the latest results are cached. */
const MAX_KEPT = 500;
const MAX_KEPT_CHARS = 4096;
/** One map for each way to read a line, because a longer key would be a copy of the line. */
const kept = Array.from({ length: 4 }, () => new Map<string, readonly SimpleCommand[]>());

export function parseCommand(
  source: string,
  { rawTool }: ShellTool,
  { withConditions = false }: ParseOptions = {},
): readonly SimpleCommand[] {
  const asPowerShell = isPowerShell(source, rawTool);
  const same = kept[(withConditions ? 2 : 0) + (asPowerShell ? 1 : 0)] as Map<string, readonly SimpleCommand[]>;
  const known = same.get(source);
  if (known !== undefined) return known;
  const found: SimpleCommand[] = [];
  const collected: Collected = { found, shells: 0, place: TOP, withConditions, nodes: { left: MAX_NODES } };
  const bounded = source.length > MAX_KEPT_CHARS ? toBounded(source) : source;
  if (asPowerShell) collectPowerShell(bounded, collected);
  else collect(bounded, collected);
  if (source.length > MAX_KEPT_CHARS) return found;
  same.set(source, found);
  dropOldest(same, MAX_KEPT);
  return found;
}

function toBounded(source: string): string {
  let end = -2;
  for (let n = 0; n <= MAX_HERE_DOCUMENTS; n++) {
    end = source.indexOf('<<', end + 2);
    if (end < 0) return source.slice(0, MAX_COMMAND_CHARS);
  }
  return source.slice(0, Math.min(end, MAX_COMMAND_CHARS));
}

/** A word without one of these runs nothing: `$(…)`, a back quote, `<(…)`. */
const MAY_RUN = /[$`(]/;

function collect(source: string, collected: Collected): void {
  const { nodes, withConditions, found } = collected;
  const tamed = tameSource(source);
  const options: ShellOptions = { errexit: false, pipefail: false };
  const visit = (node: SyntaxNode, depth: number, place: Place): void => {
    // The text in brackets was parsed again for this.
    nodes.left -= node.type === 'Script' ? (node.end - node.pos) >> 2 : 1;
    if (found.length >= MAX_COMMANDS || nodes.left < 0) return;
    // Words are most of the nodes, and each visit would take the word apart.
    if (node.type === 'Word' && !MAY_RUN.test(node.text)) return;
    if (node.type === 'Command' && node.name !== undefined) {
      const words = [node.name, ...node.args].map((word) => toArgument(word, tamed.restore));
      if (node.name.value === 'set') setOptions(words, options);
      addCommand(words, source.slice(node.pos, node.end), { ...collected, place });
    }
    const condition = withConditions ? CONDITIONS[node.type] : undefined;
    if (condition !== undefined)
      found.push({ program: condition, args: [], text: source.slice(node.pos, node.end), ...toFlags(place) });
    if (depth >= MAX_DEPTH) return;
    const toPlace = toChildPlace(node, place, options);
    let n = 0;
    forEachChild(node, (child) => visit(child, depth + 1, toPlace(n++)));
  };
  try {
    visit(parse(tamed.source), 0, collected.place);
  } catch {
    // The script is nested too deeply for the stack, so only the commands found so far count.
  }
}

/** Only the last of several commands decides how the script ended. */
function collectPowerShell(source: string, collected: Collected): void {
  const commands = parsePowerShell(source, MAX_COMMANDS);
  commands.forEach(({ words, text, piped }, n) => {
    const { place } = collected;
    const hidden = place.hidden || n < commands.length - 1;
    addCommand(words, text, { ...collected, place: { hidden, piped: place.piped || piped } });
  });
}

interface Collected {
  readonly found: SimpleCommand[];
  readonly shells: number;
  readonly place: Place;
  readonly withConditions: boolean;
  readonly nodes: { left: number };
}

function addCommand(words: readonly Argument[], text: string, collected: Collected): void {
  const { found, shells, place } = collected;
  const { inner, script, powerShell } = unwrapCommand(words);
  const [name, ...args] = inner;
  if (name === undefined) return;
  for (const executed of listExecuted(toProgram(name), args)) addCommand(executed, toText(executed), collected);
  if (script !== undefined && shells < MAX_NESTED_SHELLS) {
    (powerShell ? collectPowerShell : collect)(script, { ...collected, shells: shells + 1 });
    return;
  }
  if (found.length >= MAX_COMMANDS) return;
  // A program that `xargs` runs gets words from the pipe, not input.
  const isPiped = place.piped && !(inner !== words && words.some((word) => word.value === 'xargs'));
  found.push({
    program: toProgram(name),
    args,
    text: inner === words ? text : toText(inner),
    ...toFlags({ ...place, piped: isPiped }),
  });
}

function toText(words: readonly Argument[]): string {
  return words.map((word) => word.text).join(' ');
}

function toFlags({ hidden, piped }: Place): Pick<SimpleCommand, 'hidden' | 'piped'> {
  return { ...(hidden ? { hidden: true } : {}), ...(piped ? { piped: true } : {}) };
}

function setOptions(words: readonly Argument[], options: ShellOptions): void {
  for (const { value } of words) {
    if (/^-[a-z]*e/.test(value) || value === 'errexit') options.errexit = true;
    if (value === 'pipefail') options.pipefail = true;
  }
}

function toArgument(
  word: Extract<SyntaxNode, { type: 'Word' | 'Assignment' }>,
  restore: (text: string) => string,
): Argument {
  return { value: restore(word.type === 'Word' ? word.value : word.text), text: restore(word.text) };
}

/** The part after the last slash is the name, whatever folder a variable contains. On Windows a kind of file follows. */
function toProgram(name: Argument): string {
  const isKnown = name.text.includes('/') && !/[$`]/.test(name.text.slice(name.text.lastIndexOf('/')));
  return name.text.startsWith('$') && !isKnown ? '' : toBaseName(name.value).replace(/(?<=.)\.(?:exe|cmd|bat)$/i, '');
}

interface Place {
  readonly hidden: boolean;
  readonly piped: boolean;
}

/** `set -e` and `set -o pipefail`: after them lists and pipes hide no failure. */
interface ShellOptions {
  errexit: boolean;
  pipefail: boolean;
}

/**
 * The place of a command in its line: may the line succeed although the command failed, and does the command read
 * another one's output?
 */
const TOP: Place = { hidden: false, piped: false };

/** The place of a node's n-th child, in the order of `forEachChild`. */
function toChildPlace(node: SyntaxNode, place: Place, options: ShellOptions): (n: number) => Place {
  const hidden = { hidden: true, piped: place.piped };
  switch (node.type) {
    case 'Script':
    case 'CompoundList': {
      const last = node.commands.length - 1;
      return (n) => (n === last || options.errexit ? place : hidden);
    }
    case 'AndOr': {
      // `a && b || c`: a command before an `||` may fail.
      const lastOr = node.operators.lastIndexOf('||');
      return (n) => (n > lastOr ? place : hidden);
    }
    case 'Pipeline':
      return toPipePlace(node.prefixes, node.commands.length, place, options);
    case 'If':
    case 'Elif':
      return (n) => (n === 0 ? hidden : place);
    case 'Statement':
      return () => (node.background ? hidden : place);
    case 'Command':
      // `x=$(cmd)` ends as `cmd` does, `echo $(cmd)` as `echo`.
      return () => ({ hidden: place.hidden || node.name !== undefined, piped: false });
    // Only the last round of a loop counts, and a function definition runs nothing.
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
    case 'While':
    case 'Function':
    case 'Coproc':
      return () => hidden;
    default:
      return () => place;
  }
}

function toPipePlace(
  prefixes: readonly { readonly type: string }[],
  length: number,
  place: Place,
  { pipefail }: ShellOptions,
): (n: number) => Place {
  const isNegated = prefixes.some((prefix) => prefix.type === 'Negation');
  return (child) => {
    const n = child - prefixes.length;
    const isHidden = isNegated || (n < length - 1 && !pipefail);
    return { hidden: place.hidden || isHidden, piped: place.piped || n > 0 };
  };
}

const EXECUTING = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** The commands that `find` runs: the words from `-exec` to `;` or `+`, or to the next `-exec`. */
export function listExecuted(program: string, args: readonly Argument[]): readonly (readonly Argument[])[] {
  if (program !== 'find') return [];
  const found: Argument[][] = [];
  let words: Argument[] | undefined;
  for (const word of args) {
    if (EXECUTING.has(word.value)) {
      words = [];
      found.push(words);
    } else if (word.value === ';' || word.value === '+') words = undefined;
    else words?.push(word);
  }
  return found.filter(({ length }) => length > 0);
}

// Replaces characters that make the parser read the whole rest of the script each time. A few of them have a meaning;
// thousands are data. Each is replaced by one character, so positions stay the same.

/** Braces that do not open a group, and the old syntax of arithmetic. */
const COSTLY = /\{(?=\S)|(?<=\$)\[/g;
/** This many are parsed as they are, in a few milliseconds. */
const MAX_BRACES = 1_000;
const MAX_OLD_SUMS = 200;
/** Private-use characters, which mean nothing to a shell. */
const BRACE = '\uE07B';
const BRACKET = '\uE05B';

interface Tamed {
  readonly source: string;
  /** Puts the original characters back into a part of the script. */
  readonly restore: (text: string) => string;
}

function tameSource(source: string): Tamed {
  let braces = 0;
  let sums = 0;
  const tamed = source.replace(COSTLY, (char) => {
    if (char === '{') return ++braces > MAX_BRACES ? BRACE : char;
    return ++sums > MAX_OLD_SUMS ? BRACKET : char;
  });
  return { source: tamed, restore: tamed === source ? (text) => text : restore };
}

function restore(text: string): string {
  return text.replaceAll(BRACE, '{').replaceAll(BRACKET, '[');
}
