/**
 * Whether a command names, relative to where it runs, the very directory it runs in: `cd src/api` inside `src/api`,
 * `go test ./src/api/users` inside `src/api`. Agents forget that their shell stays where the last `cd` went.
 */
import { toPositionals } from './program-words.ts';
import type { SimpleCommand } from './simple-command.ts';

export function namesPlace(command: SimpleCommand, cwd: string): boolean {
  return toPositionals(command).some((word) => isPlaceIn(word, cwd));
}

/** A name of one part says little about a longer path: `api/x` inside `…/api` may well be there. */
function isPlaceIn(word: string, cwd: string): boolean {
  const parts = word
    .replace(/^\.\//, '')
    .split('/')
    .filter((part) => part !== '' && part !== '...');
  if (/^[/~$]/.test(word) || parts[0] === '..' || parts[0] === '.') return false;
  return parts.some((_, i) => (i > 0 || parts.length === 1) && cwd.endsWith(`/${parts.slice(0, i + 1).join('/')}`));
}
