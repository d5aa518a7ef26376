/**
 * Exit codes that are answers, not errors: `grep` found nothing, `diff` found a difference, `test` is false.
 * The code belongs to the last command; behind `&&` it may also be that of the command before.
 */
import { parseCommand } from '../base/parse-command.ts';
import { hasWord, toPositionals } from '../base/program-words.ts';
import type { SimpleCommand } from '../base/simple-command.ts';

interface ExpectedExit {
  readonly programs: readonly string[];
  /** Leading words that are not options. */
  readonly sub?: readonly string[];
  /** One of these options must be there. */
  readonly options?: readonly string[];
  readonly codes: readonly number[];
}

const EXPECTED: readonly ExpectedExit[] = [
  { programs: ['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'ugrep'], codes: [1] },
  { programs: ['diff', 'cmp', 'colordiff', 'sdiff', 'zdiff', 'comm'], codes: [1] },
  { programs: ['test', '[', 'expr', 'false'], codes: [1] },
  { programs: ['pgrep', 'pkill', 'killall', 'pidof', 'lsof', 'fuser'], codes: [1] },
  { programs: ['which', 'command', 'type', 'hash'], codes: [1] },
  { programs: ['gh'], sub: ['pr', 'checks'], codes: [8] },
  { programs: ['git'], sub: ['diff'], options: ['--exit-code', '--quiet', '--no-index'], codes: [1] },
  { programs: ['git'], sub: ['grep'], codes: [1] },
  { programs: ['git'], sub: ['check-ignore'], codes: [1] },
  { programs: ['git'], sub: ['config'], options: ['--get', '--get-all', '--get-regexp'], codes: [1] },
  { programs: ['git'], sub: ['merge-base'], options: ['--is-ancestor'], codes: [1] },
  { programs: ['git'], sub: ['show-ref'], codes: [1] },
  { programs: ['git'], sub: ['ls-remote'], options: ['--exit-code'], codes: [2] },
  { programs: ['git'], sub: ['rev-parse'], options: ['-q', '--quiet'], codes: [1] },
  { programs: ['jq'], options: ['-e', '--exit-status'], codes: [1, 4] },
  { programs: ['systemctl'], sub: ['is-active'], codes: [3] },
  { programs: ['systemctl'], sub: ['is-enabled'], codes: [1] },
  { programs: ['terraform', 'tofu'], sub: ['plan'], options: ['-detailed-exitcode'], codes: [2] },
  { programs: ['npm'], sub: ['outdated'], codes: [1] },
];

/** They do not fail in practice; where `cd` does, the shell says so. */
const HARMLESS = new Set(['echo', 'printf', 'true', 'export', 'set', 'pwd', 'cd', 'sleep', 'date']);

/** A line of the shell itself (`(eval):1: no matches found`, `bash: line 1: …`): the program did not even start. */
const SHELL_LINE = /(?:^|\n)(?:\(eval\)|(?:\/[\w/]{0,40}\/)?(?:ba|z|da|k)?sh):(?: line)? ?\w{1,20}:/;

export function isExpectedExit(source: string, code: number, text: string): boolean {
  if (SHELL_LINE.test(text)) return false;
  const commands = toTopLevel(parseCommand(source));
  let rest = source;
  let isExplained = false;
  for (const command of commands.reverse()) {
    const at = rest.lastIndexOf(command.text);
    if (at === -1) return isExplained;
    rest = rest.slice(0, at).trimEnd();
    if (isExpected(command, code)) isExplained = true;
    else if (!HARMLESS.has(command.program)) return false;
    if (!rest.endsWith('&&')) return isExplained;
    rest = rest.slice(0, -2).trimEnd();
    if (rest.endsWith(']]')) return code === 1;
  }
  return isExplained;
}

function isExpected(command: SimpleCommand, code: number): boolean {
  return EXPECTED.some(
    (row) =>
      row.codes.includes(code) &&
      row.programs.includes(command.program) &&
      (row.sub ?? []).every((word, i) => toPositionals(command)[i] === word) &&
      (row.options === undefined || row.options.some((option) => hasWord(command, option))),
  );
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
