/**
 * A simple command (a program and its words) and the roles of its words: positional words, options and their values.
 */

import { findProgram, isListed, isProgram } from './programs/find-program.ts';
import type { HookFacts, HookTrait } from './programs/vocabulary.ts';

/** One simple command that a shell command line runs: a program and its words. */
export interface SimpleCommand {
  /** Base name of the program; empty if only the shell knows it (`$CMD x`). */
  readonly program: string;
  readonly args: readonly Argument[];
  /** The source text of this command alone. */
  readonly text: string;
  /** The line may succeed although this command failed: a pipe, `||`, a later command, a background start. */
  readonly hidden?: true;
  /** The command reads another one's output. */
  readonly piped?: true;
}

export interface Argument {
  /** The word after the shell removed its quotes. */
  readonly value: string;
  /** The word as typed. */
  readonly text: string;
}

/** Words that are settings, neither options nor operands: `make -j 8 CC=gcc test`, `cargo +nightly test`. */
const SETTINGS = { assignments: /^\d+(?:\.\d+)?$|^[\w.-]+(?:[+?!]|:{1,3})?=/, toolchain: /^\+/ };

/** Words that are not options and not the value of a global option, in order. */
export function toPositionals({ program, args }: SimpleCommand): readonly string[] {
  const facts = findProgram(program);
  const setting = facts?.settings && SETTINGS[facts.settings];
  const found: string[] = [];
  let isOwn = true;
  for (let i = 0; i < args.length; i++) {
    const value = args[i]?.value ?? '';
    // Options after it belong to another program.
    if (value === '--') isOwn = false;
    else if (!isOption(value)) {
      if (!setting?.test(value)) found.push(value);
    } else if (isOwn && (isListed(value, facts?.valued) || isListed(value, findNear(facts, found)))) i++;
  }
  return found;
}

function findNear({ near, behind }: HookFacts = {}, [first, ...more]: readonly string[]): string | undefined {
  return first === undefined || (more.length === 0 && isListed(first, behind)) ? near : undefined;
}

/** Does the program or its sub-command have one of the traits? */
export function hasHookTrait(command: SimpleCommand, ...traits: readonly HookTrait[]): boolean {
  const { is, subs } = findProgram(command.program) ?? {};
  return traits.some(
    (trait) => isListed(trait, is) || (subs?.[trait] && isListed(toPositionals(command)[0] ?? '', subs[trait])),
  );
}

export function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

/**
 * `--stat` is in `--stat=40`; any other word must be the whole word. Words after `--`, or quoted right after another
 * option as in `--body "--stat"`, are not options of this command.
 */
export function hasWord({ program, args }: SimpleCommand, wanted: string): boolean {
  if (!isOption(wanted)) return args.some(({ value }) => value === wanted);
  for (let i = 0; i < args.length; i++) {
    const value = args[i]?.value ?? '';
    const isMeant = value === wanted || (value.startsWith(wanted) && value.charAt(wanted.length) === '=');
    if (isMeant && !isQuotedValue(args[i], args[i - 1])) return true;
    // Options that a runner passes on to a script or test count like those before the `--`.
    if (value === '--' && !isProgram(program, 'runner', 'interpreter', 'hands-on')) return false;
  }
  return false;
}

function isQuotedValue(word: Argument | undefined, before: Argument | undefined): boolean {
  const isQuoted = word?.text.startsWith('"') || word?.text.startsWith("'");
  return isQuoted === true && before !== undefined && isOption(before.text) && !before.text.includes('=');
}
