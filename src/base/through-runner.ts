/**
 * The command that a package runner runs: `pytest -q` of `uv run pytest -q`, `tsc` of `npx -y tsc@5`. What only wraps
 * (`sudo`, `env`, `timeout`) the parser has removed; these it keeps, because running a tool through one is often the fix.
 */
import { isOption } from './program-words.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';

interface Runner {
  /** Leading words that make it one; none for a program that does nothing else. */
  readonly words?: readonly string[];
  /** Its own options that take the next word. */
  readonly valued?: readonly string[];
  /** Words of its own before the inner command. */
  readonly own?: number;
  /** It only says where: what follows is a word of its own program again. */
  readonly isPlace?: true;
}

const PACKAGE = ['-p', '--package'];
const UV = '--with --python -p --extra --group --project --directory --env-file --with-requirements'.split(' ');

const RUNNERS: Readonly<Record<string, readonly Runner[]>> = {
  npx: [{ valued: PACKAGE }],
  pnpx: [{ valued: PACKAGE }],
  bunx: [{}],
  uvx: [{ valued: ['--from', ...UV] }],
  'cross-env': [{}],
  'xvfb-run': [{ valued: ['-s', '-n', '-e', '-f'] }],
  npm: [{ words: ['exec', 'x'], valued: PACKAGE }],
  pnpm: [{ words: ['exec', 'dlx'] }],
  yarn: [{ words: ['exec', 'dlx'] }, { words: ['workspace'], own: 1, isPlace: true }],
  bun: [{ words: ['x'] }],
  uv: [{ words: ['run'], valued: UV }],
  poetry: [{ words: ['run'] }],
  pipenv: [{ words: ['run'] }],
  pdm: [{ words: ['run'] }],
  rye: [{ words: ['run'] }],
  pipx: [{ words: ['run'], valued: ['--spec', '--python'] }],
  conda: [{ words: ['run'], valued: ['-n', '--name', '-p', '--prefix'] }],
  bundle: [{ words: ['exec'] }],
  mise: [{ words: ['exec', 'x'] }],
  direnv: [{ words: ['exec'], own: 1 }],
  doppler: [{ words: ['run'] }],
};

const MAX_RUNNERS = 4;
const PYTHON = /^python[\d.]*$/;

export function throughRunner(command: SimpleCommand): SimpleCommand {
  let inner = command;
  for (let i = 0; i < MAX_RUNNERS; i++) {
    const next = findInner(inner);
    if (next === undefined) return inner;
    inner = next;
  }
  return inner;
}

function findInner({ program, args, text }: SimpleCommand): SimpleCommand | undefined {
  // `python -m pytest` is `pytest`; the words before `-m` are options of the interpreter.
  const module = PYTHON.test(program) ? args.findIndex(({ value }) => !isOption(value) || value === '-m') : -1;
  if (module >= 0 && args[module]?.value === '-m') return toCommand(args.slice(module + 1), text);
  for (const runner of Object.hasOwn(RUNNERS, program) ? (RUNNERS[program] ?? []) : []) {
    const rest = findRest(args, runner);
    if (rest !== undefined) return runner.isPlace ? { program, args: rest, text } : toCommand(rest, text);
  }
  return undefined;
}

function findRest(args: readonly Argument[], { words, valued = [], own = 0 }: Runner): readonly Argument[] | undefined {
  const start = words === undefined ? 0 : args.findIndex(({ value }) => !isOption(value));
  if (words !== undefined && !words.includes(args[start]?.value ?? '')) return undefined;
  let left = own;
  for (let at = words === undefined ? 0 : start + 1; at < args.length; at++) {
    const word = args[at]?.value ?? '';
    if (word === '--') return args.slice(at + 1);
    if (word === '-m') continue;
    if (valued.includes(word)) at++;
    else if (isOption(word) || /^[A-Za-z_]\w*=/.test(word)) continue;
    else if (left > 0) left--;
    else return args.slice(at);
  }
  return undefined;
}

/** Without the version that a package may carry: `tsc@5`, `@scope/cli@latest`. */
function toCommand([name, ...args]: readonly Argument[], text: string): SimpleCommand | undefined {
  if (name === undefined || name.value === '') return undefined;
  const bare = name.value.replace(/(.)@[^/@]*$/, '$1');
  return { program: bare.slice(bare.lastIndexOf('/') + 1), args, text };
}
