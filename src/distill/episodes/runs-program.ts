/** Other ways to run a program that is not on the PATH: through a runner, by its path, or by another name. */

import { hasHalfOf } from '../../base/shell/command-words.ts';
import { findCheck } from '../../base/shell/intent.ts';
import { hasTrait, isKnownAs } from '../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption, toPositionals } from '../../base/shell/simple-command.ts';
import { toBaseName } from '../../base/text/paths.ts';

/** Words of a runner behind which the program stands. */
const RUNNING = new Set(['exec', 'x', 'run', 'dlx', '-m', 'tool', 'shell', 'develop', '-c']);
const INSTALLING = new Set(['install', 'add', 'i', 'upgrade', 'use', 'update', 'search', 'info', 'show', 'list', 'ls']);

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
  if (command.program === '' || isOnlyLooking(command) || given.has(missing.program)) return false;
  // Tests do not do what a linter does, even on the same files.
  if (findCheck(command) !== findCheck(missing)) return false;
  const words = missing.args.map(({ value }) => value).filter((word) => word !== '--');
  const operands = words.filter((word) => !isOption(word) && word.length > 1);
  return (
    operands.every((word) => given.has(word)) &&
    operands.some((word) => word.length > 2 && /\w/.test(word)) &&
    hasHalfOf(words, command)
  );
}

/** Looking at a file or at the machine is not doing what the missing program would have done; `sed` can do it. */
function isOnlyLooking({ program }: SimpleCommand): boolean {
  const isViewer = isKnownAs(program, 'views', 'lists') && !isKnownAs(program, 'scripted');
  return isViewer || isKnownAs(program, 'prepares', 'succeeds', 'locates', 'decides');
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
  const isDirect = isKnownAs(command.program, 'direct') && first === words[at];
  return isDirect ||
    (hasTrait(command, 'runner', 'hands-on', 'interpreter', 'elsewhere') && before.some((word) => RUNNING.has(word)))
    ? at
    : undefined;
}

/** `./node_modules/.bin/tsc` and `golang.org/x/tools/cmd/goimports@latest` by their last name. */
function toPackageName(word: string): string {
  return toBaseName(word.replace(/@[\w.-]+$/, ''));
}
