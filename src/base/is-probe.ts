/** Commands that only ask how to do something: they lead to a fix, they are not the fix. */
import { toPositionals } from './program-words.ts';
import type { SimpleCommand } from './simple-command.ts';

const ASKING = new Set(['--help', '-help', '--version']);
/** Here `-h` means human-readable, a host, or no file names. */
const OTHER_H = new Set(['du', 'df', 'ls', 'free', 'sort', 'psql', 'mysql', 'redis-cli', 'pg_dump', 'grep', 'rg']);

export function isProbe(command: SimpleCommand): boolean {
  const words = command.args.map(({ value }) => value);
  if (words.some((word) => ASKING.has(word))) return true;
  if (words.includes('-h') && !OTHER_H.has(command.program)) return true;
  return toPositionals(command)[0] === 'help';
}
