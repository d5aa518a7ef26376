/**
 * Parses a shell command line into the simple commands that it runs, and notes which of them can fail without failing
 * the line. Commands are parsed, never grepped: words in a quoted string or a here-document are not a command, but
 * words in `$(…)`, in `bash -c '…'` or after `sudo` are. Length, depth and count are bounded, so that a match stays
 * within its deadline.
 */

import { forEachChild, parse, type SyntaxNode } from 'unbash';
import type { ToolName } from '../model/tool.ts';
import { toBaseName } from '../text/paths.ts';
import { isPowerShell, parsePowerShell } from './power-shell.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Longer commands carry data, not more commands worth a match; the bound keeps a match within its deadline. */
const MAX_COMMAND_CHARS = 64 * 1024;
const MAX_DEPTH = 64;
/** The same holds for a line that runs more commands than this, or whose words have more parts. */
export const MAX_COMMANDS = 1000;
const MAX_NODES = 40_000;
/** The parser looks at all that are open at once for every new one. */
const MAX_HERE_DOCUMENTS = 500;
const MAX_NESTED_SHELLS = 3;

/** Conditions of the shell itself, which run no program. */
const CONDITIONS: Readonly<Record<string, string>> = { TestCommand: '[[', ArithmeticCommand: '((' };

/** Tells which shell a command is for, by the agent's name of the tool (`Bash`, `PowerShell`). Every call is one. */
export interface ShellTool {
  readonly rawTool: string;
}

export const BASH: ShellTool = { rawTool: 'Bash' };
/** For text that no call ran, such as the remedy of a lesson: only the text itself tells which shell it is for. */
export const ANY_SHELL: ShellTool = { rawTool: '' };

/** A call of any tool, with its whole command or with the beginning that the store keeps. */
export interface ShellCall extends ShellTool {
  readonly tool: ToolName;
  readonly command?: string | undefined;
  readonly inputSummary?: string | undefined;
}

/** The commands that a call runs: none for a call of a tool that is not a shell. */
export function parseCall(call: ShellCall): readonly SimpleCommand[] {
  return call.tool === 'shell' ? parseCommand(call.command ?? call.inputSummary ?? '', call) : [];
}

interface ParseOptions {
  /** `[[ … ]]` and `(( … ))` as commands of these names, too. */
  readonly withConditions?: boolean;
}

/** Every stage parses the same calls, so the latest results are kept. */
const MAX_KEPT = 5000;
const MAX_KEPT_CHARS = 4096;
const kept = new Map<string, readonly SimpleCommand[]>();

export function parseCommand(
  source: string,
  { rawTool }: ShellTool,
  { withConditions = false }: ParseOptions = {},
): readonly SimpleCommand[] {
  const asPowerShell = isPowerShell(source, rawTool);
  const key = `${withConditions ? '[' : ' '}${asPowerShell ? '>' : ' '}${source}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found: SimpleCommand[] = [];
  const collected: Collected = { found, shells: 0, place: TOP, withConditions, nodes: { left: MAX_NODES } };
  const bounded = source.length > MAX_KEPT_CHARS ? toBounded(source) : source;
  if (asPowerShell) collectPowerShell(bounded, collected);
  else collect(bounded, collected);
  if (source.length > MAX_KEPT_CHARS) return found;
  kept.set(key, found);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
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

/** Without one of these a word runs nothing: `$(…)`, a back quote, `<(…)`. */
const MAY_RUN = /[$`(]/;

function collect(source: string, collected: Collected): void {
  const { nodes, withConditions, found } = collected;
  const tamed = tameSource(source);
  const options: ShellOptions = { errexit: false, pipefail: false };
  const visit = (node: SyntaxNode, depth: number, place: Place): void => {
    // What stands in brackets was read anew for this.
    nodes.left -= node.type === 'Script' ? (node.end - node.pos) >> 2 : 1;
    if (found.length >= MAX_COMMANDS || nodes.left < 0) return;
    // Most of what there is to visit, and each would be taken apart first.
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
    // Nested deeper than there is stack, at once or inside what is parsed only when it is visited: what was found counts.
  }
}

/** Of several commands the last one alone can say how the script ended. */
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
  // What `xargs` runs gets its words from the pipe, not its input.
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

/** What stands behind the last slash is the name, whatever folder a variable says. */
function toProgram(name: Argument): string {
  const isKnown = name.text.includes('/') && !/[$`]/.test(name.text.slice(name.text.lastIndexOf('/')));
  return name.text.startsWith('$') && !isKnown ? '' : toBaseName(name.value);
}

interface Place {
  readonly hidden: boolean;
  readonly piped: boolean;
}

/** `set -e` and `set -o pipefail`: from then on lists and pipes hide nothing. */
interface ShellOptions {
  errexit: boolean;
  pipefail: boolean;
}

/**
 * Where a command stands in its line: whether the line can end with success although the command failed, and whether
 * it reads what another command prints.
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
      // `a && b || c`: what stands before an `||` may fail.
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
    // Of a loop only the last round counts, and a function is not yet called.
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

/** The commands that `find` runs on what it finds: the words from `-exec` to `;` or `+`, or to the next one. */
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

// A script with the characters put away that the parser reads the whole rest for, each time. Few of them are meant;
// thousands are data. Others of the same length stand in for them, so every place stays what it is.

/** Braces that open no group, and the old way to write arithmetic. */
const COSTLY = /\{(?=\S)|(?<=\$)\[/g;
/** So many are read as what they are: in a few milliseconds, and more than a document in a script has. */
const MAX_BRACES = 1_000;
const MAX_OLD_SUMS = 200;
/** Private to whoever uses them: they mean nothing to a shell. */
const BRACE = '\uE07B';
const BRACKET = '\uE05B';

interface Tamed {
  readonly source: string;
  /** A text of it as it was written. */
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
