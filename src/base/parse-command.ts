/**
 * A shell command as the simple commands that it runs. Commands are parsed, never grepped: words inside a quoted
 * string or a here-document are not a command, those inside `$(…)`, `bash -c '…'` or after `sudo` are.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { type Place, type ShellOptions, TOP, toChildPlace } from './command-place.ts';
import { listExecuted } from './list-executed.ts';
import { isPowerShell, parsePowerShell } from './parse-power-shell.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';
import { tameSource } from './tame-source.ts';
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

export interface ParseOptions {
  /** `[[ … ]]` and `(( … ))` as commands of these names, too. */
  readonly withConditions?: boolean;
  /** The agent's name of the tool, which may tell the shell. */
  readonly rawTool?: string;
}

/** Every stage asks anew what a call runs: the answers given last are kept. */
const MAX_KEPT = 1000;
const MAX_KEPT_CHARS = 4096;
const kept = new Map<string, readonly SimpleCommand[]>();

export function parseCommand(
  source: string,
  { withConditions = false, rawTool }: ParseOptions = {},
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
  for (const executed of listExecuted(inner)) addCommand(executed, toText(executed), collected);
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
  const last = name.value.slice(name.value.lastIndexOf('/') + 1);
  const isKnown = name.text.includes('/') && !/[$`]/.test(name.text.slice(name.text.lastIndexOf('/')));
  return name.text.startsWith('$') && !isKnown ? '' : last;
}
