/**
 * The leading words that say what a program is asked to do: `pr diff` of `gh pr diff 12`, nothing of `grep foo src`.
 * For programs that run another (`npx`, `mise exec`, `go run`), the other one's name and its own sub-command belong
 * to it: an option there is the other one's.
 */
import { isOption, toPositionals } from './program-words.ts';
import type { SimpleCommand } from './simple-command.ts';

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
  const program = name.slice(name.lastIndexOf('/') + 1);
  const known = Object.hasOwn(GROUPS, program) || Object.hasOwn(TWO_WORDS, program);
  return first !== undefined && known && COMMAND_WORD.test(first) ? 1 : 0;
}

/** Of a program we do not know, only the very first word can be a sub-command. */
function isLeading(command: SimpleCommand, word: string): boolean {
  const head = command.args[0]?.value ?? '';
  return head === word && !isOption(head);
}
