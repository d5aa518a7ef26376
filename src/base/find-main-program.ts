/** The program that a command line is about: the first one that does more than prepare the shell. */
import { parseCommand } from './parse-command.ts';

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
]);

export function findMainProgram(command: string): string | undefined {
  const programs = parseCommand(command)
    .map((one) => one.program)
    .filter((program) => program !== '');
  return programs.find((program) => !PREPARATION.has(program)) ?? programs[0];
}
