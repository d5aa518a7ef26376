/**
 * Finds the sub-command, the inner command and the script that a command names: `pr diff` of `gh pr diff 12`, `pytest`
 * of `uv run pytest`, `build` of `npm run build`. The sub-command of a program that runs another one (`npx`, `mise
 * exec`, `go run`) includes the inner program and its sub-command, because options there belong to the inner program.
 * The parser keeps package runners, unlike `sudo` or `env`, because running a tool through one is often the fix.
 */

import { toBaseName } from '../text/paths.ts';
import { type Argument, isOption, type SimpleCommand, toPositionals } from './simple-command.ts';

/** Programs whose commands have two words, but for these. */
const TWO_WORDS: Readonly<Record<string, readonly string[]>> = {
  gh: ['api', 'browse', 'status'],
  glab: ['api'],
  aws: ['configure'],
  az: ['login'],
  wrangler: ['deploy', 'dev', 'publish'],
  heroku: [],
};

/** Groups with a second word, by program; every other command of these programs has one word. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  git: ['stash', 'remote', 'worktree', 'submodule', 'bisect', 'notes', 'lfs', 'sparse-checkout'],
  docker: ['compose', 'image', 'container', 'volume', 'network', 'buildx', 'system', 'context', 'manifest'],
  podman: ['compose', 'image', 'container', 'volume', 'network', 'system'],
  kubectl: ['config', 'rollout', 'create', 'auth', 'set', 'top'],
  go: ['mod', 'tool', 'work', 'run'],
  npm: ['run', 'run-script', 'exec', 'x', 'pkg', 'config', 'cache'],
  pnpm: ['run', 'exec', 'dlx', 'config'],
  yarn: ['run', 'workspace', 'dlx', 'exec', 'config'],
  bun: ['run', 'x', 'pm'],
  deno: ['run', 'task'],
  cargo: ['run'],
  mise: ['run', 'exec', 'x', 'r'],
  uv: ['run', 'pip', 'tool', 'python'],
  poetry: ['run', 'env', 'config'],
  pipx: ['run'],
  bundle: ['exec'],
  terraform: ['state', 'workspace', 'providers'],
  helm: ['repo', 'plugin'],
  gcloud: [],
  dotnet: ['tool', 'nuget', 'ef'],
  brew: ['services'],
  pip: [],
  pip3: [],
  'golangci-lint': [],
};

/** Interpreters and runners: the first word is the program that counts. */
const RUNNERS = new Set([
  'npx',
  'bunx',
  'uvx',
  'node',
  'python',
  'python3',
  'ruby',
  'perl',
  'php',
  'tsx',
  'bash',
  'sh',
]);
const RUNNING = new Set(['exec', 'x', 'run', 'dlx']);

/** Programs that take operands, never sub-commands. */
const FLAT = new Set(
  (
    'awk base64 basename bat biome cat chmod chown cp curl cut date dd df diff dig du echo env eslint fd file find fold ' +
    'free gawk grep egrep fgrep gofmt gsed gunzip gzip head hexdump hostname id install jest join jq kill less ln ls lsof ' +
    'make md5 mkdir mktemp more mv mypy nc nl nproc od open patch pgrep ping pkill prettier printf ps psql pytest readlink ' +
    'realpath rg rm rmdir rsync ruff scp sed seq sha256sum shasum shellcheck sleep sort split sqlite3 ssh stat strings tac ' +
    'tail tar tee test timeout touch tr tree tsc uname uniq unzip vitest watch wc wget which xxd yq zip'
  ).split(' '),
);

const COMMAND_WORD = /^[a-z][a-z0-9]*(?:[-:_][a-z0-9]+)*$/;
const MAX_DEPTH = 3;

export function toSubCommand(command: SimpleCommand): readonly string[] {
  const words = toPositionals(command);
  const [first, second] = words;
  if (first === undefined) return [];
  const { program } = command;
  if (RUNNERS.has(program)) return words.slice(0, 1 + countOwn(first, words.slice(1)));
  if (FLAT.has(program)) return [];
  const groups = Object.hasOwn(GROUPS, program) ? GROUPS[program] : undefined;
  if (groups?.includes(first) && second !== undefined && RUNNING.has(first)) {
    return words.slice(0, Math.min(MAX_DEPTH, 2 + countOwn(second, words.slice(2))));
  }
  if (groups !== undefined) return words.slice(0, groups.includes(first) ? 2 : 1);
  const single = Object.hasOwn(TWO_WORDS, program) ? TWO_WORDS[program] : undefined;
  if (single !== undefined) return words.slice(0, single.includes(first) ? 1 : 2);
  return isLeading(command, first) && COMMAND_WORD.test(first) ? [first] : [];
}

/** The sub-command words of a program that another one runs: those of `golangci-lint run`, none of `pytest tests`. */
function countOwn(name: string, rest: readonly string[]): number {
  const [first] = rest;
  const program = toBaseName(name);
  const known = Object.hasOwn(GROUPS, program) || Object.hasOwn(TWO_WORDS, program);
  return first !== undefined && known && COMMAND_WORD.test(first) ? 1 : 0;
}

/** Of a program we do not know, only the very first word can be a sub-command. */
function isLeading(command: SimpleCommand, word: string): boolean {
  const head = command.args[0]?.value ?? '';
  return head === word && !isOption(head);
}

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

const PACKAGE_RUNNERS: Readonly<Record<string, readonly Runner[]>> = {
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

/**
 * The command that a package runner runs: `pytest -q` of `uv run pytest -q`, `tsc` of `npx -y tsc@5`. What only wraps
 * (`sudo`, `env`, `timeout`) the parser has removed; these it keeps, because running a tool through one is often the fix.
 */
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
  for (const runner of Object.hasOwn(PACKAGE_RUNNERS, program) ? (PACKAGE_RUNNERS[program] ?? []) : []) {
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
  return { program: toBaseName(bare), args, text };
}

/** Programs whose first word is a task, or whose second one is behind one of these. */
const TASKS: Readonly<Record<string, readonly string[] | 'direct'>> = {
  npm: ['run', 'run-script', 'rum', 'urn'],
  bun: ['run'],
  deno: ['task'],
  mise: ['run', 'r'],
  hatch: ['run'],
  composer: ['run', 'run-script'],
  turbo: ['run'],
  make: 'direct',
  gmake: 'direct',
  just: 'direct',
  task: 'direct',
  rake: 'direct',
  ant: 'direct',
  poe: 'direct',
  invoke: 'direct',
  inv: 'direct',
};

/** Package managers that run a script without `run`, but for their own commands. */
const OWN_COMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  pnpm: toSet(
    'add audit bin cache config create deploy dlx env exec fetch i import init install link list login ls outdated pack ' +
      'patch prune publish rebuild remove rm root store unlink up update view why',
  ),
  yarn: toSet(
    'add audit bin cache config create dedupe dlx exec global help import info init install link list login logout npm ' +
      'outdated pack patch plugin publish rebuild remove set unlink up upgrade version why workspaces',
  ),
};
/** The scripts that npm knows by themselves. */
const NPM_SHORT = toSet('test t tst start stop restart');

const INTERPRETERS = /^(?:python[\d.]*|node|nodejs|deno|tsx|ts-node|ruby|perl|php|bash|sh|zsh|dash|ksh|Rscript|lua)$/;
const SCRIPT_FILE = /\.(?:py|[cm]?[jt]sx?|rb|pl|php|sh|bash|zsh|R|lua)$/;

/**
 * The script, task or target that a command names, where its name says what is done and the program does not: `build`
 * of `npm run build`, `deploy` of `make deploy`, `seed.py` of `python tools/seed.py` and of `./seed.py`.
 */
export function findScriptName(command: SimpleCommand): string | undefined {
  const { program } = command;
  if (SCRIPT_FILE.test(program)) return program;
  const words = toPositionals(command);
  const [first, second] = words;
  if (first === undefined) return undefined;
  if (INTERPRETERS.test(program)) return SCRIPT_FILE.test(first) ? toBaseName(first) : undefined;
  const tasks = Object.hasOwn(TASKS, program) ? TASKS[program] : undefined;
  if (tasks === 'direct') return words.find((word) => !word.includes('='));
  if (tasks?.includes(first)) return second;
  if (program === 'npm') return NPM_SHORT.has(first) ? first : undefined;
  const own = Object.hasOwn(OWN_COMMANDS, program) ? OWN_COMMANDS[program] : undefined;
  if (own === undefined || own.has(first)) return undefined;
  return first === 'run' ? second : first;
}

function toSet(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
