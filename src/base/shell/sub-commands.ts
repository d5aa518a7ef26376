/**
 * Finds the sub-command, the inner command and the script that a command names: `pr diff` of `gh pr diff 12`, `pytest`
 * of `uv run pytest`, `build` of `npm run build`. The sub-command of a program that runs another one (`npx`, `mise
 * exec`, `go run`) includes the inner program and its sub-command, because options there belong to the inner program.
 * The parser keeps package runners, unlike `sudo` or `env`, because running a tool through one is often the fix.
 */

import { toBaseName } from '../text/paths.ts';
import { findFacts, isKnownAs } from './programs/all-facts.ts';
import { isListed } from './programs/find-program.ts';
import type { RunnerForm } from './programs/vocabulary.ts';
import { type Argument, isOption, type SimpleCommand, toPositionals } from './simple-command.ts';

/** Words of runners that precede the inner program. */
const RUNNING = new Set(['exec', 'x', 'run', 'dlx']);

const COMMAND_WORD = /^[a-z][a-z0-9]*(?:[-:_][a-z0-9]+)*$/;
const MAX_DEPTH = 3;

export function toSubCommand(command: SimpleCommand): readonly string[] {
  const words = toPositionals(command);
  const [first, second] = words;
  if (first === undefined) return [];
  const { is, groups, single } = findFacts(command.program) ?? {};
  if (isNamingFirst(command.program)) return words.slice(0, 1 + countOwn(first, words.slice(1)));
  if (isListed('flat', is)) return [];
  const isGroup = isListed(first, groups);
  if (isGroup && second !== undefined && RUNNING.has(first)) {
    return words.slice(0, Math.min(MAX_DEPTH, 2 + countOwn(second, words.slice(2))));
  }
  if (groups !== undefined) return words.slice(0, isGroup ? 2 : 1);
  if (single !== undefined) return words.slice(0, isListed(first, single) ? 1 : 2);
  return isLeading(command, first) && COMMAND_WORD.test(first) ? [first] : [];
}

/** For interpreters and pure runners, the first word is the inner program. */
function isNamingFirst(program: string): boolean {
  const { runs = [] } = findFacts(program) ?? {};
  return isInterpreter(program) || runs.some(({ words }) => words === undefined);
}

/** Does the program only run scripts? `deno` has commands of its own. */
export function isInterpreter(program: string): boolean {
  return isKnownAs(program, 'interpreter', 'shell') && findFacts(program)?.groups === undefined;
}

/** The number of sub-command words of an inner program: one for `golangci-lint run`, none for `pytest tests`. */
function countOwn(name: string, rest: readonly string[]): number {
  const [first] = rest;
  const { groups, single } = findFacts(toBaseName(name)) ?? {};
  const isKnown = groups !== undefined || single !== undefined;
  return first !== undefined && isKnown && COMMAND_WORD.test(first) ? 1 : 0;
}

/** For an unknown program only the very first word can be a sub-command. */
function isLeading(command: SimpleCommand, word: string): boolean {
  const head = command.args[0]?.value ?? '';
  return head === word && !isOption(head);
}

const MAX_RUNNERS = 4;
const PYTHON = /^python[\d.]*$/;

/**
 * The command that a package runner runs: `pytest -q` of `uv run pytest -q`, `tsc` of `npx -y tsc@5`. The parser has
 * already removed wrappers (`sudo`, `env`, `timeout`).
 */
export function unwrapRunner(command: SimpleCommand): SimpleCommand {
  let inner = command;
  for (let i = 0; i < MAX_RUNNERS; i++) {
    const next = findInner(inner);
    if (next === undefined) return inner;
    inner = next;
  }
  return inner;
}

function findInner({ program, args, text }: SimpleCommand): SimpleCommand | undefined {
  // `python -m pytest` is `pytest`; words before `-m` are options of the interpreter.
  const module = PYTHON.test(program) ? args.findIndex(({ value }) => !isOption(value) || value === '-m') : -1;
  if (module >= 0 && args[module]?.value === '-m') return toCommand(args.slice(module + 1), text);
  for (const form of findFacts(program)?.runs ?? []) {
    const rest = findRest(args, form);
    if (rest !== undefined) return form.isPlace ? { program, args: rest, text } : toCommand(rest, text);
  }
  return findFacts(program) === undefined ? toCommand(findBehindDashes(args), text) : undefined;
}

/** Programs that the catalogue lacks run others in the same form: `mytool exec --with x -- node app.js`. */
function findBehindDashes(args: readonly Argument[]): readonly Argument[] {
  const dashes = args.findIndex(({ value }) => value === '--');
  const own = args.slice(0, Math.max(dashes, 0));
  const [first, ...more] = own.filter(({ value }) => !isOption(value));
  return first?.value === 'exec' || (first?.value === 'run' && more.length === 0) ? args.slice(dashes + 1) : [];
}

function findRest(args: readonly Argument[], { words, valued, own = 0 }: RunnerForm): readonly Argument[] | undefined {
  const start = words === undefined ? 0 : args.findIndex(({ value }) => !isOption(value));
  if (words !== undefined && !isListed(args[start]?.value ?? '', words)) return undefined;
  let left = own;
  for (let at = words === undefined ? 0 : start + 1; at < args.length; at++) {
    const word = args[at]?.value ?? '';
    if (word === '--') return args.slice(at + 1);
    if (word === '-m') continue;
    if (isListed(word, valued)) at++;
    else if (isOption(word) || /^[A-Za-z_]\w*=/.test(word)) continue;
    else if (left > 0) left--;
    else return args.slice(at);
  }
  return undefined;
}

/** Without the version of a package: `tsc@5`, `@scope/cli@latest`. */
function toCommand([name, ...args]: readonly Argument[], text: string): SimpleCommand | undefined {
  if (name === undefined || name.value === '') return undefined;
  const bare = name.value.replace(/(.)@[^/@]*$/, '$1');
  return { program: toBaseName(bare), args, text };
}

const SCRIPT_FILE = /\.(?:py|[cm]?[jt]sx?|rb|pl|php|sh|bash|zsh|R|lua)$/;

/**
 * The script, task or target that a command names, where the name shows the intent and the program does not: `build` of
 * `npm run build`, `deploy` of `make deploy`, `seed.py` of `python tools/seed.py` and of `./seed.py`.
 */
export function findScriptName(command: SimpleCommand): string | undefined {
  const { program } = command;
  if (SCRIPT_FILE.test(program)) return program;
  const words = toPositionals(command);
  const [first, second] = words;
  if (first === undefined) return undefined;
  if (isKnownAs(program, 'interpreter', 'shell') && SCRIPT_FILE.test(first)) return toBaseName(first);
  const { tasks, scripts, own } = findFacts(program) ?? {};
  if (tasks === 'direct') return words.find((word) => !word.includes('='));
  if (isListed(first, tasks)) return second;
  if (isListed(first, scripts)) return first;
  if (own === undefined || isListed(first, own)) return undefined;
  return first === 'run' ? second : first;
}
