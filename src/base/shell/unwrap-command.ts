/**
 * Programs that only run another program (`sudo`, `env`, `xargs`, `timeout`, `bash -c`): what counts is the inner one.
 * Package runners (`npx`, `mise exec`, `uv run`) are not among them: running a tool through one is often the fix. Nor are
 * programs that run it elsewhere (`ssh`, `docker exec`): what is wrong here may be right there.
 */

import { toBaseName } from '../text/paths.ts';
import type { Argument } from './simple-command.ts';
import { isListed } from './simple-command.ts';

/** Options without their dashes, letters and long ones, with blanks between. */
interface Wrapper {
  /** Take a value. */
  readonly valued?: string;
  /** Take a command line as their value. */
  readonly script?: string;
  /** With these it asks about a program and runs none. */
  readonly asking?: string;
  /** Words of its own before the inner command (`timeout 5 cmd`). */
  readonly own?: number;
  /** The words are put together to a command line again. */
  readonly joins?: true;
  /** Variables may stand before the inner command. */
  readonly variables?: true;
}

const TIMEOUT: Wrapper = { valued: 'k s kill-after signal', own: 1 };
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: 'u g h p C T R D r t U user group host prompt chroot chdir role type close-from command-timeout other-user',
    asking: 'l v V e list validate',
    variables: true,
  },
  doas: { valued: 'u C' },
  env: { valued: 'u unset C chdir a argv0', script: 'S split-string', variables: true },
  xargs: {
    valued: 'I n P L d a s E J R S max-args max-procs max-lines max-chars delimiter arg-file process-slot-var',
  },
  timeout: TIMEOUT,
  gtimeout: TIMEOUT,
  nice: { valued: 'n adjustment' },
  ionice: { valued: 'c n p P u class' },
  stdbuf: { valued: 'i o e input output error' },
  nohup: {},
  setsid: {},
  time: { valued: 'f o format output' },
  command: { asking: 'v V' },
  builtin: {},
  exec: { valued: 'a' },
  eval: { joins: true },
  watch: { valued: 'n q interval', joins: true },
  flock: { valued: 'w E wait timeout conflict-exit-code', script: 'c command', own: 1 },
  su: { valued: 's g G w shell group', script: 'c command', own: 99 },
  caffeinate: { valued: 't w' },
};

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'rbash']);
const SHELL: Wrapper = { valued: 'o O rcfile init-file' };
const POWER_SHELL = /^(?:powershell|pwsh)(?:\.exe)?$/i;
const MAX_WRAPPERS = 8;

interface Unwrapped {
  /** The words of the inner command; the given list itself when nothing was unwrapped. */
  readonly inner: readonly Argument[];
  /** The source of `bash -c 'source'`. */
  readonly script?: string | undefined;
  /** The source is PowerShell's. */
  readonly powerShell?: boolean;
}

export function unwrapCommand(words: readonly Argument[]): Unwrapped {
  let inner = words;
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const name = toBaseName(inner[0]?.value ?? '');
    if (SHELLS.has(name)) return { inner, script: findShellScript(inner) };
    if (POWER_SHELL.test(name)) return { inner, script: findPowerShellScript(inner), powerShell: true };
    const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
    if (wrapper === undefined) return { inner };
    const { rest, script } = readOptions(inner, wrapper);
    if (wrapper.joins || script !== undefined) return { inner, script: script ?? toLine(rest) };
    // `command -v x` and `sudo -l` ask about a program, they run none.
    if (rest.length === 0) return { inner };
    inner = rest;
  }
  return { inner };
}

interface Options {
  /** What stands behind the options. */
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

/** `env` adds the words that follow. */
function toScript(given: readonly Argument[], next: readonly Argument[], { variables }: Wrapper): string | undefined {
  const all = [...given, ...next];
  return variables ? toLine(all) : all[0]?.value;
}

function isDashed(word: string): boolean {
  return word.startsWith('-') || word.startsWith('+');
}

/** Of letters in one word the first that takes a value ends them: `-iu bob`, `-ubob`. */
function parseOption(word: string, known: string): { readonly name: string; readonly value: string } {
  const [, long, given = ''] = /^--([^=]*)=?(.*)$/s.exec(word) ?? [];
  if (long !== undefined) return { name: long, value: given };
  let at = 1;
  while (at < word.length && !isListed(word.charAt(at), known)) at++;
  return { name: word.charAt(at), value: word.slice(at + 1) };
}

/** With `-c` among the shell's own options: behind the name of a script it is the script's. */
function findShellScript(words: readonly Argument[]): string | undefined {
  const { rest } = readOptions(words, SHELL);
  const own = words.slice(1, words.length - rest.length);
  return own.some(({ value }) => /^-[a-z]*c/.test(value)) ? rest[0]?.value : undefined;
}

/** Behind `-File` all words are the file's. */
function findPowerShellScript(words: readonly Argument[]): string | undefined {
  const at = words.findIndex(({ value }) => /^-(?:c|command|f|file)$/i.test(value));
  const [option, ...script] = at < 0 ? [] : words.slice(at);
  return option === undefined || /f/i.test(option.value) ? undefined : script.map(({ value }) => value).join(' ');
}

/** Words that are put together to a command line again. What they compute, only the shell knows. */
function toLine(words: readonly Argument[]): string | undefined {
  if (words.length === 0 || words.some(({ text }) => /[$`]/.test(text))) return undefined;
  return words.map(({ value }) => value).join(' ');
}

function isVariable(word: string, { variables }: Wrapper): boolean {
  return variables === true && /^[A-Za-z_]\w*=/.test(word);
}
