/** A command: its name, options and help are data; its handler is loaded when it runs. Handlers return, main prints. */
import type { DataHome } from '../../loop/home/data-home.ts';

/** Names and help of a command or of a group of commands. */
export interface CommandGroup {
  /** The words behind `oncebitten`: `scan`, `lessons promote apply`. */
  readonly name: string;
  /** One line in a list of commands: an imperative, under 60 characters. */
  readonly summary: string;
  /** The first paragraph of its own help, where the summary is too short for it. */
  readonly about?: string;
  /** The heading under which the group's help lists it. */
  readonly section?: string;
}

/** A command whose name is the beginning of other names, as `stats`, takes no arguments. */
export interface Command extends CommandGroup {
  /** Other names that stay, because programs of other people use them. */
  readonly otherNames?: readonly string[];
  /** Former names: they work, but no help lists them, and a terminal shows the new name. */
  readonly oldNames?: readonly string[];
  /** `<lesson>`, `[file]` or `<lessons...>`, as commander writes them, to help. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Options;
  /** Options whose value may be spelled like an option of ours. */
  readonly anyValue?: readonly string[];
  readonly examples?: readonly string[];
  load(): Promise<Handler>;
}

/** Flags to help. `--stdin` takes no value, `--tool <name>` takes one, `--tag <tag...>` may be given several times. */
export type Options = Readonly<Record<string, string>>;

interface CommandOption {
  /** As a user reads them: `--tag <tag>`. */
  readonly flags: string;
  readonly help: string;
  readonly many: boolean;
}

export function listOptions(options: Options = {}): readonly CommandOption[] {
  return Object.entries(options).map(([flags, help]) => {
    if (!flags.endsWith('...>')) return { flags, help, many: false };
    const end = help.endsWith(')') ? `${help.slice(0, -1)}; may be repeated)` : `${help} (may be repeated)`;
    return { flags: flags.replace('...>', '>'), help: end, many: true };
  });
}

/** The values of `delivery.maxMode`, of `install --max-mode` and of `lessons edit --mode`. */
export const MODES_HELP =
  'note (the agent reads the lesson with the result of its call), pause (stop the call the first time; if the agent repeats it, it runs), rewrite (correct the call before it runs) or block (refuse the call every time)';

export const PROJECT_OPTION = {
  '--project [project]': 'Only this project: a folder, an id or a name; without a value: the project of this folder',
};
export const SINCE_OPTION = {
  '--since <time>': 'Only since this time: 2h (two hours ago), 7d, 2026-01-31 or 2026-01-31T12:00, in UTC',
};
/** Which calls are counted: the one filter of all reports. */
export const RANGE_OPTIONS = {
  ...SINCE_OPTION,
  '--until <time>': 'Only until this time, written as for --since; a date includes the whole day (default: now)',
  '--model <name>': 'Only sessions with this model, as `sessions history --by model` shows it',
};
export const CATEGORY_OPTION = {
  '--category <name>': 'Only failures of this category, as --json shows it: wrong_usage, not_found …',
};
export const LESSON_OPTION = { '--lesson <lesson>': 'Only this lesson: name or id' };
export const SESSION_OPTION = { '--session <id>': 'Only this session: full id or a unique prefix' };
export const REASON_OPTION = { '--reason <text>': "Reason, kept in the lesson's history" };
export const YES_OPTION = { '--yes': 'Do not ask for confirmation (required without a terminal)' };

export interface CommandInput {
  readonly home: DataHome;
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly readStdin: () => Promise<string>;
  /** The same, line by line, as it comes. A line of more than `maxChars` is an error. */
  readonly readLines: (maxChars?: number) => AsyncIterable<readonly string[]>;
  /** The streams themselves, for a command that speaks a protocol. Nothing else may then be printed. */
  readonly streams?: { readonly stdin: NodeJS.ReadableStream; readonly stdout: NodeJS.WritableStream };
  /** Width of the terminal; absent in a pipe, where nothing is cut and a record is one line. */
  readonly columns?: number;
  /** Asks the user; absent without a terminal and with `--json`. Rejects with `Interrupted` at Ctrl+C. */
  readonly ask?: (question: string) => Promise<string>;
  /** A person's keys, one by one; absent where `ask` is. */
  readonly openTerminal?: () => Terminal;
  /** Only `json` of the result will be read, so a text that takes long to make may be left out. */
  readonly isJson?: boolean;
  /** Shows progress to a waiting user; the output never depends on it. */
  readonly progress: (line: string) => void;
}

/** Until it is closed, keys come at once and are not shown. */
export interface Terminal {
  readonly columns: number;
  write(text: string): void;
  /** `a`, `\x1b[A` …; undefined when there will be no more, or the person wants to leave (Ctrl+C, Ctrl+D). */
  readKey(): Promise<string | undefined>;
  close(): void;
}

export interface CommandResult {
  /** What `--json` prints. */
  readonly json: unknown;
  /** For a person. The command line wraps lines that are too long for the terminal; the handler cuts tables. */
  readonly text: string;
  /** The text is data for another program: printed as it is. */
  readonly isDocument?: true;
  /** Printed one by one, instead of the above: a line each; with `--json` the items of one list. */
  readonly rows?: AsyncIterable<readonly Row[]>;
  /** The command did its work and the answer is bad news: exit 1. */
  readonly failed?: boolean;
}

export interface Row {
  readonly json: unknown;
  readonly text: string;
}

export type Handler = (input: CommandInput) => Promise<CommandResult>;
