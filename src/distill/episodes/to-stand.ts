/** Where a command of a line stands when it runs: where the call was made, or where the last `cd` before it went. */

import { isProgram } from '../../base/shell/programs/find-program.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { toPositionals } from '../../base/shell/simple-command.ts';

export function isMoving({ program }: SimpleCommand): boolean {
  return isProgram(program, 'moves');
}

/** The empty string where only the shell knows. */
export function toStand(command: SimpleCommand, line: readonly SimpleCommand[], cwd: string): string {
  return line
    .slice(0, Math.max(0, line.indexOf(command)))
    .filter(isMoving)
    .reduce((stand, move) => toMoved(stand, toPositionals(move)[0] ?? ''), cwd);
}

function toMoved(stand: string, to: string): string {
  if (to === '' || /^[-~]|[$`*?]/.test(to)) return '';
  if (to.startsWith('/')) return to.replace(/(?<=.)\/+$/, '');
  const parts = stand === '' ? [] : stand.split('/');
  for (const part of to.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return stand === '' ? '' : parts.join('/');
}
