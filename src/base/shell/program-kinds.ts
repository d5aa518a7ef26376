/**
 * Sorts commands by kind: preparing the shell, looking, asking for help, or checking code (test, lint, types, build).
 * Most lines prepare, do one thing and look at something, so the kind shows which command a line is about. A failing
 * check is work in progress, and a passing check of the same kind settles it.
 */

import { findFacts, hasTrait, isKnownAs } from './programs/all-facts.ts';
import { isListed } from './programs/find-program.ts';
import type { CheckKind } from './programs/vocabulary.ts';
import { type SimpleCommand, toPositionals } from './simple-command.ts';

export function isPreparing({ program }: SimpleCommand): boolean {
  return isKnownAs(program, 'prepares');
}

export function isLooking(command: SimpleCommand): boolean {
  return hasTrait(command, 'looks');
}

const ASKING = new Set(['--help', '-help', '--version']);

/** Commands that only ask how to do something: they lead to a fix but are not the fix. */
export function isProbe(command: SimpleCommand): boolean {
  const words = command.args.map(({ value }) => value);
  if (words.some((word) => ASKING.has(word))) return true;
  if (words.includes('-h') && !isKnownAs(command.program, 'own-h')) return true;
  return toPositionals(command)[0] === 'help';
}

/** Commands that change or find out something, rather than prepare, look or ask for help. */
export function isDoing(command: SimpleCommand): boolean {
  return command.program !== '' && !isPreparing(command) && !isLooking(command) && !isProbe(command);
}

const CHECK_KINDS: readonly CheckKind[] = ['test', 'lint', 'types', 'build'];

/** By the first part of a script's or target's name: `test:unit` is a test, `deploy-test` is not. */
const SCRIPTS: Readonly<Record<CheckKind, string>> = {
  test: 'test tests t spec specs unit e2e integration coverage',
  lint: 'lint linter format fmt style',
  types: 'types typecheck typescript',
  build: 'build compile bundle',
};
const WHOLE_NAMES: Readonly<Partial<Record<CheckKind, string>>> = {
  types: 'type-check check-types check:types type:check',
  test: 'run-tests run_tests runtests',
};

/** `command`: the inner command of a runner, see `sub-commands.ts`. `script`: the script or task that it names. */
export function findCheckKind(command: SimpleCommand, script: string | undefined): CheckKind | undefined {
  const words = toPositionals(command);
  const hasOption = (option: string): boolean => command.args.some(({ value }) => value === option);
  if (command.program === 'node' && hasOption('--test')) return 'test';
  // It finds blanks at the end of lines, and marks of conflicts.
  if (command.program === 'git' && words[0] === 'diff' && hasOption('--check')) return 'lint';
  // `python manage.py test`
  if (script !== undefined) return findByName(script) ?? (words.includes('test') ? 'test' : undefined);
  const { is, subs } = findFacts(command.program) ?? {};
  // The strongest kind of `mvn clean test package`, because a build that runs tests is run for the tests.
  return CHECK_KINDS.find((kind) => isListed(kind, is) || words.some((word) => isListed(toGoal(word), subs?.[kind])));
}

/** Gradle's `:app:test` is `test`. */
function toGoal(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1);
}

function findByName(name: string): CheckKind | undefined {
  const bare = name.replace(/\.\w+$/, '').toLowerCase();
  const [first = ''] = bare.split(/[:._-]/);
  return (
    CHECK_KINDS.find((kind) => isListed(bare, WHOLE_NAMES[kind]) || isKnownAs(bare, kind)) ??
    CHECK_KINDS.find((kind) => isListed(first, SCRIPTS[kind]) || (isUnmistakable(first) && isKnownAs(first, kind)))
  );
}

/** `jest-ci` is named after the program, `standard-version` is not. */
function isUnmistakable(name: string): boolean {
  return isKnownAs(name, 'unmistakable', 'leading');
}
