/** Rules for secrets that a command passes to a program: by a pipe, here-string, here-document, `<(…)`, or script. */
import { NAME } from './name-rules.ts';
import { SHELL_VALUE } from './program-rules.ts';
import { anyCase, makeRule, NO_PLAIN_SECRET, NO_SECRET, type SecretRule, WORD_START } from './secret-rule.ts';
import { EDGE } from './token-rules.ts';

/** Programs that read a password or a token from their input. */
const READERS = [
  'sudo\\s(?:[^\\n|;&]{0,60}?\\s)?-[A-Za-z]{0,4}S\\b',
  '(?:ch|smb|vnc|ldap|gpasswd|yp)?passwd\\b',
  'kinit\\b',
  'runas\\s',
  'su\\s',
  'cryptsetup\\b',
  'certutil\\b',
  'keepassxc-cli\\b',
  'ssh-add\\s{1,4}-',
  'secret-tool\\s{1,4}store\\b',
  '(?:go)?pass\\s{1,4}insert\\b',
  '[\\w-]{2,20}\\s{1,4}secrets?\\s{1,4}(?:set|put|add|create|import|versions\\s{1,4}add)\\b',
  'vercel\\s{1,4}env\\s{1,4}add\\b',
  'htpasswd\\s(?:[^\\n|;&]{0,60}?\\s)?-[A-Za-z]{0,6}i',
].join('|');
/** Options that make any program read a secret. */
const READER_OPTIONS =
  '(?:-stdin(?![\\w-])|--with-token|--passphrase-fd|--pwprompt|(?:configure|login)\\s[^\\n|;&]{0,60}?--token(?![\\w-])|-pass(?:in|out)?\\s{1,4}stdin)';
/** Up to a later place in the same simple command. */
const ON = '(?:[^\\n|;&]|\\\\\\n){0,200}?';

/** `-n`, `--`, `'%s\\n'`: options and format before the printed text. */
const FORMAT = '(?:(?:-[neE]{1,3}|--|\\\\{0,31}["\']?%[sb](?:\\\\{1,31}n)?\\\\{0,31}["\']?)\\s{1,4}){0,3}';
const SAYS = `${WORD_START}(?:echo|printf)\\s{1,4}${FORMAT}`;
/** The printed text, quoted or bare; quoted, it may contain the `\n` of several lines. */
const PRINTED = [
  `(?:(\\\\{0,31}")(?!${NO_SECRET})(?:[^"|\\\\\\n]|\\\\{1,31}[nrt]){1,500}`,
  `(')(?!${NO_PLAIN_SECRET})[^'|\\n]{1,500}`,
  `(?!["']|-[neE]{0,3}-?\\s|${NO_SECRET})[^\\s"'|;&()<>\\\\]{1,500})`,
].join('|');

const SECRET_WORD = '(?:pass|secret|token|key|cred|psk)[\\w-]{0,20}';

export function listSecretInputs(): readonly SecretRule[] {
  return [...listPipes(), ...listScripts()];
}

function listPipes(): readonly SecretRule[] {
  return [
    // The lines of `chpasswd` are pairs.
    ...listGiven('chpasswd\\b').map((given) => ({ ...given, kind: 'user-password', hints: ['chpasswd'] })),
    ...listGiven(READERS, READER_OPTIONS),
    // An option names what is asked for: `-o PreferredAuthentications=password`.
    rule(['<<<'], `((?:assword|assphrase)${ON}<<<\\s{0,4})(?:${SHELL_VALUE})`),
    rule(
      ['<(echo', '<(printf', '<( echo', '<( printf'],
      `((?:${WORD_START}(?:${READERS})|${READER_OPTIONS}|${SECRET_WORD})${ON}<\\(\\s{0,4}${SAYS})(?:${PRINTED})`,
    ),
    // `PASSWORD=$(echo …)`
    rule(
      ['$(echo', '$(printf', '$( echo', '$( printf', '`echo', '`printf'],
      `(${anyCase(`(?:${NAME}|${EDGE}pass)`)}=\\\\{0,31}["']?(?:\\$\\(|\`)\\s{0,4}${SAYS})(?:${PRINTED})`,
    ),
    // `--password-command 'echo …'`
    rule(
      ['password-command', 'password_command', 'passwordcommand', 'passwordeval', 'token-command', 'pass-cmd'],
      `((?:pass|secret|token)[\\w-]{0,20}(?:command|cmd|eval)[ =]{1,4}\\\\{0,31}["']?${SAYS})(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
  ];
}

/** The input of these programs, and of any program with one of the options. */
function listGiven(readers: string, options = '(?!)'): readonly SecretRule[] {
  const more = `(?:\\s{0,4};\\s{0,4}(?:echo|printf)\\s[^|;\\n]{0,200}){0,3}\\s{0,4}[)}]?\\s{0,4}`;
  const reader = `(?:\\|\\s{0,4}(?:sudo\\s{1,4}(?:-\\w{1,8}\\s{1,4}){0,3})?(?:${readers})|\\|[^|\\n]{0,200}${options})`;
  const reading = `(?:${WORD_START}(?:${readers})|${options})`;
  return [
    rule(['echo', 'printf'], `(${SAYS})(?:${PRINTED})(?=\\\\{0,31}["']?${more}${reader})`),
    rule(['<<<'], `(${reading}${ON}<<<\\s{0,4})(?:${SHELL_VALUE})`),
    // A here-document: its lines up to the word that ends it.
    rule(
      ["<<'", '<<"', '<<-', '<<\\', '<< ', '<<e'],
      `(${reading}${ON}<<-?\\s{0,4}\\\\{0,31}["']?[A-Z_]{2,20}\\\\{0,31}["']?[^\\n|;&\\\\]{0,80}(?:\\n|\\\\{1,31}n))(?!\\[redacted:)(?:[^\\\\\\n]|\\\\(?!n)|(?:\\n|\\\\{1,31}n)(?![A-Z_]{2,20}\\b)){1,500}`,
    ),
  ];
}

function listScripts(): readonly SecretRule[] {
  const asked = '(?:assword|assphrase|asscode)[^\\n"\'\\\\]{0,40}\\\\{0,31}["\'}]';
  const next = '(?:\\s|;|[{}()]|\\\\{1,31}[nrt]){0,20}';
  const quoted = '(?:\\\\{0,31}"[^"\\\\\\n]{0,200}\\\\{0,31}"|\'[^\'\\n]{0,200}\')';
  return [
    // Expect answers a password prompt; pexpect does the same in Python.
    rule(
      ['assword', 'assphrase', 'asscode'],
      `(${asked}${next}send\\s{1,4}(?:--?\\w{0,4}\\s{1,4})?\\\\{0,31}["{])(?!${NO_SECRET})[^"\\\\}\\n]+`,
    ),
    rule(
      ['assword', 'assphrase', 'asscode'],
      `(${asked}${next}[\\w.]{1,40}\\.send(?:line)?\\(\\s{0,4}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
    // A function with a password argument: `set_password('…')`, `PASSWORD('…')`, `bcrypt('…')`.
    rule(
      ['password(', 'passwd(', 'bcrypt(', 'password_', 'passwordhash('],
      `(${anyCase('(?<![\\w.](?:get|ask|read|prompt|reset|input|find|has|is|forgot))(?:password|passwd|bcrypt)\\w{0,12}')}\\(\\s{0,4}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\s]+`,
    ),
    // Functions with the arguments server, user and password.
    rule(
      ['pdo(', 'connect(', 'getconnection(', 'mysqli(', 'ftp.open('],
      `((?:PDO|connect|getConnection|mysqli|FTP\\.open)\\(\\s{0,4}(?:${quoted}\\s{0,4},\\s{0,4}){2}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+(?=\\\\{0,31}["']\\s{0,4}[,)])`,
    ),
    rule(
      ['auth=(', 'basicauth('],
      `([aA]uth(?:\\s?=\\s?)?\\(\\s{0,4}${quoted}\\s{0,4},\\s{0,4}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
    rule(['.auth('], `(\\.auth\\(\\s{0,4}${quoted}\\s{0,4},\\s{0,4}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`),
    rule(['.login('], `(\\.login\\(\\s{0,4}${quoted}\\s{0,4},\\s{0,4}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`),
    rule(
      ['create_user(', 'create_superuser('],
      `(create_(?:super)?user\\(\\s{0,4}(?:${quoted}\\s{0,4},\\s{0,4}){2}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
    // SQL
    rule(
      ['identified'],
      `(${anyCase('identified\\s{1,4}(?:with\\s{1,4}\\S{1,60}\\s{1,4}(?:as\\s{1,4})?)?by\\s{1,4}(?:password\\s{1,4})?')}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
    rule(
      ['password'],
      `(${anyCase('(?:with|login|encrypted)\\s{1,4}password\\s{1,4}')}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
    rule(
      ['set password'],
      `(${anyCase('set\\s{1,4}password(?:\\s{1,4}for\\s{1,4}[^=\\n]{1,80})?\\s{0,4}=\\s{0,4}')}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
    // `s/password: .*/password: …/`: the replacement of a stream editor.
    ...['/', '\\|', '#', ','].map((mark) =>
      rule(
        ['sed '],
        `(${WORD_START}sed\\s[^\\n]{0,80}?s${mark}[^\\n${mark}]{0,120}${mark}[^\\n${mark}]{0,80}?${anyCase('(?:pass|password|passwd|passphrase|secret|token|key)')}\\\\{0,31}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,31}["']?)(?!${NO_SECRET})[^\\s"'\\\\${mark}]+(?=[^\\n${mark}]{0,40}${mark})`,
      ),
    ),
    rule(
      ['pragma'],
      `(${anyCase('pragma\\s{1,4}(?:re)?key\\s{0,4}=\\s{0,4}')}\\\\{0,31}["'])(?!${NO_SECRET})[^"'\\\\\\n]+`,
    ),
    rule(['secret'], `(\\bSECRET\\s{1,4}\\\\{0,31}')(?!${NO_SECRET})[^'\\\\\\s]+(?=\\\\{0,31}')`),
    // Mail and file servers, with the commands of their protocols.
    rule(
      ['auth login', 'auth plain'],
      `(AUTH (?:LOGIN|PLAIN)(?:\\s|\\\\{1,31}[nr]){1,4}(?:\\[redacted:password\\](?:\\s|\\\\{1,31}[nr]){1,4})?)[A-Za-z0-9+/]{6,}={0,2}`,
    ),
    {
      ...rule(['ftp '], `((?:^|\\n|\\\\n)\\s{0,8}(?:quote\\s{1,4})?user\\s{1,4}\\S{1,60}\\s{1,4})${SHELL_VALUE}`),
      when: /\bs?ftp\b/,
    },
    rule(
      ['pass '],
      `(${WORD_START}USER\\s{1,4}[\\w.@-]{1,60}(?:\\s|\\\\{1,31}[nr]){1,8}PASS\\s{1,4})(?!\\[redacted:)[^\\s"'\\\\]+`,
    ),
    rule(['> pass ', 'quote pass '], `((?:-{1,3}> |quote )PASS )(?!\\[redacted:)\\S+`),
  ];
}

function rule(hints: readonly string[], source: string): SecretRule {
  return makeRule('password', hints, source);
}
