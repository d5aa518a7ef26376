/**
 * Judges the outcome of a call from facts: refusal, cancellation, exit code (`grep` that finds
 * nothing has not failed), error flag. The text is read only to detect a warning in a successful call, and a timeout.
 */

import type { Denial, EndedCall, Outcome } from '../../base/model/event.ts';
import { listExecuted, parseCommand, type ShellTool } from '../../base/shell/parse-command.ts';
import { findProgram, isProgram } from '../../base/shell/programs/find-program.ts';
import {
  type Argument,
  hasHookTrait,
  hasWord,
  isOption,
  type SimpleCommand,
  toPositionals,
} from '../../base/shell/simple-command.ts';

export interface Judgement {
  readonly outcome: Outcome;
  /** The evidence for the outcome. */
  readonly outcomeType: string;
  /** A failure hidden by a pipe or `|| true`, known only from its text. */
  readonly masked: boolean;
}

/** The evidence for a refusal. Our own refusals are separate, so that they never count for or against anybody else. */
const DENIED_BY: Readonly<Record<NonNullable<Denial['by']>, string>> = {
  user: 'user-refusal',
  rule: 'rule-denial',
  hook: 'hook-denial',
  oncebitten: 'own-refusal',
};

export function judgeFacts(call: EndedCall): Judgement {
  const { result } = call;
  if (result.denied !== undefined) return plain('denied', DENIED_BY[result.denied.by ?? 'rule']);
  if (result.unended === true) return plain('cancelled', 'no-end');
  if (result.cancelled === true) return plain('cancelled', 'interrupt');
  return isFailed(call) ? judgeFailed(call) : judgeDone(call);
}

function isFailed({ result }: EndedCall): boolean {
  return result.isError || (result.exitCode !== undefined && result.exitCode !== 0);
}

function judgeFailed(call: EndedCall): Judgement {
  const { result, input } = call;
  if (isTimeout(result.exitCode, result.text)) return plain('failure', 'timeout');
  if (result.exitCode === undefined || result.exitCode === 0) return plain('failure', 'error-flag');
  const isExpected = input.command !== undefined && isExpectedExit(input.command, call, result.exitCode, result.text);
  return plain(isExpected ? 'success' : 'failure', 'exit-code');
}

function judgeDone(call: EndedCall): Judgement {
  if (call.result.background === true) return plain('success', 'background');
  if (isWarning(call)) return plain('partial', 'warning');
  return plain('success', call.result.exitCode === undefined ? 'no-error' : 'exit-code');
}

function plain(outcome: Outcome, outcomeType: string): Judgement {
  return { outcome, outcomeType, masked: false };
}

/** 124 is the exit code of timeout(1); the others are signals with which it and the agents end a command. */
function isTimeout(exitCode: number | undefined, text: string): boolean {
  if (exitCode === 124) return true;
  return (exitCode === undefined || exitCode > 128) && /\btimed out after \d/i.test(text);
}

/** A cheap test first, because every output passes through here; this is more than twice as fast. */
const WARNING_HINT = /warn|deprecated/i;
const WARNING = /\bwarning:|\bdeprecated\b|\[warn(?:ing)?\]|"warnings"\s*:\s*\[\s*[^\s\]]/i;

/** Does a successful call warn? Only for programs with messages of their own, not for those that show other texts. */
function isWarning(call: EndedCall): boolean {
  const { tool, input, result } = call;
  if (tool !== 'shell' && !tool.startsWith('mcp:')) return false;
  if (!WARNING_HINT.test(result.text) || !WARNING.test(result.text)) return false;
  return (
    input.command === undefined ||
    !parseCommand(input.command, call).every((command) => hasHookTrait(command, 'shows', 'quiet'))
  );
}

/** A line of the shell itself (`(eval):1: no matches found`, `bash: line 1: …`), so the program did not start. */
const SHELL_LINE = /(?:^|\n)(?:\(eval\)|(?:\/[\w/]{0,40}\/)?(?:ba|z|da|k)?sh):(?: line)? ?\w{1,20}:/;

/**
 * Recognizes exit codes that are answers, not errors: `grep` found nothing, `diff` found a difference, `test` is false.
 * The code belongs to the last command; after `&&` it may also be that of the command before.
 */
export function isExpectedExit(source: string, shell: ShellTool, code: number, text: string): boolean {
  if (SHELL_LINE.test(text)) return false;
  const commands = toTopLevel(parseCommand(source, shell, { withConditions: true })).map(toCarried);
  let rest = source;
  let isExplained = false;
  for (const { whole, command } of commands.reverse()) {
    const at = rest.lastIndexOf(whole.text);
    if (at === -1) return isExplained;
    rest = rest.slice(0, at).trimEnd();
    if (isExpected(command, code, text)) isExplained = true;
    // After `&&` and without output, the command probably did not run, because the one before it answered no.
    else if (
      !isProgram(command.program, 'succeeds') &&
      !hasShown(command, text) &&
      !(rest.endsWith('&&') && isSilent(text))
    )
      return false;
    if (!rest.endsWith('&&')) return isExplained;
    rest = rest.slice(0, -2).trimEnd();
  }
  return isExplained;
}

/** It has printed a text and does not complain, so the code is that of a later command. */
function hasShown(command: SimpleCommand, text: string): boolean {
  if (!hasHookTrait(command, 'shows', 'quiet') || isSilent(text)) return false;
  return !['fatal', command.program].some((word) => `\n${text}`.includes(`\n${word}: `));
}

/** The agent's own line about the exit code is not output of the command. */
function isSilent(text: string): boolean {
  return /^\s*(?:exit code:? \d+\s*)?$/i.test(text);
}

interface Carried {
  /** The command as it stands in the line. */
  readonly whole: SimpleCommand;
  /** The inner command whose exit code it passes on. */
  readonly command: SimpleCommand;
}

/** `find -exec grep`, `docker exec box grep`, `kubectl exec pod -- grep`: the inner program's exit code counts. */
function toCarried(whole: SimpleCommand): Carried {
  const { program, args, text } = whole;
  const [name, ...inner] = listExecuted(program, args)[0] ?? listInner(whole);
  return { whole, command: name === undefined ? whole : { program: name.value, args: inner, text } };
}

/** The command in a container; the first word after `exec` is the container. */
function listInner(command: SimpleCommand): readonly Argument[] {
  const start = command.args.findIndex(({ value }) => value === 'exec');
  if (start < 0 || command.program === 'ssh' || !hasHookTrait(command, 'elsewhere')) return [];
  const words = command.args.slice(start + 1);
  return words.slice(words.findIndex(({ value }) => !isOption(value)) + 1).filter(({ value }) => value !== '--');
}

function isExpected(command: SimpleCommand, code: number, text: string): boolean {
  return (findProgram(command.program)?.exits ?? [])
    .map(parseExit)
    .some(
      ({ codes, sub, options, output }) =>
        codes.includes(`${code}`) &&
        sub.every((word, i) => toPositionals(command)[i] === word) &&
        (options.length === 0 || options.some((option) => hasWord(command, option))) &&
        (output === undefined || hasOutput(output, command, text)),
    );
}

interface ExpectedExit {
  readonly codes: readonly string[];
  /** Leading words that are not options. */
  readonly sub: readonly string[];
  /** At least one of these must be present. */
  readonly options: readonly string[];
  readonly output: string | undefined;
}

/** Parses an expected exit of the catalogue: see `exits` in `base/shell/programs/vocabulary.ts`. */
export function parseExit(exit: string): ExpectedExit {
  return {
    codes: exit.match(/(?<!\S)\d+/g) ?? ['1'],
    sub: exit.match(/(?<!\S)(?!results|noise)[a-z]\S+/g) ?? [],
    options: exit.match(/(?<!\S)-\S+/g) ?? [],
    output: /results|noise/.exec(exit)?.[0],
  };
}

const NOISE = /: (?:Permission denied|Operation not permitted)$/;
/** The system's words about one file. A program that complains of its words has searched nothing. */
const OF_FILE = /\(os error \d+\)$|: (?:No such file or directory|Is a directory|Permission denied)$/;

/** Complaints begin with the program's own name. */
function hasOutput(wanted: string, { program }: SimpleCommand, text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '');
  const complaints = lines.filter((line) => line.startsWith(`${program}: `));
  if (wanted === 'results') return complaints.length < lines.length && complaints.every((line) => OF_FILE.test(line));
  return complaints.length > 0 && complaints.every((line) => NOISE.test(line));
}

/** Without the commands inside `$(…)`, whose exit code is not that of the line. */
function toTopLevel(commands: readonly SimpleCommand[]): SimpleCommand[] {
  const top: SimpleCommand[] = [];
  for (const command of commands) {
    const last = top.at(-1);
    const isNested = last !== undefined && last.text !== command.text && last.text.includes(command.text);
    if (!isNested) top.push(command);
  }
  return top;
}
