/**
 * Unwraps programs that only run another program (`sudo`, `env`, `xargs`, `timeout`, `bash -c`), because the inner one
 * counts. Package runners (`npx`, `mise exec`, `uv run`) are kept, because running a tool through one is often the fix.
 * So are programs that run it elsewhere (`ssh`, `docker exec`), because a mistake here may be right there.
 */

import { toBaseName } from '../text/paths.ts';
import { findProgram, isListed, isProgram } from './programs/find-program.ts';
import type { Wrapper } from './programs/vocabulary.ts';
import type { Argument } from './simple-command.ts';

const SHELL: Wrapper = { valued: 'o O rcfile init-file' };
const MAX_WRAPPERS = 8;

interface Unwrapped {
  /** The words of the inner command; the given list itself if nothing was unwrapped. */
  readonly inner: readonly Argument[];
  /** The source of `bash -c 'source'`. */
  readonly script?: string | undefined;
  /** The source is a PowerShell script. */
  readonly powerShell?: boolean;
}

export function unwrapCommand(words: readonly Argument[]): Unwrapped {
  let inner = words;
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const name = toBaseName(inner[0]?.value ?? '');
    if (isProgram(name, 'shell')) return { inner, script: findShellScript(inner) };
    if (isProgram(name, 'power-shell')) return { inner, script: findPowerShellScript(inner), powerShell: true };
    const wrapper = findProgram(name)?.wraps;
    if (wrapper === undefined) return { inner };
    const { rest, script } = readOptions(inner, wrapper);
    if (wrapper.joins || script !== undefined) return { inner, script: script ?? toLine(rest) };
    // `command -v x` and `sudo -l` ask about a program and run none.
    if (rest.length === 0) return { inner };
    inner = rest;
  }
  return { inner };
}

interface Options {
  /** The words after the options. */
  readonly rest: readonly Argument[];
  readonly script?: string | undefined;
}

function readOptions(words: readonly Argument[], wrapper: Wrapper): Options {
  const { valued, script, asking } = wrapper;
  let own = wrapper.own ?? 0;
  let at = 1;
  for (; at < words.length; at++) {
    const { value: word, text } = words[at] as Argument;
    if (word === '--') return { rest: words.slice(at + 1) };
    if (!isDashed(word)) {
      if (isVariable(word, wrapper) || own-- > 0) continue;
      break;
    }
    const { name, value } = parseOption(word, `${valued} ${script} ${asking}`);
    const isNext = value === '';
    if (isListed(name, asking)) return { rest: [] };
    if (isListed(name, script))
      return { rest: [], script: toScript(isNext ? [] : [{ value, text }], words.slice(at + 1), wrapper) };
    if (isNext && isListed(name, valued)) at++;
  }
  return { rest: words.slice(at) };
}

/** `env` appends the words that follow. */
function toScript(given: readonly Argument[], next: readonly Argument[], { variables }: Wrapper): string | undefined {
  const all = [...given, ...next];
  return variables ? toLine(all) : all[0]?.value;
}

function isDashed(word: string): boolean {
  return word.startsWith('-') || word.startsWith('+');
}

/** In a word of several letters, the first that takes a value ends them: `-iu bob`, `-ubob`. */
function parseOption(word: string, known: string): { readonly name: string; readonly value: string } {
  const [, long, given = ''] = /^--([^=]*)=?(.*)$/s.exec(word) ?? [];
  if (long !== undefined) return { name: long, value: given };
  let at = 1;
  while (at < word.length && !isListed(word.charAt(at), known)) at++;
  return { name: word.charAt(at), value: word.slice(at + 1) };
}

/** `-c` among the shell's own options; after the name of a script it belongs to the script. */
function findShellScript(words: readonly Argument[]): string | undefined {
  const { rest } = readOptions(words, SHELL);
  const own = words.slice(1, words.length - rest.length);
  return own.some(({ value }) => /^-[a-z]*c/.test(value)) ? rest[0]?.value : undefined;
}

/** After `-File`, all words belong to the file. */
function findPowerShellScript(words: readonly Argument[]): string | undefined {
  const at = words.findIndex(({ value }) => /^-(?:c|command|f|file)$/i.test(value));
  const [option, ...script] = at < 0 ? [] : words.slice(at);
  return option === undefined || /f/i.test(option.value) ? undefined : script.map(({ value }) => value).join(' ');
}

/** Joins words to a command line again. Undefined for words that only the shell can compute. */
function toLine(words: readonly Argument[]): string | undefined {
  if (words.length === 0 || words.some(({ text }) => /[$`]/.test(text))) return undefined;
  return words.map(({ value }) => value).join(' ');
}

function isVariable(word: string, { variables }: Wrapper): boolean {
  return variables === true && /^[A-Za-z_]\w*=/.test(word);
}
