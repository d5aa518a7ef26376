/**
 * Programs that only run another program (`sudo`, `env`, `xargs`, `timeout`, `bash -c`): what counts is the inner one.
 * Package runners (`npx`, `mise exec`, `uv run`) are not among them: running a tool through one is often the fix.
 */
import type { Argument } from './simple-command.ts';

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued: readonly string[];
  /** Options with which it asks about a program and runs none. */
  readonly asking?: readonly string[];
  /** Words of its own before the inner command (`timeout 5 cmd`). */
  readonly own?: number;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: ['-u', '-g', '-h', '-p', '-C', '-T', '-R', '-D', '--user', '--group'],
    asking: ['-l', '-v', '-V', '--list', '--validate'],
  },
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
  command: { valued: [], asking: ['-v', '-V'] },
  builtin: { valued: [] },
  exec: { valued: ['-a'] },
};

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh']);
/** Options of shells that take the next word. */
const SHELL_VALUED = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file']);
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
    const script = findJoined(name, inner);
    if (script !== undefined) return { inner, script };
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
    if (wrapper.asking?.includes(word)) return [];
    if (word === '--') return words.slice(at + 1);
    if (wrapper.valued.includes(toLast(word))) at++;
    else if (isAssignment(word) || word.startsWith('-')) continue;
    else if (own > 0) own--;
    else break;
  }
  return words.slice(at);
}

/** Of options in one word the last may take a value: `-iu bob`. */
function toLast(word: string): string {
  return /^-[A-Za-z]{2,}$/.test(word) ? `-${word.slice(-1)}` : word;
}

/** `-c` among the shell's own options. Behind the name of a script it is the script's. */
function toShell(words: readonly Argument[]): Unwrapped {
  for (let at = 1; at < words.length; at++) {
    const word = words[at]?.value ?? '';
    if (/^-[a-z]*c$/.test(word)) {
      const script = words[at + 1];
      return script === undefined ? { inner: words } : { inner: words, script: script.value };
    }
    if (SHELL_VALUED.has(word)) at++;
    else if (!/^[-+]./.test(word) || word === '--') break;
  }
  return { inner: words };
}

/** Words that are put together to a command line again: `eval …`, `env -S '…'`. What they compute, only the shell knows. */
function findJoined(name: string, words: readonly Argument[]): string | undefined {
  const isSplit = ({ value }: Argument): boolean => value === '-S' || value === '--split-string';
  const from = name === 'eval' ? 1 : name === 'env' ? words.findIndex(isSplit) + 1 : 0;
  const joined = from === 0 ? [] : words.slice(from);
  if (joined.length === 0 || joined.some(({ text }) => /[$`]/.test(text))) return undefined;
  return joined.map(({ value }) => value).join(' ');
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}
