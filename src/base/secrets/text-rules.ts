/** Rules for secrets in files of known formats, and in sentences. */
import { anyCase, makeRule, NO_SECRET, type SecretRule, WORD_START, WORD_VALUE } from './secret-rule.ts';

/** The end of a line, also in an escaped text. */
const LINE_END = '(?:\\r?\\n|\\\\{1,31}n)';
export function listSecretTexts(): readonly SecretRule[] {
  return [...listFiles(), ...listSentences()];
}

function listFiles(): readonly SecretRule[] {
  const kind =
    /kind\\{0,31}["']?\s{0,4}:\s{0,4}\\{0,31}["']?Secret\b|\b(?:kubectl|oc)\s[^\n|;&]{0,200}?\bsecrets?[\s/]/;
  const data = `(?:(?<![\\w-])|(?<=\\\\n))\\\\{0,31}["']?(?:data|stringData)\\\\{0,31}["']?\\s{0,4}:\\s{0,4}`;
  return [
    // .netrc
    password(['password'], `login\\s{1,4}\\S{1,200}\\s{1,4}password\\s{1,4}`, WORD_VALUE),
    // .pgpass: host:port:database:user:password
    password(
      [':*:', ':5432:', ':5433:', ':6432:', ':6543:'],
      `(?:^|[\\n"']|\\\\n)[\\w.*-]{1,80}:(?:\\*|\\d{4,5}):[\\w*-]{1,60}:[\\w*.-]{1,60}:`,
      `(?!\\s|${NO_SECRET})[^\\s"'\\\\]+`,
    ),
    // A Kubernetes Secret: all of its values, as YAML and as JSON.
    {
      ...password(
        ['secret'],
        `${data}${LINE_END}`,
        `(?:[ \\t]{1,16}[^\\s:]{1,200}:[^\\n\\\\]{0,20000}(?:\\\\(?!n)[^\\n\\\\]{0,2000}){0,20}(?:${LINE_END}|$)){1,100}`,
        'kubernetes-secret',
      ),
      when: kind,
    },
    { ...password(['secret'], `${data}\\{`, `(?!\\[redacted:)[^{}]{3,}(?=\\})`, 'kubernetes-secret'), when: kind },
    // Redis: its configuration, and `CONFIG SET`.
    password(['requirepass', 'masterauth'], `(?<![\\w-])(?:requirepass|masterauth)[ \\t]{1,4}`, WORD_VALUE),
    // A kubeconfig
    password(['client-key-data'], `client-key-data\\\\{0,31}["']?:\\s{0,4}\\\\{0,31}["']?`, `[A-Za-z0-9+/]{4,}={0,2}`),
    // Password hashes, as in /etc/shadow, .htpasswd and databases.
    {
      kind: 'password-hash',
      hints: ['$1$', '$2a$', '$2b$', '$2y$', '$5$', '$6$', '$y$', '$apr1$', '$argon2'],
      pattern: /\$(?:1|2[aby]|5|6|y|apr1|argon2id?)\$[A-Za-z0-9./$,=+-]{20,}/g,
    },
    // Docker's config.json
    password(
      ['"auth"', 'auth\\"'],
      `\\\\{0,31}"auth\\\\{0,31}"\\s{0,4}:\\s{0,4}\\\\{0,31}"`,
      `[A-Za-z0-9+/]{6,}={0,2}`,
    ),
    password(['unseal key', 'recovery key'], `(?:Unseal|Recovery) Key \\d{1,2}: `, `[A-Za-z0-9+/=]{20,}`),
    // Oracle's drivers
    password(['jdbc:oracle'], `jdbc:oracle:\\w{1,10}:[^\\s/@"']{1,60}\\/`, `(?!${NO_SECRET})[^\\s"'@]+(?=@)`),
    password([' psk', '\tpsk', 'psk='], `(?<![\\w.-])psk\\s{0,4}[:=]\\s{0,4}`, WORD_VALUE),
  ];
}

function password(hints: readonly string[], before: string, value: string, kind = 'password'): SecretRule {
  return makeRule(kind, hints, `(${before})${value}`);
}

/** Letters with digits, or a special character inside, as no word of prose has; not a method, file or other code. */
const CHOSEN = [
  '(?!(?:sha|md|base|oauth|utf|argon|pbkdf|bcrypt|scrypt|hmac|aes|rsa|des|crypt|v|ipv|http|tls|ssl)-?\\d)',
  '(?=[^\\s"\'`]{0,60}[A-Za-z])(?=[^\\s"\'`]{0,60}(?:\\d|[!#$%^&*+~][A-Za-z0-9]))',
  '[A-Za-z0-9!#$%^&*+~@_-]{6,64}',
  '(?![A-Za-z0-9/=:(]|\\.[A-Za-z0-9])',
].join('');
/** Upper case, lower case and a digit; also with characters of code, and without a word before the name. */
const STRONG =
  '(?=[^\\s"\'`]{0,60}[a-z])(?=[^\\s"\'`]{0,60}[A-Z])(?=[^\\s"\'`]{0,60}\\d)(?!https?:|[\\w.-]{1,60}\\()[A-Za-z0-9!#$%^&*+~@_.=?:,-]{7,64}[A-Za-z0-9!#$%^&*+~@_=?](?![A-Za-z0-9/(])';

/** Words that describe a password without being one. */
const STATES =
  'an?|the|not|no|now|never|too|in|at|on|by|for|from|to|of|as|ok|yes|wrong|invalid|incorrect|missing|optional|empty|blank|unset|set|weak|strong|hidden|valid|same|different|unique|safe|short|long|case|plain|available|correct|fine|unknown|due|kept|known|lost|there|here|\\w{2,20}(?:ed|ing|able)';
const HOW_IT_IS = `(?:${anyCase(STATES)})(?![\\w!#$%^&*+~@-])`;

/** Nouns that follow "password" in prose: "with password authentication", "use password files". */
const PASSWORD_NOUN =
  '(?:\\w{2,20}(?:tion|ing|ment|ity|er|ers|or|ors|less|ies|es|word|words)|access|again|change|check|column|database|entry|environment|expiry|field|fields|files?|first|flag|form|grants?|hash|hint|input|instead|login|logins|option|options|page|policy|prompt|prompts|recovery|reset|rotate|rule|rules|stdin|storage|store|strength|support|update|variable|vault)(?![\\w-])';

const HINTS = ['password', 'passphrase', 'passwd', 'passcode'];

/** Sentences of people: "use the password Xy…", "the passphrase is Xy…". */
function listSentences(): readonly SecretRule[] {
  const whose = '(?:the|my|our|your|their|his|her|this|that|with|using|use|root|admin|database|db|new|old)';
  const names = '(?:password|passphrase|passwd|passcode)';
  const is = '(?:\\s{1,4}(?:is|was|will be|should be|must be|to))?';
  // Begins at the rare word; the text before it is checked last.
  const stated = anyCase(`${names}(?<=${WORD_START}${whose}\\s{1,4}${names})${is}\\s{1,4}`);
  // Begins at the rare word, too.
  const noted = anyCase(
    `(?:${names}|pw|pwd|pin|pass(?=\\s{0,2}[:=]))(?<=(?:^|[\\s;])(?:#|\\/\\/|--)[ \\t][^\\n]{0,120})(?:\\s{1,4}is|\\s{0,2}[:=])?\\s{1,4}`,
  );
  return [
    // "# the pin is 4711", "# root pw 4711", "# pass = 4711", in a comment.
    password([...HINTS, 'pw ', 'pwd ', 'pin', 'pass'], `(?<![A-Za-z0-9])${noted}`, `\\d{4,12}(?![\\w.:/%-])(?! [a-z])`),
    password(HINTS, `${stated}\\\\{0,31}["'\`]?`, `(?!${NO_SECRET})${CHOSEN}`),
    password(HINTS, `${anyCase(`${names}${is}\\s{1,4}`)}\\\\{0,31}["'\`]?`, `(?!${NO_SECRET})${STRONG}`),
    // "Generated password for user bob: Xy…", "A password was generated: Xy…", alone on its line.
    password(
      HINTS,
      `${anyCase(`${names}\\s{1,4}(?:[a-z]{1,12}\\s{1,4}){0,3}(?:(?:for|of)\\s|(?:generated|created|set|reset)(?![a-z]))`)}[^\\n:\\\\]{0,80}:\\s{1,4}`,
      `(?!${NO_SECRET})(?=\\S{0,60}\\d)[^\\s"'\\\\]{6,64}(?=\\s{0,4}(?:$|\\n|["'\\\\]))`,
    ),
    // "Your new API key is Xy…"
    password(
      ['key is', 'token is', 'key was', 'token was'],
      `${anyCase('(?:api|access|secret|auth|license)[ _-]?(?:key|token)\\s{1,4}(?:is|was)\\s{0,2}:?\\s{1,4}')}\\\\{0,31}["'\`]?`,
      `(?!${NO_SECRET})(?:${CHOSEN}|${STRONG})`,
    ),
    // "credentials for staging: ann / Xy…"
    password(
      ['creds', 'credentials', 'login:', 'login is'],
      `(?:creds|credentials|login)(?:[^\\n:]{0,40}:|\\s{1,4}(?:is|are))\\s{1,4}[\\w.@-]{1,60}\\s{0,2}\\/\\s{0,2}`,
      `(?!${NO_SECRET})${STRONG}`,
    ),
    // "# login ann / Xy…"
    password(['login '], `(?<![\\w-])login[ \\t]{1,4}[\\w.@-]{1,60}[ \\t]\\/[ \\t]`, `(?!${NO_SECRET})${STRONG}`),
    // "log in with password zebra" at the end of a text, unless the word is a noun of prose.
    password(
      HINTS,
      `${anyCase(`(?:with|using|use|enter|type)\\s{1,4}(?:the\\s{1,4})?${names}\\s{1,4}`)}(?!${HOW_IT_IS}|${NO_SECRET}|${PASSWORD_NOUN})`,
      `[a-z]{6,40}(?=[.!]?\\s{0,4}(?:$|\\n|\\\\{1,31}n|\\\\{0,31}["']))`,
    ),
    // After a colon, anything that does not describe the password.
    password(HINTS, `${anyCase(`${names}\\s{1,4}(?:is|was)\\s{0,2}[:=]\\s{0,4}`)}(?!${HOW_IT_IS})`, WORD_VALUE),
    // "# the password is zebra" at the end of a text.
    password(
      HINTS,
      `${anyCase(`${names}\\s{1,4}is\\s{1,4}`)}(?!${HOW_IT_IS}|${NO_SECRET})`,
      `[a-z]{4,30}(?=\\s{0,4}(?:$|\\n|\\\\{1,31}n|\\\\{0,31}["']\\s{0,4}[,})]))`,
    ),
  ];
}
