/** The simple command that a command line is about: the first one that does more than prepare the shell. */
import { parseCommand } from './parse-command.ts';
import type { SimpleCommand } from './simple-command.ts';

const PREPARATION = new Set([
  'cd',
  'pushd',
  'popd',
  'export',
  'set',
  'source',
  '.',
  'unset',
  'umask',
  'ulimit',
  'true',
  ':',
  'sleep',
  'echo',
]);

export function findMainCommand(command: string): SimpleCommand | undefined {
  const named = parseCommand(command).filter(({ program }) => program !== '');
  return named.find(({ program }) => !PREPARATION.has(program)) ?? named[0];
}
