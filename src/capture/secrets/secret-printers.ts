/**
 * Commands whose documented purpose is to print a secret: their output is the secret, and no form tells it. One row a
 * program, with its sub-commands and options: every word of a row has to stand in the command, in this order.
 */
import { parseCommand, type ShellTool } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';

const PRINTERS: readonly (readonly [program: string, ...rows: readonly string[]])[] = [
  // Password managers
  ['pass', 'show', '-c', 'generate'],
  ['gopass', 'show', 'generate'],
  ['op', 'read', 'item get --reveal', 'item get --fields', 'item get --otp'],
  ['bw', 'get password', 'get totp', 'get notes', 'generate', 'unlock --raw', 'login --raw'],
  ['rbw', 'get', 'code', 'generate'],
  ['lpass', 'show', 'generate'],
  ['keepassxc-cli', 'show', 'generate', 'diceware'],
  ['secret-tool', 'lookup'],
  ['security', 'find-generic-password -w', 'find-internet-password -w'],
  ['doppler', 'secrets get', 'secrets download'],
  ['chamber', 'read', 'export', 'env'],
  ['infisical', 'secrets get', 'export'],
  ['ansible-vault', 'view'],
  ['sops', '-d', '--decrypt', 'decrypt'],
  ['git', 'credential fill', 'credential-store get', 'credential-cache get'],
  // Clouds
  [
    'aws',
    'secretsmanager get-secret-value',
    'secretsmanager get-random-password',
    'ssm get-parameter --with-decryption',
    'ssm get-parameters --with-decryption',
    'ssm get-parameters-by-path --with-decryption',
    'ecr get-login-password',
    'rds generate-db-auth-token',
  ],
  ['gcloud', 'secrets versions access', 'auth print-access-token', 'auth print-identity-token'],
  ['az', 'keyvault secret show', 'account get-access-token', 'acr credential show', 'storage account keys list'],
  ['vault', 'kv get', 'read', 'token create', 'print token'],
  ['kubectl', 'create token', ...listOutputs('get secret'), ...listOutputs('get secrets')],
  ['oc', 'whoami -t', 'extract --to=-', ...listOutputs('get secret'), ...listOutputs('get secrets')],
  ['heroku', 'auth:token'],
  ['gh', 'auth token'],
  ['glab', 'auth token'],
  ['fly', 'auth token'],
  ['flyctl', 'auth token'],
  ['consul', 'keygen'],
  ['nomad', 'operator gossip keyring generate'],
  // Makers of keys and passwords
  ['openssl', 'rand', 'genrsa', 'genpkey'],
  ['wg', 'genkey', 'genpsk', 'show private-key', 'showconf'],
  ['pwgen', ''],
  ['apg', ''],
  ['xkcdpass', ''],
  ['diceware', ''],
  ['age-keygen', ''],
  ['oathtool', ''],
];
const BY_PROGRAM = new Map(PRINTERS.map(([program, ...rows]) => [program, rows.map((row) => row.split(' '))]));

/** As YAML and JSON a secret is told by its kind, and only its data has to go. */
function listOutputs(of: string): readonly string[] {
  const forms = ['jsonpath', 'go-template', 'template'];
  return [
    ...forms.flatMap((form) =>
      ['-o ', '-o', '-o=', '--output ', '--output='].map((option) => `${of} ${option}${form}`),
    ),
    `${of} --template`,
  ];
}

/** They print a variable. */
const SAYS = new Set(['echo', 'printf', 'printenv', 'Write-Output', 'Write-Host']);
const SECRET_NAME =
  /^(?:\$(?:\{?|env:))?\w*(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?)(?:_\d+)?\}?$/i;
/** What they read comes out again, whole or in part. */
const FILTERS = new Set(
  'awk base64 cat cut decode grep head jq perl python python3 rev sed sort tail tee tr uniq xargs xxd yq'.split(' '),
);

/** Without one of these words no command is parsed. */
const HINT = new RegExp(`(?<![\\w-])(?:${[...BY_PROGRAM.keys(), ...SAYS].join('|')})(?![\\w-])`);

/** Whether the output of the command is a secret, or holds one that nothing else tells. */
export function printsSecret(command: string, shell: ShellTool): boolean {
  if (!HINT.test(command)) return false;
  const commands = parseCommand(dropSubstitutions(command), shell);
  return commands.some((one, i) => isPrinter(one) && isShown(one, commands, i));
}

/** What `$(…)` prints goes into a word of another command. Where that is `echo`, it comes out again. */
function dropSubstitutions(command: string): string {
  return command
    .replace(/(?<![\w-])(?:echo|printf)[ \t]{1,4}["']?\$\(([^()\n]{1,400})\)["']?/g, '$1')
    .replace(/\$\([^()\n]{0,1000}\)|`[^`\n]{0,1000}`/g, '_');
}

function isPrinter({ program, args }: SimpleCommand): boolean {
  if (SAYS.has(program)) return args.some(({ value, text }) => isSecretName(program, value, text));
  const words = args.map(({ value }) => value);
  return BY_PROGRAM.get(program)?.some((row) => holdsInOrder(words, row)) ?? false;
}

/** `printenv` takes the name alone; the others would print it. */
function isSecretName(program: string, value: string, text: string): boolean {
  if (program === 'printenv') return SECRET_NAME.test(value);
  return /^["']?\$/.test(text) && !text.startsWith("'") && SECRET_NAME.test(value);
}

/** `--to=x` for `--to`, `secret/shop` for `secret`. */
function holdsInOrder(words: readonly string[], row: readonly string[]): boolean {
  let next = 0;
  for (const word of words) {
    const wanted = row[next] ?? '';
    if (wanted === '') break;
    if (word === wanted || word.startsWith(`${wanted}=`) || word.startsWith(`${wanted}/`)) next += 1;
  }
  return next >= row.filter((word) => word !== '').length;
}

/** Not where the secret goes into a file or a variable, or into a program that keeps it. */
function isShown(one: SimpleCommand, commands: readonly SimpleCommand[], at: number): boolean {
  if (/(?<![\d&])>{1,2}\s*(?!&|\/dev\/(?:stdout|stderr|tty))/.test(one.text)) return false;
  for (const later of commands.slice(at + 1)) {
    if (later.piped !== true) return true;
    if (!FILTERS.has(later.program)) return false;
  }
  return true;
}
