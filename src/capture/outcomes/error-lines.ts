/**
 * The error lines of programs: what a program prints at the beginning of a line when it fails. Only lines that no
 * successful run prints belong here, because they make a call a failure although its exit code is hidden.
 */
import type { Hints } from '../../base/text/hint-search.ts';

export interface ErrorLine {
  readonly programs: readonly string[];
  /** Leading words that are not options. */
  readonly sub?: readonly string[];
  readonly line: RegExp;
  /** No other program prints this form, so it counts even if other programs of the line print, too. */
  readonly sure?: true;
  /**
   * The line says that something failed, not why: the cause is above it (runners count at the end) or below it (a
   * traceback begins with it).
   */
  readonly cause?: 'above' | 'below';
  /** Also counts if a task runner ran (`mise run lint`), because tasks consist of these tools. */
  readonly inTasks?: true;
}

const GO = ['go'];
const GIT = ['git'];
const GH = ['gh'];
const JS_PACKAGES = ['npm', 'npx', 'pnpm', 'yarn', 'bun'];
const TEST = { sure: true, inTasks: true } as const;
const SUMMARY = { ...TEST, cause: 'above' } as const;
const COMPILERS = ['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'];
const PYTHONS = ['python', 'python3'];

const RUNNERS: readonly ErrorLine[] = [
  { programs: ['mise'], line: /^(?:\[\S+\] ERROR task failed|mise ERROR )/, sure: true },
  { programs: ['make', 'gmake'], line: /^g?make(?:\[\d+\])?: \*\*\* (?!.*\(ignored\)$)/, sure: true, inTasks: true },
  { programs: ['just'], line: /^error: (?:Recipe `|Justfile does not contain|No justfile found)/, sure: true },
  { programs: ['task'], line: /^task: (?:Failed to run|Task "[^"]*" does not exist)/, sure: true },
  { programs: JS_PACKAGES, line: /^npm (?:ERR!|error) (?:Missing script|code E|could not determine)/, sure: true },
  { programs: JS_PACKAGES, line: /^\s?(?:ERR_PNPM_|ELIFECYCLE\b)/, sure: true },
  { programs: JS_PACKAGES, line: /^error (?:Command failed with exit code|Command "[^"]*" not found)/, sure: true },
];

const CHECKS: readonly ErrorLine[] = [
  { programs: GO, line: /^(?:FAIL\t\S+|--- FAIL: \S+ \(\d)/, ...TEST },
  { programs: GO, sub: ['test'], line: /^FAIL$/, ...TEST },
  { programs: GO, line: /^(?:vet: )?(?!\/)[\w./@-]+\.go:\d+:\d+: \S/, inTasks: true },
  { programs: ['golangci-lint', 'staticcheck', 'revive'], line: /^[\w./@-]+\.go:\d+:\d+: \S.* \(\w+\)$/, ...TEST },
  { programs: ['golangci-lint'], line: /^(?:Error: |level=error )/ },
  { programs: ['tsc', 'vue-tsc'], line: /^\S+(?:\(\d+,\d+\)|:\d+:\d+)(?: -|:) error TS\d+:/, ...TEST },
  { programs: ['eslint'], line: /^✖ \d+ problems? \([1-9]\d* errors?/, ...SUMMARY },
  { programs: ['biome'], line: /^Found [1-9]\d* errors?\./, inTasks: true, cause: 'above' },
  {
    programs: ['pytest', ...PYTHONS],
    line: /^=+ (?:.*, )?[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/,
    ...SUMMARY,
  },
  { programs: ['mypy'], line: /^Found [1-9]\d* errors? in \d+ files?/, inTasks: true, cause: 'above' },
  { programs: ['ruff', 'flake8'], line: /^Found [1-9]\d* errors?\b/, inTasks: true, cause: 'above' },
  { programs: ['jest'], line: /^(?:Tests|Test Suites): +[1-9]\d* failed/, ...SUMMARY },
  { programs: ['vitest'], line: /^\s*(?:Tests|Test Files) +[1-9]\d* failed/, ...SUMMARY },
  { programs: ['node'], line: /^(?:ℹ|#) fail [1-9]\d*$/, ...SUMMARY },
  { programs: ['bun'], line: /^ ?[1-9]\d* fail$/, ...SUMMARY },
  {
    programs: ['cargo', 'rustc'],
    line: /^(?:error\[E\d+\]: |error: (?:could not compile|no such command|unexpected argument))/,
    ...TEST,
  },
  { programs: ['cargo'], line: /^test result: FAILED\./, ...SUMMARY },
  { programs: COMPILERS, line: /^[\w./+-]+:\d+:\d+: (?:fatal )?error: \S/, ...TEST },
  { programs: COMPILERS, line: /^(?:collect2|clang|clang\+\+|gcc|g\+\+|cc1\w*): (?:fatal )?error: \S/, ...TEST },
  { programs: ['javac'], line: /^[\w./+-]+\.java:\d+: error: \S/, ...TEST },
  { programs: ['dotnet'], line: /^\S+\(\d+,\d+\): error (?:CS|FS|NU|MSB)\d+: /, ...TEST },
  {
    programs: ['gradle', 'gradlew', 'mvn', 'mvnw'],
    line: /^(?:BUILD FAILED|\[INFO\] BUILD FAILURE|FAILURE: Build failed)/,
    ...TEST,
  },
];

const TOOLS: readonly ErrorLine[] = [
  { programs: GIT, line: /^fatal: \S/ },
  {
    programs: GIT,
    line: /^error: (?:pathspec|unknown (?:option|switch|subcommand)|branch '|failed to push|src refspec|could not apply|[Yy]our local changes|[Ee]ntry|cannot |The following untracked)/,
  },
  { programs: GIT, line: /^(?:git: '[^']+' is not a git command|Automatic merge failed; fix conflicts)/ },
  {
    programs: GH,
    line: /^(?:unknown (?:shorthand )?flag|unknown command|Unknown JSON field|accepts (?:at most )?\d+ arg|invalid argument)/,
  },
  { programs: GH, line: /^gh: .+\(HTTP [45]\d\d\)$/, sure: true },
  {
    programs: GH,
    line: /^(?:HTTP [45]\d\d: |GraphQL: |failed to |could not |no pull requests found|none of the git remotes)/,
  },
  {
    programs: GO,
    line: /^go: (?:cannot find|updates to go\.mod|unknown |go\.mod file not found|errors? |no such|module \S+: |.*: (?:no matching versions|invalid version))/,
  },
  {
    programs: GO,
    line: /^(?:no required module provides package|package \S+ is not in std|pattern \S+: |no Go files in|flag provided but not defined)/,
  },
  { programs: GO, sub: ['run'], line: /^exit status [1-9]\d*$/ },
  // Node prints it behind an error that nothing caught, as it ends.
  { programs: ['node', 'tsx', 'ts-node', 'npx'], line: /^Node\.js v\d+\.\d+\.\d+$/, ...SUMMARY },
  { programs: [...PYTHONS, 'uv', 'pytest'], line: /^Traceback \(most recent call last\):$/, cause: 'below' },
  {
    programs: ['pip', 'pip3', 'uv', ...PYTHONS],
    line: /^ERROR: (?:No matching distribution found|Could not (?:find a version|install packages|open requirements)|Invalid requirement|Failed building wheel|Cannot install)/,
    sure: true,
  },
  {
    programs: ['java'],
    line: /^(?:Exception in thread "[^"]*" |Error: (?:Could not find or load main class|Unable to access jarfile) )/,
    sure: true,
    inTasks: true,
  },
  { programs: ['php', 'composer'], line: /^(?:PHP )?(?:Fatal|Parse) error: {1,2}\S/, sure: true },
  { programs: ['ruby', 'bundle', 'rake'], line: /^[\w./-]+\.rb:\d+:in .*\(\w*(?:Error|Exception)\)$/, sure: true },
  { programs: ['apt', 'apt-get', 'aptitude'], line: /^E: [A-Z]\S/, sure: true },
  {
    programs: PYTHONS,
    line: /^\S*python[\d.]*: (?:can't open file|No module named|Error while finding module)/,
  },
  { programs: ['cargo', 'rustup'], line: /^error: \S/ },
  {
    programs: ['docker', 'podman'],
    line: /^(?:Error response from daemon:|docker: Error|Cannot connect to the Docker daemon|unknown (?:shorthand )?flag:)/,
  },
  { programs: ['kubectl', 'helm'], line: /^(?:error: |Error from server|Error: (?:unknown|INSTALLATION))/ },
  { programs: ['terraform', 'tofu'], line: /^(?:[│╷] )?Error: \S/ },
  { programs: ['aws'], line: /^(?:aws: error: |An error occurred \(\w+\) when calling)/ },
  { programs: ['curl'], line: /^curl: (?:\(\d+\) \S|option )/ },
  { programs: ['jq'], line: /^(?:jq: (?:error|\d+ compile error)|parse error: )/ },
  { programs: ['psql'], line: /^(?:psql: error: |ERROR: {2})/ },
  { programs: ['sqlite3'], line: /^(?:Parse error|Error: (?:in prepare|near|no such|unable))/ },
  {
    programs: ['ssh', 'scp', 'rsync'],
    line: /^(?:ssh: (?:Could not|connect to)|Host key verification failed|rsync error: )/,
  },
];

export const ERROR_LINES: readonly ErrorLine[] = [...RUNNERS, ...CHECKS, ...TOOLS];

/** `ls: cannot access 'x': No such file or directory`: programs that begin the line with their own name. */
export const NAMED_LINE = /^(?:\S*\/)?([\w.+-]+): (?=.)/;
export const NAMED_ERROR =
  /: No such file or directory$|: Not a directory$|: File exists$|: cannot (?:access|stat|open|create|remove|overwrite)|: (?:invalid|illegal|unrecogni[sz]ed|unknown|bad) (?:option|argument|command|regular)|: option requires an argument|: missing (?:file )?operand|: error: (?:unrecognized arguments|unknown|no such)|: Operation not permitted$|: unknown (?:flag|command)/;

/** Programs that use the option parsers cobra and clap: the word in the message must occur in the command. */
export const ANY_PROGRAM_LINE =
  /^(?:Error: |error: )?(?:unknown (?:shorthand )?flag: |unknown command "|unexpected argument '|flag provided but not defined: |unrecognized (?:option|arguments|subcommand))/;

/**
 * Every line in these tables contains at least one of these words, so outputs without them are not searched. A test
 * makes lines from the tables and finds missing words.
 */
export const ERROR_HINTS: Hints = {
  exact: ['E: '],
  anyCase: [
    'error|fatal|fail|traceback|exception|not found|no such|no match|denied|invalid|illegal|unrecogni|unknown|unexpected',
    "missing |cannot|could not|can't open|bad |***|npm err!|err_pnpm_|elifecycle|exit status|node.js v|problem|.go:",
    'exists|not permitted|accepts |http 4|http 5|graphql: |no pull requests|none of the git|not a git|flag provided',
    'no required module|is not in std|pattern |no go files|updates to go.mod|go: module|no module|recipe `|justfile',
    'does not exist|argument|operand|not a directory|unbound|read-only|not set|ambiguous|curl: (|curl: option|ssh: connect',
  ].flatMap((line) => line.split('|')),
};

/** Errors of the shell itself: `(eval):1: no matches found: *.x`, `bash: line 1: foo: command not found`. */
export const SHELL_LINE =
  /^(?:\(eval\)|(?:\/[\w./-]+\/)?(?:ba|z|da|k)?sh):(?:[\w-]+:)?(?: ?line)? ?(?:\d+: )? ?(?=.*(?:command not found|no matches found|no such file or directory|: not found$|permission denied|bad (?:option|substitution|pattern)|read-only variable|unbound variable|parameter not set|ambiguous redirect))/i;
