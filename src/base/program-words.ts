/** The words of a simple command by their role: sub-commands, options, everything else. */
import type { Argument, SimpleCommand } from './simple-command.ts';

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

/** Programs that hand what stands behind `--` on to a script or a test: there it is as much a mistake as before it. */
const HANDING_ON = new Set(
  `npm pnpm yarn bun deno npx cargo go mise just task make turbo nx lerna uv poetry hatch pdm tox nox bundle rake composer mix
  dotnet swift gradle mvn node python python3`.split(/\s+/),
);

/**
 * `--stat` is in `--stat=40`; any other word must be the whole word. What stands behind `--`, or in quotes right behind
 * another option, as in `--body "--stat"`, is no option of this command.
 */
export function hasWord({ program, args }: SimpleCommand, wanted: string): boolean {
  if (!isOption(wanted)) return args.some(({ value }) => value === wanted);
  for (let i = 0; i < args.length; i++) {
    const value = args[i]?.value ?? '';
    const isMeant = value === wanted || (value.startsWith(wanted) && value.charAt(wanted.length) === '=');
    if (isMeant && !isQuotedValue(args[i], args[i - 1])) return true;
    if (value === '--' && !HANDING_ON.has(program)) return false;
  }
  return false;
}

function isQuotedValue(word: Argument | undefined, before: Argument | undefined): boolean {
  const isQuoted = word?.text.startsWith('"') || word?.text.startsWith("'");
  return isQuoted === true && before !== undefined && isOption(before.text) && !before.text.includes('=');
}
