/**
 * Sorts commands by kind: preparing the shell, looking, asking for help, or checking code (test, lint, types, build).
 * Most lines prepare, do one thing, and look at something, so the kind tells which command a line is about. A failing
 * check is work in progress, and a passing check of the same kind settles it.
 */

import { type SimpleCommand, toPositionals } from './simple-command.ts';

const PREPARING = toSet('cd pushd popd export set source . unset umask ulimit true : sleep echo printf exit wait trap');

const LOOKING = toSet(
  'ls cat bat head tail less more grep egrep fgrep rg ag ack find fd tree stat file wc sort uniq cut tr sed awk jq yq nl ' +
    'column tee xxd od strings diff cmp comm pwd which type test [ date du df ps env printenv basename dirname realpath',
);
const LOOKING_SUB: Readonly<Record<string, ReadonlySet<string>>> = {
  git: toSet('status log diff show branch blame grep rev-parse ls-files remote config describe reflog cat-file'),
};

/** Prepares the shell, or says something. */
export function isPreparing({ program }: SimpleCommand): boolean {
  return PREPARING.has(program);
}

/** Shows how things are, or shortens what another command prints. */
export function isLooking(command: SimpleCommand): boolean {
  const subs = Object.hasOwn(LOOKING_SUB, command.program) ? LOOKING_SUB[command.program] : undefined;
  return LOOKING.has(command.program) || (subs?.has(toPositionals(command)[0] ?? '') ?? false);
}

function toSet(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

const ASKING = new Set(['--help', '-help', '--version']);
/** Here `-h` means human-readable, a host, or no file names. */
const OTHER_H = new Set(['du', 'df', 'ls', 'free', 'sort', 'psql', 'mysql', 'redis-cli', 'pg_dump', 'grep', 'rg']);

/** Commands that only ask how to do something: they lead to a fix, they are not the fix. */
export function isProbe(command: SimpleCommand): boolean {
  const words = command.args.map(({ value }) => value);
  if (words.some((word) => ASKING.has(word))) return true;
  if (words.includes('-h') && !OTHER_H.has(command.program)) return true;
  return toPositionals(command)[0] === 'help';
}

/** Commands that change something or find something out: they do not only prepare, look, or ask for help. */
export function isDoing(command: SimpleCommand): boolean {
  return command.program !== '' && !isPreparing(command) && !isLooking(command) && !isProbe(command);
}

/**
 * What kind of check a command is: a test, a linter, a type checker, a build. They judge the code, so a red one is work
 * in progress, and a green one of the same kind settles it, whoever runs it and however much of the project it looks at.
 */
export type CheckKind = 'test' | 'lint' | 'types' | 'build';

const toRows = (kind: CheckKind, names: string): [string, CheckKind][] => names.split(' ').map((name) => [name, kind]);

/** Programs that do nothing else. */
const PROGRAMS: ReadonlyMap<string, CheckKind> = new Map([
  ...toRows(
    'test',
    'pytest py.test unittest nose2 tox nox jest vitest mocha ava tap jasmine karma cypress playwright c8 nyc rspec ' +
      'phpunit pest ctest gotestsum bats behave cucumber wtr cargo-nextest',
  ),
  ...toRows(
    'lint',
    'eslint biome prettier oxlint stylelint xo standard ruff flake8 pylint black isort bandit golangci-lint staticcheck ' +
      'revive gofmt goimports shellcheck shfmt rubocop hadolint yamllint markdownlint actionlint ktlint swiftlint ' +
      'clang-tidy clang-format rustfmt pre-commit commitlint knip dprint phpcs phpstan sqlfluff tflint ansible-lint',
  ),
  ...toRows('types', 'tsc vue-tsc svelte-check tsgo mypy pyright basedpyright pyre ty flow srb'),
  ...toRows('build', 'make gmake webpack rollup esbuild tsup parcel ninja cmake javac'),
]);

/** Sub-commands of programs that do other things, too. */
const SUB_COMMANDS: Readonly<Record<string, Readonly<Partial<Record<CheckKind, readonly string[]>>>>> = {
  go: { test: ['test'], lint: ['vet', 'fmt'], build: ['build', 'install'] },
  cargo: { test: ['test', 'nextest'], lint: ['clippy', 'fmt'], types: ['check'], build: ['build'] },
  dotnet: { test: ['test'], lint: ['format'], build: ['build', 'publish'] },
  mvn: { test: ['test', 'verify'], build: ['compile', 'package', 'install'] },
  gradle: { test: ['test', 'check'], build: ['build', 'assemble'] },
  mix: { test: ['test'], lint: ['credo', 'format'], types: ['dialyzer'], build: ['compile'] },
  swift: { test: ['test'], build: ['build'] },
  bazel: { test: ['test'], build: ['build'] },
  sbt: { test: ['test'], build: ['compile'] },
  zig: { test: ['test'], build: ['build'] },
  flutter: { test: ['test'], lint: ['analyze'], build: ['build'] },
  dart: { test: ['test'], lint: ['analyze', 'format'] },
  deno: { test: ['test'], lint: ['lint', 'fmt'], types: ['check'] },
  bun: { test: ['test'], build: ['build'] },
  rails: { test: ['test'] },
  xcodebuild: { test: ['test'], build: ['build'] },
  vite: { build: ['build'] },
  next: { lint: ['lint'], build: ['build'] },
  ng: { test: ['test'], lint: ['lint'], build: ['build'] },
};
const SAME: Readonly<Record<string, string>> = { mvnw: 'mvn', gradlew: 'gradle', bazelisk: 'bazel' };

/** By the first part of a script's or target's name: `test:unit` is a test, `deploy-test` is none. */
const SCRIPTS: ReadonlyMap<string, CheckKind> = new Map([
  ...toRows('test', 'test tests t spec specs unit e2e integration coverage pytest jest vitest'),
  ...toRows('lint', 'lint linter format fmt style eslint prettier ruff'),
  ...toRows('types', 'types typecheck typescript tsc mypy'),
  ...toRows('build', 'build compile bundle'),
]);
const WHOLE_NAMES: ReadonlyMap<string, CheckKind> = new Map([
  ...toRows('types', 'type-check check-types check:types type:check'),
  ...toRows('test', 'run-tests run_tests runtests'),
]);

/** `command`: what a runner runs, see `sub-commands.ts`. `script`: the script, task or target that it names. */
export function findCheckKind(command: SimpleCommand, script: string | undefined): CheckKind | undefined {
  const program = SAME[command.program] ?? command.program;
  const words = toPositionals(command);
  if (program === 'node' && command.args.some(({ value }) => value === '--test')) return 'test';
  // `python manage.py test`
  if (script !== undefined) return findByName(script) ?? (words.includes('test') ? 'test' : undefined);
  const known = PROGRAMS.get(program);
  if (known !== undefined) return known;
  const kinds = Object.hasOwn(SUB_COMMANDS, program) ? SUB_COMMANDS[program] : undefined;
  // The strongest of `mvn clean test package`: whoever asks a build to test wants the test.
  const found = Object.entries(kinds ?? {}).find(([, subs]) => words.some((word) => subs.includes(toGoal(word))));
  return found?.[0] as CheckKind | undefined;
}

/** `:app:test` of gradle is `test`. */
function toGoal(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1);
}

function findByName(name: string): CheckKind | undefined {
  const bare = name.replace(/\.\w+$/, '').toLowerCase();
  const [first = ''] = bare.split(/[:._-]/);
  return WHOLE_NAMES.get(bare) ?? PROGRAMS.get(bare) ?? SCRIPTS.get(first);
}
