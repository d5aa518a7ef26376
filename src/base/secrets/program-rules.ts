/**
 * Where programs take a secret on their command line, one row per program, as their manuals document it. A shape is read
 * from left to right; words and options may stand between its parts:
 *
 *   name~     a program whose name begins so
 *   -p *      the option's value, as the next word or behind `=`
 *   -p*       the same, or joined to the option (`-pVALUE`)
 *   -p+       only joined to the option: without a value the program asks for it
 *   -u _:*    a value with two halves, of which the second is the secret (also `_,*`, `_%*`, `_/*`)
 *   word      this word (a sub-command, or a name before the value); in `name._` and `_.name`, `_` is any name
 *   _         any word; `_SECRET` any name of a secret
 *   *         the word that follows
 *   *$        the last word of the command
 *   **        the word that follows, if it is as long as a token: the same words stand in sentences
 */

import { toLiteral } from '../text/regex-literal.ts';
import { NO_PLAIN_SECRET, NO_SECRET, SENTENCE_WORD, type SecretRule, WORD_START } from './secret-rule.ts';

const PROGRAMS: readonly (readonly [programs: string, ...shapes: readonly string[]])[] = [
  // Databases and queues
  ['mysql~|mariadb~', '-p+'],
  ['mysqladmin|mariadb-admin', 'password *'],
  ['mysqlsh', '--uri _:*'],
  ['mycli|cqlsh|cypher-shell|beeline|rabbitmqadmin|elasticsearch-users', '-p *'],
  ['influx', '-password *', '-t **'],
  ['mongo~', '-p *'],
  ['redis-cli|valkey-cli', '-a *', 'AUTH _ *', 'auth _ *', 'AUTH *', 'auth *'],
  ['sqlcmd|bcp', '-P*'],
  ['sqlplus|impdp|expdp|sqlldr|rman target', '_/*'],
  ['isql', '_ _ *'],
  ['rabbitmqctl', 'add_user _ *', 'change_password _ *', 'authenticate_user _ *'],
  ['mosquitto_~', '-P *', '-b _ _ *'],
  ['reset-admin-password', '*'],
  // Remote machines and files
  ['sshpass', '-p*'],
  ['lftp~', '-u _,*', '--user _,*'],
  ['ncftp~', '-p *'],
  ['ldap~', '-w *'],
  ['ldappasswd', '-s *', '-a *'],
  ['ipmitool', '-P *'],
  ['racadm|evil-winrm|crackmapexec|netexec|rdesktop', '-p *'],
  ['snmp~', '-A *', '-X *', '-c *'],
  ['xfreerdp~|wfreerdp', '/p:*'],
  ['nmcli', 'password *', '_.psk *', '_.password *'],
  ['wpa_passphrase', '_ *'],
  ['swaks', '-ap *'],
  ['skopeo|podman|buildah|regctl', '--creds _:*', '--src-creds _:*', '--dest-creds _:*'],
  ['curl', '--cert _:*', '-E _:*', '--proxy-cert _:*', '--oauth2-bearer *'],
  ['xh|xhs', '-a _:*', '--auth _:*'],
  ['ngrok', '--basic-auth _:*', 'add-authtoken **', 'authtoken **'],
  ['impacket-~|psexec.py|wmiexec.py|secretsdump.py', '_:*'],
  // Accounts
  ['useradd|usermod', '-p *'],
  ['virsh', 'set-user-password _ _ *'],
  ['drush', 'user:password _ *', 'user-password _ *', 'upwd _ *'],
  ['mkpasswd', '*', '-m _ *'],
  ['caddy', '--plaintext *'],
  ['net user|net.exe user', '_ *'],
  ['net use|net.exe use', '_ _ *'],
  ['netsh', 'keyMaterial=*'],
  ['setx|set -x|set -gx|set -Ux', '_SECRET *'],
  ['ConvertTo-SecureString', '*', '-String *'],
  // Keys, certificates and encryption
  [
    'openssl',
    '-k *',
    '-K *',
    '-hmac *',
    '-psk *',
    '-pass pass:*',
    '-passin pass:*',
    '-passout pass:*',
    '-password pass:*',
  ],
  ['openssl passwd', '*$'],
  ['ssh-keygen', '-N *', '-P *'],
  [
    'keytool',
    '-storepass *',
    '-keypass *',
    '-srcstorepass *',
    '-deststorepass *',
    '-srckeypass *',
    '-destkeypass *',
    '-new *',
  ],
  ['jarsigner', '-storepass *', '-keypass *'],
  ['apksigner', '--ks-pass pass:*', '--key-pass pass:*'],
  ['unlock-keychain|create-keychain', '-p *'],
  ['set-key-partition-list', '-k *'],
  ['security import', '-P *'],
  ['add-generic-password|add-internet-password', '-w *'],
  ['signtool|signtool.exe', '/p *'],
  ['pk12util', '-W *', '-K *', '-w *'],
  ['altool', '-p *'],
  ['zip|zipcloak|unzip', '-P *'],
  ['7z|7za|7zr|7zz|rar|unrar', '-p+', '-hp+'],
  ['qpdf', '--encrypt *', '--encrypt _ *'],
  ['pdftk', 'input_pw *', 'owner_pw *', 'user_pw *'],
  ['pdftotext|pdftoppm|pdfinfo|pdfimages|pdftocairo|pdftohtml', '-upw *', '-opw *'],
  ['veracrypt|yt-dlp|youtube-dl', '-p *'],
  ['oathtool', '*$'],
  ['wg set', 'private-key *', 'preshared-key *'],
  ['ansible-vault', 'encrypt_string *'],
  ['sops --set', '*'],
  // Password managers
  ['bw unlock', '*'],
  ['bw login', '_ *', '--code *'],
  ['rclone', 'obscure *', 'config password _ _ *', 'config pass *', 'config key **', 'config secret *'],
  ['rclone', 'config secret_access_key *', 'config token *', 'config client_secret *'],
  ['chamber write', '_ _ *'],
  ['pulumi config set --secret', '_ *'],
  // Registries, clouds and builds
  ['login', '-p *'],
  ['az', 'create -p *', 'update -p *'],
  ['aws', '--secret-string *', '--secret-binary *', 'SecureString --value *'],
  ['kubectl', '--from-literal _=*'],
  ['oc create', '--from-literal _=*'],
  ['secret set|secrets set', '_=*', '--body *', '-b*', '--value *'],
  ['user-secrets set', '_ *'],
  ['dotnet nuget', '-p *'],
  ['netlify', '--auth *'],
  ['jenkins-cli|jenkins-cli.jar', '-auth _:*'],
  ['twine|poetry publish', '-p *'],
  [
    'poetry config|composer config',
    'http-basic._ _ *',
    'pypi-token._ *',
    'github-oauth._ *',
    'gitlab-token._ *',
    'bearer._ *',
  ],
  ['cargo login', '**'],
  ['gem push', '--key *'],
  ['nuget push|nuget.exe push', '-ApiKey *'],
  ['mc alias set|mc config host add', '_ _ _ *'],
  ['mc admin user add', '_ _ *'],
  ['swift', '-K *'],
  ['vault kv', 'put _=*', 'patch _=*'],
  ['vault operator unseal', '**'],
  ['vault write', 'password=*'],
  ['consul acl set-agent-token', '_ *'],
  // Text typed into another window is private.
  ['xdotool type|ydotool type|input text', '*'],
];

/** Blanks, also with a line continuation. */
const BLANK = '(?:[ \\t]|\\\\\\n){1,8}';
/** Up to a later part of the same simple command. */
const LATER = `(?:(?:[^\\n|;&]|\\\\\\n){0,200}?${BLANK})?`;
/** Options before a word, each alone or with `=value`; on Windows `/name:value`. */
const OPTIONS = `(?:(?:--?[\\w-]{1,40}(?:=\\S{1,80})?|\\/[a-z]{1,20}:\\S{1,80})${BLANK}){0,5}`;
const ANY_WORD =
  '(?:\\\\{0,31}"[^"\\\\\\n]{0,200}\\\\{0,31}"|\'[^\'\\n]{0,200}\'|[^\\s"\'|;&<>-][^\\s"\'|;&<>]{0,200})';
const SECRET_NAME = '\\w{0,40}(?:PASS|PASSWORD|PASSWD|SECRET|TOKEN|KEY)';

/**
 * In double quotes (also escaped ones), in single quotes, or bare up to the end of the shell word. Adjacent pieces are
 * one word: `'a''b'`.
 */
export const SHELL_VALUE = [
  `(?:(\\\\{0,31}")(?!${NO_SECRET})[^"\\\\\\n]+(?:""[^"\\\\\\n]{1,200}|"'[^'\\n]{1,200}(?='))*`,
  `(')(?!${NO_PLAIN_SECRET})[^'\\n]+(?:''[^'\\n]{1,200}|'"[^"\\\\\\n]{1,200}(?="))*`,
  // A slash with letters is an option of Windows programs: `/add`.
  `(?!["'\\\\<>(|&;-]|\\d[<>]|\\/[A-Za-z]{1,20}(?:[\\s:]|$)|${SENTENCE_WORD}|${NO_SECRET})(?:[^\\s"'\`|;&<>()\\\\]|\\\\(?![nrt"'])[^\\s])+(?:'[^'\\n]{1,200}'|"[^"\\\\\\n]{1,200}")?)`,
].join('|');

/** Built when a text is first redacted, not when the hook loads. */
export function listSecretPrograms(): readonly SecretRule[] {
  return PROGRAMS.flatMap(([programs, ...shapes]) => shapes.map((shape) => toRule(programs.split('|'), shape)));
}

function toRule(programs: readonly string[], shape: string): SecretRule {
  let made: RegExp | undefined;
  return {
    kind: 'password',
    // A short name is followed by a blank, because few texts contain the two by chance.
    hints: programs.map((name) => toHint(name)),
    // Built on first use, because a text names few of these programs.
    get pattern() {
      made ??= toPattern(programs, shape);
      return made;
    },
  };
}

/** Words that another rule already searches for cost nothing. */
function toHint(name: string): string {
  if (/^secrets? /.test(name)) return 'secret';
  return (name.length < 4 ? `${name} ` : name.replace('~', '')).toLowerCase();
}

function toPattern(programs: readonly string[], shape: string): RegExp {
  const names = programs.map((name) => toLiteral(name).replaceAll(' ', BLANK).replace('~', '[\\w-]{0,16}')).join('|');
  const parts = shape.split(' ');
  const before = parts.slice(0, -1).map((part, n) => toPart(part, n === parts.length - 2));
  const isNext = parts.length > 1;
  return new RegExp(
    `(${WORD_START}(?:${names})${BLANK}${before.join('')})${toSecret(parts.at(-1) ?? '', isNext)}`,
    'g',
  );
}

/** A part before the secret, with the blanks after it. */
function toPart(part: string, isBeforeSecret: boolean): string {
  if (part === '_') return `${OPTIONS}${ANY_WORD}${BLANK}${isBeforeSecret ? OPTIONS : ''}`;
  if (part === '_SECRET') return `${OPTIONS}${SECRET_NAME}${BLANK}`;
  const literal = toLiteral(part).replaceAll('_', /^_|_$/.test(part) ? '[\\w.@-]{1,80}' : '_');
  return `${LATER}${literal}${isBeforeSecret && /^-/.test(part) ? `(?:${BLANK}|=)` : BLANK}`;
}

/** The secret with its option. `isNext`: it is the next word; otherwise it may come anywhere later. */
function toSecret(part: string, isNext: boolean): string {
  if (part === '*') return SHELL_VALUE;
  if (part === '**') return `(?=\\S{16})${SHELL_VALUE}`;
  if (part === '*$')
    return `(${LATER})${SHELL_VALUE}(?=\\\\{0,31}["']?\\s{0,8}(?:$|[\\n|;&)<>\`#,}]|\\\\{1,31}[nr"']))`;
  const later = isNext ? '' : LATER;
  const name = toLiteral(part.slice(0, -1)).replace('_', `[^\\s"'|;&<>]{1,100}?`);
  const gap = part.endsWith('*') && /^[-/]\w+$/.test(part.slice(0, -1)) ? '(?:[ \\t]{1,4}|=)?' : '';
  return [
    `(?:(${later}\\\\{0,31}"${name})(?!${NO_SECRET})[^"\\\\\\n]+`,
    `(${later}'${name})(?!${NO_PLAIN_SECRET})[^'\\n]+`,
    `(${later}${name}${gap})${SHELL_VALUE})`,
  ].join('|');
}
