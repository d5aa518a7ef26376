/**
 * The triggers of a lesson: the conditions on a call under which the lesson fires. One element of a list is enough, all
 * present parts must hold, any `none` or `unless` stops the lesson, and an absent part does not restrict. The file also
 * tests whether a command runs in the folder that a trigger names.
 */

import type { ToolName } from '../model/tool.ts';
import { type SimpleCommand, toPositionals } from '../shell/simple-command.ts';

export interface Triggers {
  readonly tools?: readonly ToolName[];
  /** On the parsed command: words inside a quoted string or a here-document are not a command. */
  readonly programs?: readonly ProgramTrigger[];
  /** Linear-time regular expressions on the text of one simple command. */
  readonly command?: TextTrigger;
  /** The same on the whole command line: for lines that the shell rejects, and for variables set before a program. */
  readonly line?: TextTrigger;
  /** The folder in which the command runs. */
  readonly directory?: PlaceTrigger;
  /** Globs on the file of a read, edit or write. */
  readonly paths?: readonly string[];
  /** Files and folders, seen from the root of the project: the call reads, searches or runs one, or something in it. */
  readonly reads?: readonly string[];
  /** Linear-time regular expressions on the new text of an edit or write. */
  readonly content?: TextTrigger;
  /** Linear-time regular expressions on the JSON of the tool's input, for parameters that no other part covers. */
  readonly input?: TextTrigger;
  /** Earlier calls of this session, including its sub-agents. */
  readonly session?: { readonly unless: readonly SessionCondition[] };
  /** Names of sub-agents; the main conversation is not one. */
  readonly subagents?: readonly string[];
  /** The slash command or skill that the conversation follows, or the agent that it was started as. */
  readonly workflows?: readonly string[];
  /** Words for the action, in the last messages or in the call's own description: `release`, `force push`. */
  readonly actionKeywords?: readonly string[];
  /** Words for the subject, in the last messages. */
  readonly contextKeywords?: readonly string[];
  /** Any part that holds silences the lesson. */
  readonly unless?: Exceptions;
  /**
   * The lesson is shown with the error of a call that fails as its own calls did (the lesson's `signatureId`), and never
   * before a call. For mistakes that cannot be told from the call alone.
   */
  readonly failure?: true;
}

/** Conditions that make a call harmless, beyond those that the parts above can express. */
export interface Exceptions {
  readonly tools?: readonly ToolName[];
  readonly programs?: readonly ProgramTrigger[];
  readonly paths?: readonly string[];
  readonly subagents?: readonly string[];
  readonly workflows?: readonly string[];
  readonly keywords?: readonly string[];
}

/**
 * `argument`: inside the directory that a word of the command names. `outside`: neither in this folder nor below it,
 * and the command does not name it; the value is its path seen from above. `in`: in the folder whose path ends with the
 * value.
 */
type PlaceTrigger = 'argument' | { readonly outside: string } | { readonly in: string };

export interface ProgramTrigger {
  /** The program's base name. */
  readonly name: string;
  /** Leading words that are not options, in order: `["pr", "diff"]` for `gh pr diff`. */
  readonly sub?: readonly string[];
  /** At least this many words that are not options, those of `sub` included. */
  readonly words?: number;
  /** An entry that starts with `-` names an option (`--stat` also means `--stat=x`); any other is a whole word. */
  readonly args?: {
    readonly any?: readonly string[];
    readonly all?: readonly string[];
    readonly none?: readonly string[];
  };
}

export interface TextTrigger {
  readonly match?: readonly string[];
  readonly unless?: readonly string[];
}

/**
 * `ran`: program and leading words, `git pull`. `read`: the end of a path, or `{path}`, the file of the call at hand;
 * writing a file counts as reading it. Only successful calls count.
 */
export type SessionCondition = { readonly ran: string } | { readonly read: string };

/** Stands for the file of the call at hand. */
export const OWN_PATH = '{path}';

/** The parts that name what a call does or touches. The others name tool, conversation, time and place. */
export type TargetPart = 'programs' | 'command' | 'line' | 'paths' | 'reads' | 'content' | 'input';

export function hasTarget({
  programs,
  command,
  line,
  paths,
  reads,
  content,
  input,
}: Pick<Triggers, TargetPart>): boolean {
  return (programs ?? command ?? line ?? paths ?? reads ?? content ?? input) !== undefined;
}

/** A lesson that names its tools and files is about these: its keywords raise its score, but it fires without them. */
export function areKeywordsHints({ tools, paths }: Triggers): boolean {
  return tools !== undefined && paths !== undefined;
}

export function renderProgram({ name, sub = [], args: { all = [], any, none } = {} }: ProgramTrigger): string {
  const words = quote([name, ...sub, ...all, ...(any ? [any.join('|')] : [])].join(' '));
  return none ? `${words} without ${none.map(quote).join(' or ')}` : words;
}

export function quote(text: string): string {
  return `\`${text}\``;
}

/** Does a command that runs in `cwd` meet the place of a trigger? */
export function isInPlace(place: PlaceTrigger, command: SimpleCommand, cwd: string): boolean {
  if (place === 'argument') return namesOwnFolder(command, cwd);
  if ('in' in place) return cwd === place.in || cwd.endsWith(`/${place.in}`);
  const { outside } = place;
  return cwd !== '' && !`${cwd}/`.includes(`/${outside}/`) && !command.text.includes(outside);
}

/**
 * Does a command name, relative to its folder, the very folder it runs in: `cd src/api` inside `src/api`, `go test
 * ./src/api/users` inside `src/api`? Agents forget that their shell stays where the last `cd` went.
 */
export function namesOwnFolder(command: SimpleCommand, cwd: string): boolean {
  return toPositionals(command).some((word) => isPlaceIn(word, cwd));
}

/** A name of one part proves little about a longer path: `api/x` may well exist inside `…/api`. */
function isPlaceIn(word: string, cwd: string): boolean {
  const parts = word
    .replace(/^\.\//, '')
    .split('/')
    .filter((part) => part !== '' && part !== '...');
  if (/^[/~$]/.test(word) || parts[0] === '..' || parts[0] === '.') return false;
  return parts.some((_, i) => (i > 0 || parts.length === 1) && cwd.endsWith(`/${parts.slice(0, i + 1).join('/')}`));
}
