/**
 * Recognizes exit codes that are answers, not errors: `grep` found nothing, `diff` found a difference, `test` is false.
 * The code belongs to the last command; after `&&` it may also be that of the command before.
 */
import { listExecuted, parseCommand, type ShellTool } from '../../base/shell/parse-command.ts';
import { findProgram, isProgram } from '../../base/shell/programs/find-program.ts';
import type { Argument, SimpleCommand } from '../../base/shell/simple-command.ts';
import { hasHookTrait, hasWord, isOption, toPositionals } from '../../base/shell/simple-command.ts';

/** A line of the shell itself (`(eval):1: no matches found`, `bash: line 1: …`), so the program did not start. */
const SHELL_LINE = /(?:^|\n)(?:\(eval\)|(?:\/[\w/]{0,40}\/)?(?:ba|z|da|k)?sh):(?: line)? ?\w{1,20}:/;

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
    else if (!isProgram(command.program, 'succeeds') && !(rest.endsWith('&&') && isSilent(text))) return false;
    if (!rest.endsWith('&&')) return isExplained;
    rest = rest.slice(0, -2).trimEnd();
  }
  return isExplained;
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

/** Complaints begin with the program's own name. */
function hasOutput(wanted: string, { program }: SimpleCommand, text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '');
  const complaints = lines.filter((line) => line.startsWith(`${program}: `));
  if (wanted === 'results') return complaints.length < lines.length;
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
