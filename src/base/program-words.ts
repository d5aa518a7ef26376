/** The words of a simple command by their role: sub-commands, options, everything else. */
import type { SimpleCommand } from './simple-command.ts';

/** Options before the sub-command that take a value: `git -C dir log` is still `git log`. */
const GLOBAL_VALUED: Readonly<Record<string, readonly string[]>> = {
  git: ['-C', '-c', '--git-dir', '--work-tree'],
  gh: ['-R', '--repo'],
  kubectl: ['-n', '--namespace', '--context'],
  docker: ['-H', '--host', '--context'],
  npm: ['--prefix', '-w', '--workspace'],
  pnpm: ['-C', '--dir', '-F', '--filter'],
  yarn: ['--cwd'],
  make: ['-C', '-f'],
  go: ['-C'],
  cargo: ['--manifest-path', '-Z'],
};

/** Words that are not options and not the value of a global option, in order. */
export function toPositionals(command: SimpleCommand): readonly string[] {
  const valued = Object.hasOwn(GLOBAL_VALUED, command.program) ? (GLOBAL_VALUED[command.program] ?? []) : [];
  const found: string[] = [];
  for (let i = 0; i < command.args.length; i++) {
    const value = command.args[i]?.value ?? '';
    if (value === '--') continue;
    if (valued.includes(value)) i++;
    else if (!isOption(value)) found.push(value);
  }
  return found;
}

export function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

/** `--stat` is in `--stat=40`; any other word must be the whole word. Behind `--` options are meant for what is run. */
export function hasWord(command: SimpleCommand, wanted: string): boolean {
  return command.args.some(({ value }) => value === wanted || (isOption(wanted) && value.startsWith(`${wanted}=`)));
}
