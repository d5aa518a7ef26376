/** The words of a simple command by their role: sub-commands, options, everything else. */
import { isListed } from './is-listed.ts';
import type { Argument, SimpleCommand } from './simple-command.ts';

/** Options that take a value, as they may stand before the sub-command: `git -C dir log` is still `git log`. */
const GLOBAL_VALUED: Readonly<Record<string, string>> = {
  git: '-C -c --git-dir --work-tree',
  gh: '-R --repo',
  kubectl: '-n --namespace --context --kubeconfig --cluster --user -s --server',
  docker: '-H --host --context --config',
  npm: '--prefix -C -w --workspace --loglevel',
  pnpm: '-C --dir -F --filter',
  yarn: '--cwd',
  make: '-C -f',
  go: '-C',
  cargo: '--manifest-path -Z --config --color',
  mvn: '-f --file -s --settings -pl --projects -P -T',
  aws: '--profile --region --output --endpoint-url --query',
};
/** Only right behind these words: farther on the same letters mean something else (`docker compose logs -f web`). */
const COMPOSE = '-f --file -p --project-name --project-directory --profile --env-file';
const NEAR_VALUED: Readonly<Record<string, string>> = { 'docker compose': COMPOSE, 'docker-compose ': COMPOSE };
/** Words that are neither: `make -j 8 CC=gcc test`, `cargo +nightly test`. */
const SETTINGS: Readonly<Record<string, RegExp>> = { make: /^\d+$|^\w+=/, cargo: /^\+/ };

/** Words that are not options and not the value of a global option, in order. */
export function toPositionals({ program, args }: SimpleCommand): readonly string[] {
  const valued = findOwn(GLOBAL_VALUED, program);
  const setting = findOwn(SETTINGS, program);
  const found: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const value = args[i]?.value ?? '';
    if (value === '--' || setting?.test(value)) continue;
    if (!isOption(value)) found.push(value);
    else if (
      isListed(value, valued) ||
      (found.length < 2 && isListed(value, findOwn(NEAR_VALUED, `${program} ${found}`)))
    )
      i++;
  }
  return found;
}

function findOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
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
