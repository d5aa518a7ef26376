/**
 * The words in which the catalogue says what is known about programs. `rows.ts` has the rows, `find-program.ts` and
 * `all-facts.ts` answer questions about them. Every fact about a program stands in its one row.
 */

/** Traits that the hook asks for. The build leaves all other traits out of the hook's bundle. */
export const HOOK_TRAITS = [
  /** Runs shell scripts, and what it reads as one. */
  'shell',
  'power-shell',
  /** Runs a script file of its language, and what it reads as one. */
  'interpreter',
  /** Runs statements that it reads, unless an option gives it one. */
  'console',
  /** Runs a command on another machine or in a container. */
  'elsewhere',
  /** Runs, by name, what the project or a package defines. */
  'runner',
  /** No runner, but hands the words behind `--` on to a script or a test, too. */
  'hands-on',
  /** Prints the words that it is given. */
  'prints',
  /** Its first word is a pattern to search for. */
  'searches',
  /** Its `-m` takes a message. */
  'messages',
  /** A client of a code host, with options for titles and bodies. */
  'hub',
  /** Prints files, history and other texts that it did not write: any program's error line may be among them. */
  'shows',
  /** Prints nothing but names, numbers and the words that it is given. */
  'quiet',
  /** Does not fail in practice. Where `cd` fails, the shell says so. */
  'succeeds',
  /** Changes the folder in which the rest of the line runs. */
  'moves',
] as const;
export type HookTrait = (typeof HOOK_TRAITS)[number];

/**
 * What kind of check a command is: a test, a linter, a type checker, a build. They judge the code, so a red one is work
 * in progress, and a green one of the same kind settles it, whoever runs it and however much of the project it looks at.
 */
export type CheckKind = 'test' | 'lint' | 'types' | 'build';

export type Trait =
  | HookTrait
  | CheckKind
  /** Prepares the shell, or prints something: a line is about another command. */
  | 'prepares'
  /** Shows how things are, or shortens what another command prints. */
  | 'looks'
  /** Looks, but can be told to write a file or to run a program. */
  | 'acts'
  /** As a sub-command: cannot be told to write or to run anything. */
  | 'reads'
  /** Shows the text of a file. These names, in this order, are part of stored triggers. */
  | 'views'
  /** Shows what a file or a folder is. These names, in this order, are part of stored triggers. */
  | 'lists'
  /** Finds files by their names. */
  | 'finds'
  /** What it reads comes out again, whole or in part. */
  | 'filters'
  /** Its first word is a script in a language of its own. */
  | 'scripted'
  /** Its words are names of programs. */
  | 'locates'
  /** Its exit code is the answer to a question. */
  | 'decides'
  /** Takes files away from their path. */
  | 'removes'
  /** Its words are other files or other things at every call. */
  | 'varies'
  /** Shows long output in a pager, which waits for a key. */
  | 'pages'
  /** Every machine has it. */
  | 'basic'
  /** Takes operands, never sub-commands. */
  | 'flat'
  /** Its `-h` asks for no help: it means human-readable, a host, or no file names. */
  | 'own-h'
  /** The line does the same without it. */
  | 'decorates'
  /** Its first word can be a program of a package. */
  | 'direct'
  /** One of the package managers that can stand in for each other. */
  | 'node-packages'
  /** Starting other programs is all that it does, or a documented part of it. */
  | 'starts'
  /** Speaks HTTP to the address that it is given. */
  | 'http'
  /** Its words are hosts, with or without a port and a path. */
  | 'reaches'
  /** Its words may begin with the host of a registry or a repository. */
  | 'registry'
  /** Copies files to `host:path`. */
  | 'copies'
  /** Puts what it is given where others can fetch it. */
  | 'sends'
  /** No English sentence has its name as a word. */
  | 'unmistakable'
  /** At the beginning of a sentence its name begins a command, although it may be an English word. */
  | 'leading';

/** A program that only runs another one. Options are listed without their dashes, letters and long ones. */
export interface Wrapper {
  /** Options that take a value. */
  readonly valued?: string;
  /** Options whose value is a command line. */
  readonly script?: string;
  /** Options with which it asks about a program and runs none. */
  readonly asking?: string;
  /** Number of its own words before the inner command (`timeout 5 cmd`). */
  readonly own?: number;
  /** It joins its words to a command line again. */
  readonly joins?: true;
  /** Variables may stand before the inner command. */
  readonly variables?: true;
}

/** How a runner names the command that it runs. */
export interface RunnerForm {
  /** Leading words that make it a runner; without them it is always one. */
  readonly words?: string;
  /** Its own options that take the next word. */
  readonly valued?: string;
  /** Number of its own words before the inner command. */
  readonly own?: number;
  /** It only says where to run: what follows is a word of the same program again. */
  readonly isPlace?: true;
}

/** What is known about a program. Lists have blanks between their words. */
export interface ProgramFacts {
  readonly is?: string;
  /** Traits of sub-commands, by their first word. */
  readonly subs?: Readonly<Partial<Record<Trait, string>>>;
  /** Options that take a value, wherever they stand: `kubectl -n shop get po` is still `kubectl get po`. */
  readonly valued?: string;
  /** Options that take a value before the first word only: farther on the same letters mean something else. */
  readonly near?: string;
  /** First words behind which the options of `near` still take a value. */
  readonly behind?: string;
  /** Words that are settings, not operands: `NAME=value` and numbers, or `+name`. */
  readonly settings?: 'assignments' | 'toolchain';
  readonly wraps?: Wrapper;
  /**
   * Exit codes that are an answer, not an error: leading words, options of which one must be there, codes (1 without
   * any), `results` (only with output beside the program's own complaints), `noise` (only if it complains of nothing
   * but skipped files). An empty text: the code 1, always.
   */
  readonly exits?: readonly string[];
  /** Commands of two words; every other command of this program has one word. */
  readonly groups?: string;
  /** Commands of one word; every other command of this program has two words. */
  readonly single?: string;
  readonly runs?: readonly RunnerForm[];
  /** Words behind which a task stands; `direct`: the first word is one. */
  readonly tasks?: string;
  /** Commands of its own, where every other first word is a script of the project. */
  readonly own?: string;
  /** Scripts that it runs without `run`. */
  readonly scripts?: string;
  /** Options with two names, in pairs, by sub-command; those under the empty name hold for all. */
  readonly twins?: Readonly<Record<string, string>>;
  /** Words that make it print a secret, all of them in this order; an empty text: it always does. */
  readonly secrets?: readonly string[];
}

/** Facts that the hook asks for. The build leaves all others out of the hook's bundle. */
export const HOOK_FACTS = ['is', 'subs', 'valued', 'near', 'behind', 'settings', 'wraps', 'exits'] as const;
export type HookFacts = Pick<ProgramFacts, (typeof HOOK_FACTS)[number]>;

/** One row of the catalogue: programs that are known for the same. No program stands in two rows. */
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
