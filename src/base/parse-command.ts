/**
 * A shell command as the simple commands that it runs. Commands are parsed, never grepped: words inside a quoted
 * string or a here-document are not a command, those inside `$(…)`, `bash -c '…'` or after `sudo` are.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import type { Argument, SimpleCommand } from './simple-command.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Longer commands carry data, not more commands worth a match; the bound keeps a match within its deadline. */
const MAX_COMMAND_CHARS = 128 * 1024;
const MAX_DEPTH = 64;
const MAX_NESTED_SHELLS = 3;

export function parseCommand(source: string): readonly SimpleCommand[] {
  const found: SimpleCommand[] = [];
  collect(source.length > MAX_COMMAND_CHARS ? source.slice(0, MAX_COMMAND_CHARS) : source, found, 0);
  return found;
}

function collect(source: string, found: SimpleCommand[], shells: number): void {
  const visit = (node: SyntaxNode, depth: number): void => {
    if (node.type === 'Command' && node.name !== undefined) {
      const words = [node.name, ...node.args].map((word) => ({ value: toValue(word), text: word.text }));
      addCommand(words, source.slice(node.pos, node.end), found, shells);
    }
    if (depth < MAX_DEPTH) forEachChild(node, (child) => visit(child, depth + 1));
  };
  visit(parse(source), 0);
}

function addCommand(words: readonly Argument[], text: string, found: SimpleCommand[], shells: number): void {
  const { inner, script } = unwrapCommand(words);
  const [name, ...args] = inner;
  if (name === undefined) return;
  if (script !== undefined && shells < MAX_NESTED_SHELLS) collect(script, found, shells + 1);
  else
    found.push({ program: toProgram(name), args, text: inner === words ? text : inner.map((w) => w.text).join(' ') });
}

function toValue(word: Extract<SyntaxNode, { type: 'Word' | 'Assignment' }>): string {
  return word.type === 'Word' ? word.value : word.text;
}

function toProgram(name: Argument): string {
  return name.text.startsWith('$') ? '' : name.value.slice(name.value.lastIndexOf('/') + 1);
}
