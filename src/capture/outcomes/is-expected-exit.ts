/**
 * Exit codes that are answers, not errors: `grep` found nothing, `diff` found a difference, `test` is false.
 * The code belongs to the last command; behind `&&` it may also be that of the command before.
 */
import { parseCommand } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { hasWord, isOption, toPositionals } from '../../base/shell/simple-command.ts';
import { EXPECTED_EXITS, type ExpectedExit } from './expected-exits.ts';

/** They do not fail in practice; where `cd` does, the shell says so. */
const HARMLESS = new Set(['echo', 'printf', 'true', 'export', 'set', 'pwd', 'cd', 'sleep', 'date']);

/** A line of the shell itself (`(eval):1: no matches found`, `bash: line 1: …`): the program did not even start. */
const SHELL_LINE = /(?:^|\n)(?:\(eval\)|(?:\/[\w/]{0,40}\/)?(?:ba|z|da|k)?sh):(?: line)? ?\w{1,20}:/;

export function isExpectedExit(source: string, code: number, text: string): boolean {
  if (SHELL_LINE.test(text)) return false;
  const commands = toTopLevel(parseCommand(source, { withConditions: true })).map(toCarried);
  let rest = source;
  let isExplained = false;
  for (const { whole, command } of commands.reverse()) {
    const at = rest.lastIndexOf(whole.text);
    if (at === -1) return isExplained;
    rest = rest.slice(0, at).trimEnd();
    if (isExpected(command, code, text)) isExplained = true;
    // Behind `&&` and without a word it probably did not run: what stands before it said no.
    else if (!HARMLESS.has(command.program) && !(rest.endsWith('&&') && isSilent(text))) return false;
    if (!rest.endsWith('&&')) return isExplained;
    rest = rest.slice(0, -2).trimEnd();
  }
  return isExplained;
}

/** The agents' own line about the code is no word of the command's. */
function isSilent(text: string): boolean {
  return /^\s*(?:exit code:? \d+\s*)?$/i.test(text);
}

interface Carried {
  /** As it stands in the line. */
  readonly whole: SimpleCommand;
  /** The command whose code it hands on. */
  readonly command: SimpleCommand;
}

/** `find -exec grep`, `docker exec box grep`, `kubectl exec pod -- grep`: the code is that of the inner program. */
function toCarried(whole: SimpleCommand): Carried {
  const { program, args, text } = whole;
  const start = args.findIndex(({ value }) => value === (program === 'find' ? '-exec' : 'exec'));
  if (start < 0 || !CARRIERS.has(program)) return { whole, command: whole };
  // The first word behind `exec` is the place to run in.
  const words = args.slice(start + 1).filter(({ value }) => value !== '--' && !isOption(value));
  const [name, ...inner] = program === 'find' ? words : words.slice(1);
  return name === undefined
    ? { whole, command: whole }
    : { whole, command: { program: name.value, args: inner, text } };
}

const CARRIERS = new Set(['find', 'docker', 'podman', 'kubectl', 'docker-compose']);

function isExpected(command: SimpleCommand, code: number, text: string): boolean {
  return EXPECTED_EXITS.some(
    (row) =>
      row.codes.includes(code) &&
      row.programs.includes(command.program) &&
      (row.sub ?? []).every((word, i) => toPositionals(command)[i] === word) &&
      (row.options === undefined || row.options.some((option) => hasWord(command, option))) &&
      (row.output === undefined || hasOutput(row.output, command, text)),
  );
}

const NOISE = /: (?:Permission denied|Operation not permitted)$/;

/** Complaints begin with the program's own name. */
function hasOutput(wanted: NonNullable<ExpectedExit['output']>, { program }: SimpleCommand, text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '');
  const complaints = lines.filter((line) => line.startsWith(`${program}: `));
  if (wanted === 'results') return complaints.length < lines.length;
  return complaints.length > 0 && complaints.every((line) => NOISE.test(line));
}

/** Without the commands inside `$(…)` of another: their code is not the code of the line. */
function toTopLevel(commands: readonly SimpleCommand[]): SimpleCommand[] {
  const top: SimpleCommand[] = [];
  for (const command of commands) {
    const last = top.at(-1);
    const isNested = last !== undefined && last.text !== command.text && last.text.includes(command.text);
    if (!isNested) top.push(command);
  }
  return top;
}
