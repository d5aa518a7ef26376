/**
 * A shell command as the simple commands that it runs. Commands are parsed, never grepped: words inside a quoted
 * string or a here-document are not a command, those inside `$(…)`, `bash -c '…'` or after `sudo` are.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { type Place, type ShellOptions, TOP, toChildPlace } from './command-place.ts';
import { listExecuted } from './list-executed.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Longer commands carry data, not more commands worth a match; the bound keeps a match within its deadline. */
const MAX_COMMAND_CHARS = 64 * 1024;
const MAX_DEPTH = 64;
const MAX_NESTED_SHELLS = 3;

/** Conditions of the shell itself, which run no program. */
const CONDITIONS: Readonly<Record<string, string>> = { TestCommand: '[[', ArithmeticCommand: '((' };

export interface ParseOptions {
  /** `[[ … ]]` and `(( … ))` as commands of these names, too. */
  readonly withConditions?: boolean;
}

/** Every stage asks anew what a call runs: the answers given last are kept. */
const MAX_KEPT = 1000;
const MAX_KEPT_CHARS = 4096;
const kept = new Map<string, readonly SimpleCommand[]>();

export function parseCommand(source: string, { withConditions = false }: ParseOptions = {}): readonly SimpleCommand[] {
  const key = `${withConditions ? '[' : ' '}${source}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found: SimpleCommand[] = [];
  const bounded = source.length > MAX_COMMAND_CHARS ? source.slice(0, MAX_COMMAND_CHARS) : source;
  collect(bounded, { found, shells: 0, place: TOP, withConditions });
  if (source.length > MAX_KEPT_CHARS) return found;
  kept.set(key, found);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
  return found;
}

function collect(source: string, collected: Collected): void {
  const options: ShellOptions = { errexit: false, pipefail: false };
  const visit = (node: SyntaxNode, depth: number, place: Place): void => {
    if (node.type === 'Command' && node.name !== undefined) {
      const words = [node.name, ...node.args].map((word) => ({ value: toValue(word), text: word.text }));
      if (node.name.value === 'set') setOptions(words, options);
      addCommand(words, source.slice(node.pos, node.end), { ...collected, place });
    }
    const condition = collected.withConditions ? CONDITIONS[node.type] : undefined;
    if (condition !== undefined)
      collected.found.push({ program: condition, args: [], text: source.slice(node.pos, node.end), ...toFlags(place) });
    if (depth >= MAX_DEPTH) return;
    const toPlace = toChildPlace(node, place, options);
    let n = 0;
    forEachChild(node, (child) => visit(child, depth + 1, toPlace(n++)));
  };
  visit(parse(source), 0, collected.place);
}

interface Collected {
  readonly found: SimpleCommand[];
  readonly shells: number;
  readonly place: Place;
  readonly withConditions: boolean;
}

function addCommand(words: readonly Argument[], text: string, collected: Collected): void {
  const { found, shells, place } = collected;
  const { inner, script } = unwrapCommand(words);
  const [name, ...args] = inner;
  if (name === undefined) return;
  for (const executed of listExecuted(inner)) addCommand(executed, toText(executed), collected);
  if (script !== undefined && shells < MAX_NESTED_SHELLS) {
    collect(script, { ...collected, shells: shells + 1 });
    return;
  }
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

function toValue(word: Extract<SyntaxNode, { type: 'Word' | 'Assignment' }>): string {
  return word.type === 'Word' ? word.value : word.text;
}

/** What stands behind the last slash is the name, whatever folder a variable says. */
function toProgram(name: Argument): string {
  const last = name.value.slice(name.value.lastIndexOf('/') + 1);
  const isKnown = name.text.includes('/') && !/[$`]/.test(name.text.slice(name.text.lastIndexOf('/')));
  return name.text.startsWith('$') && !isKnown ? '' : last;
}
