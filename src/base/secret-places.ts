/** Places in protocols and commands that hold nothing but credentials. */
import { anyCase, NO_PLAIN_SECRET, NO_SECRET, type SecretRule } from './secret-rule.ts';

/** The beginning of a word, also behind the `\n` of an escaped text. */
const START = '(?:\\b|(?<=\\\\[nrt]))';
/** To a value later in the same simple command. */
const LATER = '[^\\n|;&]{0,200}?\\s';
const LATER_OR_NOW = `(?:${LATER})?`;

/** A value in double quotes (also escaped ones), in single quotes, or bare. */
const VALUE = [
  `(?:(\\\\{0,31}")(?!${NO_SECRET})[^"\\\\\\n]+`,
  `(')(?!${NO_PLAIN_SECRET})[^'\\n]+`,
  `(?!["'\\\\-]|${NO_SECRET})[^\\s"'\\\\]+)`,
].join('|');

function argument(hint: string, before: string, kind = 'password'): SecretRule {
  return { kind, hints: [hint], pattern: new RegExp(`(${START}${before})${VALUE}`, 'g') };
}

/** A program that reads its password from where it is said to. */
const READER = '(?:-stdin(?![\\w-])|--with-token|sudo\\s{1,4}-S|chpasswd|--passphrase-fd)';
/** `-n`, `--`, `'%s\\n'`: before what is said. */
const FORMAT = '(?:(?:-[neE]{1,3}|--|\\\\{0,31}["\']%[sb](?:\\\\{1,31}n)?\\\\{0,31}["\'])\\s{1,4}){0,3}';

const SCHEME = '(?:basic|bearer|token|digest|negotiate|apikey|key)';

function listHeaders(): readonly SecretRule[] {
  return [
    {
      kind: 'authorization',
      hints: ['authorization'],
      pattern: new RegExp(
        `(authorization\\\\{0,31}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,31}["']?(?:${SCHEME}\\s{1,4})?)(?!${NO_SECRET})(?!${SCHEME}\\b)[^\\s"'\`,;\\\\]+`,
        'gi',
      ),
    },
    {
      kind: 'bearer-token',
      hints: ['bearer'],
      pattern: new RegExp(
        `(${START}bearer\\s{1,4})(?!${NO_SECRET})(?:(?=[A-Za-z._~+/=-]{0,80}\\d)[\\w.~+/=-]{8,}|[\\w.~+/=-]{20,})`,
        'gi',
      ),
    },
    {
      kind: 'basic-auth',
      hints: ['basic'],
      pattern: new RegExp(`(${START}basic\\s{1,4})(?=[A-Za-z+/]{0,80}[\\d=])[A-Za-z0-9+/]{8,}={0,2}`, 'gi'),
    },
    {
      kind: 'cookie',
      hints: ['cookie:'],
      pattern: new RegExp(`(${START}(?:set-)?cookie:\\s{0,4})(?!\\[redacted:)[^\\r\\n"'\\s\\\\][^\\r\\n"'\\\\]*`, 'gi'),
    },
  ];
}

function listUrls(): readonly SecretRule[] {
  return [
    {
      kind: 'url-credentials',
      hints: ['://'],
      pattern: new RegExp(
        `(:\\/\\/)(?!${NO_SECRET})(?:[^\\s/@:"'\`<>]{0,200}:(?!${NO_SECRET})[^\\s/"'\`<>]{1,500}|[^\\s/@:"'\`<>]{20,500})(?=@)`,
        'g',
      ),
    },
    {
      kind: 'url-credentials',
      hints: ['://'],
      // With a slash in the password. A port is none, and behind it may stand `@scope`.
      pattern: new RegExp(
        `(:\\/\\/)(?!\\[|${NO_SECRET})[^\\s/@:"'\`<>]{0,200}:(?!\\d{1,5}[/?#]|\\/|${NO_SECRET})[^\\s@"'\`<>]{1,300}(?:@[^\\s/@"'\`<>]{1,100}){0,3}(?=@)`,
        'g',
      ),
    },
    {
      kind: 'url-credentials',
      hints: ['@tcp', '@unix('],
      // As Go's drivers write it.
      pattern: new RegExp(
        `((?<![\\w.-])(?!redacted:)[\\w.-]{1,60}:)(?!${NO_SECRET})[^\\s"'\`\\\\]{1,200}(?=@(?:tcp6?|unix)\\()`,
        'g',
      ),
    },
    // Links that open what they point to.
    {
      kind: 'url-signature',
      hints: ['sig'],
      pattern: /(\b(?:sig|signature)=)(?=[^\s&]{0,80}\d)[A-Za-z0-9%+/_=-]{20,}/gi,
    },
  ];
}

/** `user:password`, each in quotes or not, or both in one pair of them. */
const USER_PASSWORD = [
  `(?:("|')(?!${NO_SECRET})[^\\s"':\\\\/]{1,100}:(?!${NO_SECRET})[^"'\\n]+`,
  `(\\\\{0,31}["']?)(?!\\[redacted:)[^\\s"':\\\\/]{1,100}["']?:(?!["']?(?:${NO_SECRET}))(?:"[^"\\n]+"|'[^'\\n]+'|[^\\s"'\\\\]+))`,
].join('|');

function listCommands(): readonly SecretRule[] {
  return [
    {
      kind: 'user-password',
      hints: ['-u'],
      // Not numeric ids (docker), nor a time format (date -u), nor host:/path (rsync -u), nor a user with their own group.
      pattern: new RegExp(
        `((?<![\\w-])(?:-[uU]|--user|--proxy-user)[ \\t=]{0,4})(?![ \\t=]|\\\\{0,31}["']?(?:[-+%]|\\d+:\\d+|\\$\\w+:\\d{1,6}(?!\\w)|([\\w-]+):\\2(?![\\w-])|[\\w.@-]+:[/~.]))${USER_PASSWORD}`,
        'g',
      ),
    },
    {
      kind: 'user-password',
      hints: ['curl'],
      // Short options in one word.
      pattern: new RegExp(`(${START}curl\\b${LATER}-[A-Za-z#]{1,8}[uU][ \\t]{0,4})${USER_PASSWORD}`, 'g'),
    },
    {
      kind: 'user-password',
      hints: ['http'],
      // HTTPie
      pattern: new RegExp(`(${START}https?\\s${LATER_OR_NOW}(?:-a|--auth)[ =]{1,4})${USER_PASSWORD}`, 'g'),
    },
    {
      kind: 'user-password',
      hints: ['smb', 'rpcclient'],
      // Samba: `user%password`, also with the domain before it.
      pattern: new RegExp(
        `(${START}(?:smb[a-z]{2,10}|rpcclient)\\b${LATER}(?:-U|--user(?:name)?)[ \\t=]{0,4}\\\\{0,31}["']?)[^\\s"'%]{1,100}%(?!${NO_SECRET})[^\\s"'\\\\]+`,
        'g',
      ),
    },
    // Without a sign of equality it is the name of a file.
    argument(
      'curl',
      `curl\\b${LATER}(?:-[A-Za-z#]{0,8}b|--cookie)[ =]{0,4}(?=\\\\{0,31}["']?[^\\s"'=]{1,100}=)`,
      'cookie',
    ),
    argument('sshpass', 'sshpass\\s{1,4}-p\\s{0,4}'),
    argument('mysql', `mysql\\w{0,10}\\b${LATER}-p(?=\\S)`),
    argument('mariadb', `mariadb\\w{0,10}\\b${LATER}-p(?=\\S)`),
    // docker, podman, helm, az …
    argument('login', '(?<=\\s)login\\s(?:[^\\n|;&]{0,200}?\\s)?-p[ =]{1,4}'),
    argument('redis-cli', `redis-cli\\b${LATER}-a\\s{1,4}`),
    argument('mongo', `mongo(?:sh|dump|restore|import|export)?\\b${LATER}-p\\s{1,4}`),
    argument('ldap', `ldap[a-z]{3,10}\\b${LATER}-w\\s{1,4}`),
    argument('zip', `(?:un)?zip\\b${LATER}-P\\s{1,4}`),
    argument('secret', `secrets?\\s{1,4}set\\b${LATER}(?:--body[ =]{1,4}|-b[ =]{0,4})`),
    argument('_auth', '(?<=[:/])_auth(?:Token)?[ =]{1,4}(?=\\S{8})'),
    { kind: 'password', hints: ['pass:'], pattern: /(\s-pass(?:in|out)?\s{1,4}["']?pass:)(?!\[redacted:)[^\s"'\\]+/g },
    {
      kind: 'password',
      hints: ['echo', 'printf'],
      // Said to a program that reads its password from the pipe.
      pattern: new RegExp(
        `(${START}(?:echo|printf)\\s{1,4}${FORMAT})(?:(\\\\{0,31}["'])(?!${NO_SECRET})[^"'|\\\\]{1,500}|(?!["']|${NO_SECRET})[^\\s"'|\\\\]{1,500})(?=\\\\{0,31}["']?\\s{0,4}\\|[^|\\n]{0,200}${READER})`,
        'g',
      ),
    },
    argument('<<<', `${READER}\\b[^\\n|;&]{0,200}<<<\\s{0,4}`),
  ];
}

function listFiles(): readonly SecretRule[] {
  return [
    // .netrc
    argument('password', 'login\\s{1,4}\\S{1,200}\\s{1,4}password\\s{1,4}'),
    // SQL
    argument('identified', anyCase('identified\\s{1,4}by\\s{1,4}(?=\\\\{0,31}["\'])')),
    argument('password', anyCase('(?:with|login|encrypted)\\s{1,4}password\\s{1,4}(?=\\\\{0,31}["\'])')),
  ];
}

/** Programs whose order of arguments tells the secret. */
function listTools(): readonly SecretRule[] {
  const options = '(?:-\\w{1,8}\\s{1,4}){0,3}';
  const setting = '[\\w.:/@-]{0,80}?(?:secret_access_key|session_token|password|token|secret)';
  return [
    argument(
      'config',
      `config(?:ure)?\\s{1,4}(?:set|--[a-z-]{2,20})(?:\\s{1,4}[\\w.=:/@-]{1,60}){0,3}?\\s{1,4}${setting}\\s{1,4}`,
    ),
    argument('htpasswd', `htpasswd\\s{1,4}${options}-(?=\\w{0,8}n)(?=\\w{0,8}b)\\w{1,8}\\s{1,4}\\S{1,100}\\s{1,4}`),
    argument(
      'htpasswd',
      `htpasswd\\s{1,4}${options}-(?!\\w{0,8}n)\\w{0,8}b\\w{0,8}\\s{1,4}${options}[^\\s-]\\S{0,200}\\s{1,4}\\S{1,100}\\s{1,4}`,
    ),
    argument('sqlcmd', `sqlcmd\\b${LATER}-P\\s{0,4}`),
    argument('twine', `twine\\b${LATER}-p\\s{1,4}`),
    argument('7z', `7z[ar]?\\b${LATER}-p(?=\\S)`),
    argument('rar', `(?:un)?rar\\b${LATER}-h?p(?=\\S)`),
    argument(
      'vault',
      `vault\\s{1,4}kv\\s{1,4}(?:put|patch)\\s(?:[^\\n|;&]{0,300}?\\s)?[\\w.][\\w.-]{0,60}=(?!@|-(?:\\s|$))`,
    ),
    argument('vault', `vault\\s{1,4}login\\s{1,4}(?:-[\\w=-]{1,60}\\s{1,4}){0,4}(?:token=)?(?!\\w{1,40}=)(?=\\S{16})`),
  ];
}

/** Something that is tried when a password is chosen: letters with figures, or a sign in the middle. No name of a method, file or part of code. */
const CHOSEN = [
  '(?!(?:sha|md|base|oauth|utf|argon|pbkdf|bcrypt|scrypt|hmac|aes|rsa|des|crypt|v|ipv|http|tls|ssl)-?\\d)',
  '(?=[^\\s"\'`]{0,60}[A-Za-z])(?=[^\\s"\'`]{0,60}(?:\\d|[!#$%^&*+~][A-Za-z0-9]))',
  '[A-Za-z0-9!#$%^&*+~@_-]{6,64}',
  '(?![A-Za-z0-9/=:(]|\\.[A-Za-z0-9])',
].join('');

/** Words that say how a password is, not which. */
const HOW_IT_IS = `(?:${anyCase('an?|the|not|no|now|never|too|in|at|on|wrong|invalid|incorrect|missing|required|optional|empty|blank|unset|set|stored|hashed|encrypted|expired|weak|strong|visible|hidden|masked|valid|ok|yes')})(?![\\w!#$%^&*+~@-])`;

/** As people say it: "use the password Xy…", "the passphrase is Xy…". */
function listSentences(): readonly SecretRule[] {
  const whose = '(?:the|my|our|your|their|his|her|this|that|with|using|use|root|admin|database|db|new|old)';
  const names = '(?:password|passphrase|passwd|passcode)';
  const is = '(?:\\s{1,4}(?:is|was|will be|should be|must be|to))?';
  // Begins at the rare word: what stands before it is looked at last.
  const said = anyCase(`${names}(?<=${START}${whose}\\s{1,4}${names})${is}\\s{1,4}`);
  return [
    {
      kind: 'password',
      hints: ['pass'],
      pattern: new RegExp(`(${said}\\\\{0,31}["'\`]?)(?!${NO_SECRET})${CHOSEN}`, 'g'),
    },
    {
      kind: 'password',
      hints: ['pass'],
      // With a colon it is announced: whatever follows, unless it says how the password is.
      pattern: new RegExp(
        `(${anyCase(`${names}\\s{1,4}(?:is|was)\\s{0,2}[:=]\\s{0,4}`)}(?!${HOW_IT_IS}))${VALUE}`,
        'g',
      ),
    },
  ];
}

export function listSecretPlaces(): readonly SecretRule[] {
  return [...listHeaders(), ...listUrls(), ...listCommands(), ...listTools(), ...listFiles(), ...listSentences()];
}
