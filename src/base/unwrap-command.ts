/**
 * Programs that only run another program (`sudo`, `env`, `xargs`, `timeout`, `bash -c`): what counts is the inner one.
 * Package runners (`npx`, `mise exec`, `uv run`) are not among them: running a tool through one is often the fix.
 */
import type { Argument } from './simple-command.ts';

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued: readonly string[];
  /** Words of its own before the inner command (`timeout 5 cmd`). */
  readonly own?: number;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: ['-u', '-g', '-h', '-p', '-C', '-T', '-R', '-D', '--user', '--group'] },
  doas: { valued: ['-u', '-C'] },
  env: { valued: ['-u', '--unset', '-C', '--chdir'] },
  xargs: { valued: ['-I', '-n', '-P', '-L', '-d', '-a', '-s', '-E', '--max-args', '--max-procs', '--delimiter'] },
  timeout: { valued: ['-k', '-s', '--kill-after', '--signal'], own: 1 },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '-n', '-p'] },
  stdbuf: { valued: ['-i', '-o', '-e'] },
  nohup: { valued: [] },
  setsid: { valued: [] },
  time: { valued: ['-f', '-o'] },
  command: { valued: [] },
  builtin: { valued: [] },
  exec: { valued: ['-a'] },
};

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh']);
const MAX_WRAPPERS = 8;

export interface Unwrapped {
  /** The words of the inner command; the given list itself when nothing was unwrapped. */
  readonly inner: readonly Argument[];
  /** The source of `bash -c 'source'`. */
  readonly script?: string;
}

export function unwrapCommand(words: readonly Argument[]): Unwrapped {
  let inner = words;
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const name = inner[0]?.value.split('/').pop() ?? '';
    if (SHELLS.has(name)) return toShell(inner);
    const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
    const rest = wrapper === undefined ? [] : afterOptions(inner.slice(1), wrapper);
    // `command -v x` and `sudo -l` ask about a program, they run none.
    if (rest.length === 0) return { inner };
    inner = rest;
  }
  return { inner };
}

function afterOptions(words: readonly Argument[], wrapper: Wrapper): readonly Argument[] {
  let at = 0;
  let own = wrapper.own ?? 0;
  for (; at < words.length; at++) {
    const word = words[at]?.value ?? '';
    if (word === '-v' || word === '-V') return [];
    if (word === '--') return words.slice(at + 1);
    if (wrapper.valued.includes(word)) at++;
    else if (isAssignment(word) || word.startsWith('-')) continue;
    else if (own > 0) own--;
    else break;
  }
  return words.slice(at);
}

function toShell(words: readonly Argument[]): Unwrapped {
  const flag = words.findIndex((word, i) => i > 0 && /^-[a-z]*c$/.test(word.value));
  const script = flag > 0 ? words[flag + 1] : undefined;
  return script === undefined ? { inner: words } : { inner: words, script: script.value };
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}
