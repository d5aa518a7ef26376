/**
 * A shell command as the simple commands that it runs. Commands are parsed, never grepped: words inside a quoted
 * string or a here-document are not a command, those inside `$(…)`, `bash -c '…'` or after `sudo` are.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { type Place, type ShellOptions, TOP, toChildPlace } from './command-place.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Longer commands carry data, not more commands worth a match; the bound keeps a match within its deadline. */
const MAX_COMMAND_CHARS = 128 * 1024;
const MAX_DEPTH = 64;
const MAX_NESTED_SHELLS = 3;

export function parseCommand(source: string): readonly SimpleCommand[] {
  const found: SimpleCommand[] = [];
  collect(source.length > MAX_COMMAND_CHARS ? source.slice(0, MAX_COMMAND_CHARS) : source, found, 0, TOP);
  return found;
}

function collect(source: string, found: SimpleCommand[], shells: number, top: Place): void {
  const options: ShellOptions = { errexit: false, pipefail: false };
  const visit = (node: SyntaxNode, depth: number, place: Place): void => {
    if (node.type === 'Command' && node.name !== undefined) {
      const words = [node.name, ...node.args].map((word) => ({ value: toValue(word), text: word.text }));
      if (node.name.value === 'set') setOptions(words, options);
      addCommand(words, source.slice(node.pos, node.end), { found, shells, place });
    }
    if (depth >= MAX_DEPTH) return;
    const toPlace = toChildPlace(node, place, options);
    let n = 0;
    forEachChild(node, (child) => visit(child, depth + 1, toPlace(n++)));
  };
  visit(parse(source), 0, top);
}

interface Collected {
  readonly found: SimpleCommand[];
  readonly shells: number;
  readonly place: Place;
}

function addCommand(words: readonly Argument[], text: string, { found, shells, place }: Collected): void {
  const { inner, script } = unwrapCommand(words);
  const [name, ...args] = inner;
  if (name === undefined) return;
  if (script !== undefined && shells < MAX_NESTED_SHELLS) {
    collect(script, found, shells + 1, place);
    return;
  }
  // What `xargs` runs gets its words from the pipe, not its input.
  const isPiped = place.piped && !(inner !== words && words.some((word) => word.value === 'xargs'));
  found.push({
    program: toProgram(name),
    args,
    text: inner === words ? text : inner.map((w) => w.text).join(' '),
    ...(place.hidden ? { hidden: true } : {}),
    ...(isPiped ? { piped: true } : {}),
  });
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

function toProgram(name: Argument): string {
  return name.text.startsWith('$') ? '' : name.value.slice(name.value.lastIndexOf('/') + 1);
}
