/**
 * A simple command (a program and its words) and the roles of its words: positional words, options, and values of
 * options.
 */

/** One simple command that a shell command line runs: a program and its words. */
export interface SimpleCommand {
  /** Base name of the program; the empty string when only the shell can know it (`$CMD x`). */
  readonly program: string;
  readonly args: readonly Argument[];
  /** The source text of this command alone. */
  readonly text: string;
  /** The line can end with success although this command failed: a pipe, `||`, a later command, a background start. */
  readonly hidden?: true;
  /** It reads what another command prints. */
  readonly piped?: true;
}

export interface Argument {
  /** The word after the shell removed its quotes. */
  readonly value: string;
  /** As it was typed. */
  readonly text: string;
}

/** Options that take a value, wherever they stand: `kubectl -n shop get po` is still `kubectl get po`. */
const VALUED: Readonly<Record<string, string>> = {
  gh: '-R --repo',
  kubectl:
    '-n --namespace --context --kubeconfig --cluster --user -s --server -v --as --as-group --as-uid --token ' +
    '--request-timeout --cache-dir --certificate-authority --client-certificate --client-key --tls-server-name',
  npm:
    '--prefix -C -w --workspace --loglevel --registry --cache --omit --include --userconfig --globalconfig --location --tag ' +
    '--otp --script-shell --access',
  pnpm: '-C --dir --prefix -F --filter --filter-prod --loglevel --reporter --registry --store-dir --workspace-concurrency',
  yarn: '--cwd --registry --cache-folder --mutex --network-timeout',
  make: '-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if --eval',
  cargo: '--manifest-path -Z --config --color --target-dir',
  mvn:
    '-f --file -s --settings -gs --global-settings -t --toolchains -pl --projects -rf --resume-from -P --activate-profiles ' +
    '-T --threads -D --define -l --log-file -b --builder',
  gradle:
    '-p --project-dir -x --exclude-task -b --build-file -c --settings-file -P --project-prop -D --system-prop -I ' +
    '--init-script -g --gradle-user-home --console --max-workers --include-build --warning-mode --project-cache-dir',
  aws:
    '--profile --region --output --endpoint-url --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout ' +
    '--cli-binary-format',
  pip:
    '--python --proxy --log --cache-dir --timeout --retries --trusted-host --cert --client-cert --exists-action ' +
    '--keyring-provider',
};
/** Only right behind these words: farther on the same letters mean something else (`docker compose logs -f web`). */
const COMPOSE = '-f --file -p --project-name --project-directory --profile --env-file --ansi --progress --parallel';
const DOCKER = '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey';
const NEAR_VALUED: Readonly<Record<string, string>> = {
  'git ': '-C -c --git-dir --work-tree --namespace --config-env --attr-source',
  'docker ': DOCKER,
  'docker compose': COMPOSE,
  'docker buildx': '--builder',
  'docker-compose ': COMPOSE,
  'kubectl ': '-l -o -f',
  'cargo ': '-C -p --package',
  'go ': '-C',
  'uv ': '--project --directory --cache-dir --color --config-file --python-preference --allow-insecure-host',
  'poetry ': '-C --directory -P --project',
  'ssh ': '-p -i -l -o -F -J -L -R -D -b -c -E -m -S -W -w',
};
/** Words that are neither: `make -j 8 CC=gcc test`, `cargo +nightly test`. */
const SETTINGS: Readonly<Record<string, RegExp>> = { make: /^\d+(?:\.\d+)?$|^[\w.-]+(?:[+?!]|:{1,3})?=/, cargo: /^\+/ };
const SAME: Readonly<Record<string, string>> = {
  mvnw: 'mvn',
  gradlew: 'gradle',
  gmake: 'make',
  pip3: 'pip',
  podman: 'docker',
};

/** Words that are not options and not the value of a global option, in order. */
export function toPositionals({ program, args }: SimpleCommand): readonly string[] {
  const name = findOwn(SAME, program) ?? program;
  const valued = findOwn(VALUED, name);
  const setting = findOwn(SETTINGS, name);
  const found: string[] = [];
  let isOwn = true;
  for (let i = 0; i < args.length; i++) {
    const value = args[i]?.value ?? '';
    // Options behind it are another program's.
    if (value === '--') isOwn = false;
    else if (!isOption(value)) {
      if (!setting?.test(value)) found.push(value);
    } else if (
      isOwn &&
      (isListed(value, valued) || (found.length < 2 && isListed(value, findOwn(NEAR_VALUED, `${name} ${found}`))))
    )
      i++;
  }
  return found;
}

function findOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The words of a simple command by their role: sub-commands, options, everything else. */
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

/** Is it one of the names in a list with blanks between? Such a list is the shortest that a table can have. */
export function isListed(name: string, list: string | undefined): boolean {
  return list !== undefined && name !== '' && ` ${list} `.includes(` ${name} `);
}
