/** Is what a command prints run by what reads it? `echo "rm -rf x" | bash` runs it, `echo "rm -rf x" | grep rm` does not. */
import { isListed } from '../base/is-listed.ts';
import { hasWord, isOption, toPositionals } from '../base/program-words.ts';
import type { SimpleCommand } from '../base/simple-command.ts';

/** Run what they read, where no script is named or quoted. */
const INTERPRETERS =
  'bash sh zsh dash ksh ash fish pwsh powershell python python3 node ruby perl php iex invoke-expression';
/** Run what they read, where no command is given. */
const CONSOLES = 'psql mysql mariadb sqlite3 duckdb mongosh mongo redis-cli clickhouse-client sqlcmd cqlsh';
const GIVEN = ['-c', '-e', '-f', '--command', '--execute', '--file'];
/** Hand it to a program elsewhere, which is the last word. */
const ELSEWHERE = 'ssh docker podman kubectl docker-compose';
/** What `xargs` runs does not read the pipe itself. */
const TO_XARGS = /^(?:[^;&|\n]|\|(?!\|))*\|\s*(?:sudo\s[^|]*)?(?:xargs|parallel)\s/;

export function feedsInterpreter(command: SimpleCommand, commands: readonly SimpleCommand[], line = ''): boolean {
  const end = line.indexOf(command.text) + command.text.length;
  if (line.includes(command.text) && TO_XARGS.test(line.slice(end))) return true;
  if (isFed(command) && command.text.includes('<<<')) return true;
  for (let i = commands.indexOf(command) + 1; i < commands.length; i++) {
    const next = commands[i] as SimpleCommand;
    if (next.piped && isFed(next)) return true;
    // `$(…)` in the command stands between it and the next.
    if (!next.piped && !command.text.includes(next.text)) return false;
  }
  return false;
}

function isFed(command: SimpleCommand): boolean {
  const { args } = command;
  const program = command.program.toLowerCase();
  if (isListed(program, INTERPRETERS))
    return (
      args.every(({ value, text }) => isOption(value) && !/["']/.test(text)) ||
      args.some(({ value }) => value === '-' || value === '-s')
    );
  if (isListed(program, CONSOLES)) return !GIVEN.some((option) => hasWord(command, option));
  if (!isListed(program, ELSEWHERE)) return false;
  const last = args.findLast(({ value }) => !isOption(value))?.value ?? '';
  return isListed(last, `${INTERPRETERS} ${CONSOLES}`) || (program === 'ssh' && toPositionals(command).length < 2);
}
