/** Other ways to run a program that is not on the PATH: through a runner, by its path, or by another name. */

import { keepsHalf } from '../../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption, toPositionals } from '../../../base/shell/simple-command.ts';
import { toBaseName } from '../../../base/text/paths.ts';

/** They take the program as their first word. */
const DIRECT = new Set(['npx', 'bunx', 'uvx', 'uv', 'pnpx', 'pnpm', 'yarn', 'bun', 'corepack']);
/** They take it after a word that says so. */
const THROUGH = new Set(
  (
    'npm pnpm yarn bun mise uv poetry pdm hatch rye pipx bundle asdf volta rbenv pyenv nix devbox pixi conda mamba go ' +
    'python python3 py dotnet direnv rustup docker podman'
  ).split(' '),
);
const RUNNING = new Set(['exec', 'x', 'run', 'dlx', '-m', 'tool', 'shell', 'develop', '-c']);
const INSTALLING = new Set(['install', 'add', 'i', 'upgrade', 'use', 'update', 'search', 'info', 'show', 'list', 'ls']);
/** Looking at a file or at the machine is not doing what the missing program would have done. */
const LOOKING = new Set(
  'which whereis type command man hash echo printf ls pwd cd cat head tail less stat file test true export source'.split(
    ' ',
  ),
);

/** `npx tsc`, `mise exec -- tsc`, `./node_modules/.bin/tsc`: all run `tsc`. */
export function runsProgram(command: SimpleCommand, name: string): boolean {
  return findProgramWord(command, name) !== undefined;
}

/** The failed command, run in the way of the working one: `mise exec -- go test` from `mise exec -- go version`. */
export function toSameRun(working: SimpleCommand, failed: SimpleCommand): SimpleCommand {
  const at = findProgramWord(working, failed.program);
  return at === undefined ? working : { ...working, args: [...working.args.slice(0, at + 1), ...failed.args] };
}

/** Another program with the same words: `python3 x.py` for `python x.py`, `grep -rn foo src` for `rg foo src`. */
export function isStandIn(command: SimpleCommand, missing: SimpleCommand): boolean {
  const given = new Set(command.args.map(({ value }) => value));
  if (command.program === '' || LOOKING.has(command.program) || given.has(missing.program)) return false;
  const words = missing.args.map(({ value }) => value).filter((word) => word !== '--');
  const operands = words.filter((word) => !isOption(word) && word.length > 1);
  return (
    operands.every((word) => given.has(word)) && operands.some((word) => word.length > 2) && keepsHalf(words, command)
  );
}

/** Index of the argument that names the program; -1 when the command is the program itself. */
function findProgramWord(command: SimpleCommand, name: string): number | undefined {
  if (command.program === name) return -1;
  const words = command.args.map(({ value }) => value);
  const [first] = toPositionals(command);
  // `docker compose` for `docker-compose`.
  if (first !== undefined && name === `${command.program}-${first}`) return words.indexOf(first);
  const at = words.findIndex((word) => toPackageName(word) === name);
  const before = words.slice(0, Math.max(at, 0));
  if (at < 0 || before.some((word) => INSTALLING.has(word))) return undefined;
  const isDirect = DIRECT.has(command.program) && first === words[at];
  return isDirect || (THROUGH.has(command.program) && before.some((word) => RUNNING.has(word))) ? at : undefined;
}

/** `./node_modules/.bin/tsc` and `golang.org/x/tools/cmd/goimports@latest` by their last name. */
function toPackageName(word: string): string {
  return toBaseName(word.replace(/@[\w.-]+$/, ''));
}
