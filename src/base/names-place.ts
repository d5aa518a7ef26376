/**
 * Whether a command names, relative to where it runs, the very directory it runs in: `cd src/api` inside `src/api`,
 * `go test ./src/api/users` inside `src/api`. Agents forget that their shell stays where the last `cd` went.
 */
import { toPositionals } from './program-words.ts';
import type { SimpleCommand } from './simple-command.ts';
import type { PlaceTrigger } from './trigger.ts';

/** Whether a command that is run in `cwd` is in the place that a trigger speaks of. */
export function isInPlace(place: PlaceTrigger, command: SimpleCommand, cwd: string): boolean {
  if (place === 'argument') return namesPlace(command, cwd);
  if ('in' in place) return cwd === place.in || cwd.endsWith(`/${place.in}`);
  const { outside } = place;
  return cwd !== '' && !`${cwd}/`.includes(`/${outside}/`) && !command.text.includes(outside);
}

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
