/**
 * The types and words of the catalogue of programs. `rows.ts` has the rows; `find-program.ts` and `all-facts.ts` query
 * them. Every fact about a program is in its one row.
 */

/** Traits of programs and sub-commands that the hook uses, with their meaning. */
export const HOOK_TRAITS = {
  shell: 'runs shell scripts, and what it reads as one',
  'power-shell': 'runs PowerShell scripts, and what it reads as one',
  interpreter: 'runs a script file of its language, and what it reads as one',
  console: 'runs statements that it reads, unless an option gives it one',
  elsewhere: 'runs a command on another machine or in a container',
  runner: 'runs, by name, what the project or a package defines',
  'hands-on': 'is no runner, but hands the words behind `--` on to a script or a test, too',
  moves: 'changes the folder in which the rest of the line runs',
  prints: 'prints the words that it is given',
  searches: 'takes a pattern to search for as its first word',
  messages: 'takes a message behind `-m`',
  hub: 'is a client of a code host, with options for titles and bodies',
  shows: 'prints texts that it did not write, such as files and logs: any error line may be among them',
  quiet: 'prints nothing but names, numbers and the words that it is given',
  succeeds: 'does not fail in practice; where `cd` fails, the shell says so',
} as const;
export type HookTrait = keyof typeof HOOK_TRAITS;

/** All other traits. The build leaves them out of the hook's bundle. */
export const OTHER_TRAITS = {
  test: 'checks code by tests',
  lint: 'checks code for its style',
  types: 'checks the types of code',
  build: 'checks code by building it',
  prepares: 'prepares the shell, or prints something: a line is about another command',
  looks: 'shows how things are, or shortens what another command prints',
  acts: 'looks, but can be told to write a file or to run a program',
  reads: 'cannot be told to write or to run anything (sub-commands only)',
  views: 'shows the text of a file; these names, in this order, are part of stored triggers',
  lists: 'shows what a file or a folder is; these names, in this order, are part of stored triggers',
  finds: 'finds files by their names',
  filters: 'prints what it reads, whole or in part',
  scripted: 'takes a script in a language of its own as its first word',
  locates: 'takes names of programs as its words',
  decides: 'answers a question by its exit code',
  removes: 'takes files away from their path',
  varies: 'is given other files or other things at every call',
  pages: 'shows long output in a pager, which waits for a key',
  basic: 'is on every machine (POSIX): if the shell does not find it, its PATH was lost',
  flat: 'takes operands, never sub-commands',
  'own-h': 'asks for no help with `-h`: it means human-readable, a host, or no file names',
  decorates: 'can be left out: the line does the same without it',
  direct: 'can take a program of a package as its first word',
  'node-packages': 'is one of the package managers that can stand in for each other',
  starts: 'starts other programs by options, which is what it is for',
  http: 'sends HTTP requests to the address that it is given',
  reaches: 'takes hosts as its words, with or without a port and a path',
  registry: 'takes words that may begin with the host of a registry or a repository',
  copies: 'copies files to `host:path`',
  sends: 'puts what it is given where others can fetch it',
  unmistakable: 'has a name that is no word of an English sentence',
  leading: 'begins a command where it begins a sentence, although its name may be an English word',
} as const;
export type Trait = HookTrait | keyof typeof OTHER_TRAITS;

/**
 * The kind of check that a command runs. Checks judge the code, so a failing one is work in progress, and a passing one
 * of the same kind settles it, however it is run and however much of the project it covers.
 */
export type CheckKind = Extract<Trait, 'test' | 'lint' | 'types' | 'build'>;

/** A program that only runs another one. Options are listed without their dashes, short and long ones. */
export interface Wrapper {
  /** Options that take a value. */
  readonly valued?: string;
  /** Options whose value is a command line. */
  readonly script?: string;
  /** Options with which it asks about a program and runs none. */
  readonly asking?: string;
  /** The number of its own words before the inner command (`timeout 5 cmd`). */
  readonly own?: number;
  /** It joins its words to a command line. */
  readonly joins?: true;
  /** Variables may stand before the inner command. */
  readonly variables?: true;
}

/** How a runner names the command that it runs. */
export interface RunnerForm {
  /** Leading words that make it a runner; without them it is always one. */
  readonly words?: string;
  /** Its own options that take the next word as value. */
  readonly valued?: string;
  /** The number of its own words before the inner command. */
  readonly own?: number;
  /** It only says where to run; the next word belongs to the same program again. */
  readonly isPlace?: true;
}

/** The facts about a program. Lists are words separated by blanks. */
export interface ProgramFacts {
  readonly is?: string;
  /** Traits of sub-commands, by their first word. */
  readonly subs?: Readonly<Partial<Record<Trait, string>>>;
  /** Options that take a value, wherever they stand: `kubectl -n shop get po` is still `kubectl get po`. */
  readonly valued?: string;
  /** Options that take a value only before the first word; after it the same letters mean something else. */
  readonly near?: string;
  /** First words after which the options of `near` still take a value. */
  readonly behind?: string;
  /** Words that are settings, not operands: `NAME=value` and numbers, or `+name`. */
  readonly settings?: 'assignments' | 'toolchain';
  readonly wraps?: Wrapper;
  /**
   * Exit codes that are an answer, not an error: leading words, options of which one must be present, codes (default
   * 1), `results` (only with output besides the program's own complaints), `noise` (only if all complaints are about
   * skipped files). An empty text: code 1, always.
   */
  readonly exits?: readonly string[];
  /** Commands of two words; every other command of this program has one word. */
  readonly groups?: string;
  /** Commands of one word; every other command of this program has two words. */
  readonly single?: string;
  readonly runs?: readonly RunnerForm[];
  /** Words that precede a task; `direct`: the first word is a task. */
  readonly tasks?: string;
  /** Its own commands, if every other first word is a script of the project. */
  readonly own?: string;
  /** Scripts that it runs without `run`. */
  readonly scripts?: string;
  /** Options with two names, in pairs, by sub-command; those under the empty name apply to all. */
  readonly twins?: Readonly<Record<string, string>>;
  /** Words that make it print a secret, all of them in this order; an empty text: it always does. */
  readonly secrets?: readonly string[];
}

/** Facts that the hook uses. The build leaves all others out of the hook's bundle. */
export const HOOK_FACTS = ['is', 'subs', 'valued', 'near', 'behind', 'settings', 'wraps', 'exits'] as const;
export type HookFacts = Pick<ProgramFacts, (typeof HOOK_FACTS)[number]>;

/** One row of the catalogue: programs with the same facts. No program is in two rows. */
export type ProgramRow = readonly [names: string, facts: ProgramFacts];

/** The compiler accepts a list of traits only if it knows every word. */
type Checked<List extends string> = List extends `${infer First} ${infer Rest}`
  ? First extends Trait
    ? Rest extends Checked<Rest>
      ? List
      : never
    : never
  : List extends Trait | ''
    ? List
    : never;

export function row<List extends string>(
  names: string,
  is: List & Checked<List>,
  facts: Omit<ProgramFacts, 'is'> = {},
): ProgramRow {
  return [names, { is, ...facts }];
}
