/**
 * Rules for values after a name that marks a secret, also when the name is misspelt (`--passwrd`). Misspelt names matter
 * because calls that fail on them become lessons, and their values are just as secret.
 */
import { remember } from '../bounded-memory.ts';
import { toEditDistance } from '../text/edit-distance.ts';
import { anyCase, makeRule, NO_PLAIN_SECRET, NO_SECRET, SENTENCE_WORD, type SecretRule } from './secret-rule.ts';
import { ONE_TIME_PASSWORD } from './secret-values.ts';
import { EDGE } from './token-rules.ts';

/** Prefixes that name the owner of the password. */
const OWNERS =
  'admin|app|auth|db|ftp|key|keystore|login|mail|my|mysql|pg|postgres|proxy|redis|root|smtp|sql|ssh|store|sudo|truststore|user';

export const NAME = [
  // Not 1Password, a program whose messages begin with its name; nor `wrong password: a.zip`, which names the file.
  'pass(?:word|wd|phrase|code)(?<!(?:1|(?:wrong|bad|invalid|incorrect|expired) )pass(?:word|wd|phrase|code))',
  // `pwd` is also the working directory.
  'pwd(?!\\\\{0,31}["\']?\\s{0,8}[:=]\\s{0,8}\\\\{0,31}["\']?[/~.$])',
  '(?<=[A-Za-z0-9][_-])pass',
  '(?<![A-Za-z0-9])pw',
  `(?:${OWNERS})pass`,
  'secret(?:[_-]?access)?(?:[_-]?key)?(?:[_-]?base)?',
  // Not the token that parsers complain about.
  '(?<!unexpected )token',
  'api[_-]?key',
  '(?:access|account|private|signing|encryption|auth|master|storage)[_-]?key',
  'connection[_-]?string',
  'rediscli_auth',
].join('|');

/** Words of messages about a secret: what happened to it, what is wrong with it. */
const MESSAGE_WORDS =
  'aborted|argument|authentication|bad|cancell?ed|cannot|changed|could|denied|error|exists?|expected|expired|expiry|failed|failure|forbidden|found|http|ignored|incorrect|interrupted|invalid|mismatch|missing|must|needs|no such|none|not|password|permission|refused|rejected|required|requires|revoked|should|sorry|token|too|try|unable|unbound|undefined|unauthorized|unexpected|unknown|unset|usage|wrong|(?:is|are|was|were) (?:not )?(?:null|empty|set|\\w{3,20}(?:ed|able))|\\w{3,20}ed by';
/** `1Password: failed to fill …`, `token: item not found`: plain words, one of which reports what happened. */
const MESSAGE = `[ \\t]{1,4}(?=[^\\n"':=,]{0,80}?(?<![\\w-])(?:${MESSAGE_WORDS})(?![\\w-]))[A-Za-z(][A-Za-z'/._()-]{0,40}[ \\t]{1,4}[A-Za-z('"\\d]`;
/** `DB_PASSWORD: Required` and nothing more; `chpasswd: (line 1, …) …`. */
const REMARK =
  '[ \\t]{1,4}(?:(?:denied|expired|failed|forbidden|incorrect|invalid|mismatch|missing|refused|rejected|required|revoked|unauthorized|undefined|unset|wrong)(?=[.!]?(?:$|\\n|\\\\n))|\\([a-z]{1,20}[ \\t])';
/** The message of a commit that is written or searched for: the words after the colon describe a change. */
const COMMIT = `[ \\t]{1,4}(?<=(?:-[a-z]{0,4}m|--message|--grep)[ =]{1,2}\\\\{0,31}["'][^"'\\n]{1,120})[a-z]{2,20}[ \\t]{1,4}[a-z]{2,20}(?![a-z0-9!@#$%^&*_-])`;
/** An expression of code: a call, a field, a keyword with its operand. */
const CODE = [
  '[ \\t]{1,4}(?:await|new|yield|typeof|lambda|not)[ \\t]',
  '[ \\t]{1,4}[A-Za-z_$][A-Za-z_$]{0,40}(?:\\??\\.[A-Za-z_$][\\w$]{0,40}){0,4}[([](?=[)\\]"\'\\w])',
  '[ \\t]{1,4}(?:process\\.env|import\\.meta\\.env|os\\.environ|env|config|this|self|req|request|options|settings|props|ctx|args|params)\\??\\.[A-Za-z_$][\\w$.]{0,80}(?![^\\s;,)}\\]])',
].join('|');

// `${NAME:?message}` is not an assignment.
const SIGN = `(?::=|=>|:(?![=~>:?+]|${anyCase(`${MESSAGE}|${REMARK}|${COMMIT}`)})|=(?![=~>:]))(?!${CODE})`;
/**
 * The text between a name and its value: `name=`, `name: `, `"name": `, `'name' => `, `name := `, `"name": ["`; but not
 * `name ==` or `name =~`.
 */
const ASSIGNED = `\\\\{0,31}["'\`]?\\s{0,8}${SIGN}\\s{0,8}(?:\\[\\s{0,8}(?=\\\\{0,31}["']))?`;
/** `os.environ['NAME'] = 'x'`, `$cfg["name"] ??= "x"`. An unquoted value is code. */
const SUBSCRIPT = `\\\\{0,31}["']?\\s{0,2}\\]\\s{0,4}(?:\\|\\||\\?\\?)?=\\s{0,8}(?=\\\\{0,31}["'\`])`;
/**
 * `os.putenv('NAME', 'x')`, `define('NAME', 'x')`, `getenv('NAME', 'x')`: a function that stores a value under a name,
 * or takes a default for it. A second argument with a blank is more likely a message.
 */
const STORED = `\\\\{0,31}["'](?<=(?<![a-z])(?:set(?:_?env|_?default|_?property|_?item|_?config|_?secret)?|put(?:env)?|get(?:_?env|_?property)?|fetch|define|fill|append)\\(\\s{0,4}\\\\{0,31}["'][^"'\\\\\\s()]{0,80}\\\\{0,31}["'])\\s{0,4},\\s{0,4}(?=\\\\{0,31}["'][^\\s"'\\\\]{1,200}\\\\{0,31}["'])`;
/** `jq --arg name x`, `read NAME <<< x`. */
const ARGUMENT = `[ \\t]{1,4}(?<=--arg[ \\t]{1,4}[a-z0-9_]{1,60}[ \\t]{1,4})(?!-)|[ \\t]{0,4}<<<[ \\t]{0,4}(?<=(?<![a-z0-9_-])read[ \\t][^\\n|;&]{0,80})`;
/** `--db-password value`; a flag without a value, or before another flag, is kept. */
const FLAG = `(?<![\\w/])\\/(?:pass|password|pwd):(?=\\S)|(?<![\\w-])--?(?:[A-Za-z0-9]+[_-]){0,4}(?:[a-z]{0,12}pass(?<!bypass|compass)|passwd|password|passphrase|passcode|secret|token|(?:api|secret|access|account|auth|shared|master|signing|encryption|storage|license)-?key)[ \\t]{1,4}(?!-|id=|\\(|\\||&|;|>|<|(?:env|file|fd):|stdin(?!\\w)|(?:[A-Z]{2,12}_){0,3}(?:PASS|PASSWORD|PASSWD|PASSPHRASE|TOKEN|SECRET|KEY|STRING|VALUE)(?![\\w!@#$%-])|${SENTENCE_WORD})`;

/** The shell joins adjacent pieces: `a"b"`, `'a''b'`. A comma or colon separates texts. */
const PIECE = '[^"\'\\s,:{}[\\]\\\\]{1,200}';
const MORE = `(?:["'](?:"${PIECE}(?=")|'${PIECE}(?=')))*`;

/** In double quotes, in single quotes, in quotes that are themselves escaped, in backticks, bare. */
const SECRET_VALUE = [
  `(\\$')[^'\\n]+`,
  `(")(?!${NO_SECRET})(?:[^"\\\\]|\\\\[\\s\\S])+${MORE}`,
  `(')(?!${NO_PLAIN_SECRET})[^']+${MORE}`,
  `(\\\\{1,31}")(?!${NO_SECRET})[^"'\\\\]+`,
  `(\\\\{1,31}')(?!${NO_PLAIN_SECRET})[^"'\\\\]+`,
  // Backticks may also contain a command or a name.
  `(\`)(?!${NO_SECRET})(?=[^\`\\s]{0,80}\\d|[^\`\\s]{16})[^\`\\s]+`,
  `(?!["'\`]|\\\\{1,31}["']|[[{]\\s{0,8}\\\\{0,31}["']|${NO_SECRET})(?:[^\\s"'\`&|<>;\\\\]|\\\\(?![nrt"'])[ &|<>;]?)+(?:"${PIECE}"|'${PIECE}')*`,
].join('|');

/** Test runners print such words after the number of passed tests. */
const NO_PASSWORD = `\\\\{0,31}["']?(?:\\d[\\d.,/%]*|${anyCase('yes|no|ok|all|passed|failed|fail|skipped|warn|error')})(?![^\\s"'\`,;)}\\]\\\\])`;
/** `pass=x`, and `pass: x` where it is a name and not the end of a sentence. `PASS: a.test` is a verdict. */
const PASS = [
  `${EDGE}${anyCase('pass')}=(?=\\S)`,
  `(?<![A-Za-z0-9)][ \\t]{1,4})${EDGE}pass\\\\{0,31}["']?[ \\t]{0,4}${SIGN}(?:[ \\t]{1,4}|(?=["']))`,
  `["']${anyCase('pass')}\\\\{0,31}["']\\s{0,4}${SIGN}\\s{0,4}`,
].join('|');
/** A number passed to a command: `PASS=4711 ./login.sh`; but not `PASS=1200 FAIL=3`. */
const PASS_NUMBER = `${EDGE}PASS=(?=\\d{4,8}[ \\t]{1,4}(?![A-Z]{2,20}=)[\\w./]*[./][\\w./])`;

const NAMES_IN_XML =
  '(?:password|passwd|passphrase|secret|token|api[_-]?key|(?:access|secret|private)[_-]?key|connection[_-]?string)';

function listXml(): readonly SecretRule[] {
  const hints = ['pass', 'secret', 'token', 'key', 'connection'];
  const ofElement = `<(?:[\\w.-]{1,40}:)?[\\w.-]{0,40}?${NAMES_IN_XML}(?:\\s[^<>]{0,200})?>\\s{0,8}`;
  const ofAttribute = `(?:key|name)=\\\\{0,31}["'][^"'<>\\\\]{0,60}?${NAMES_IN_XML}\\\\{0,31}["']\\s{1,8}value=\\\\{0,31}["']`;
  const ofKey = `<key>[^<>]{0,60}?${NAMES_IN_XML}<\\/key>\\s{0,40}<string>`;
  return [
    // A property list of macOS: the value is in the element after its name.
    makeRule('credential', ['<string>'], `(${anyCase(ofKey)})(?!${NO_PLAIN_SECRET})[^<>]{1,2000}(?=<)`),
    makeRule(
      'credential',
      hints,
      `(${anyCase(ofElement)})(?!${NO_PLAIN_SECRET})[^<>\\s][^<>]{0,2000}(?=<\\\\{0,31}\\/)`,
    ),
    makeRule('credential', hints, `(${anyCase(ofAttribute)})(?!${NO_PLAIN_SECRET})[^"'<>\\\\]+`),
  ];
}

/** Passwords of several words. */
function listPhrases(): readonly SecretRule[] {
  const hints = ['password', 'passphrase', 'passwd', 'pass='];
  // Lower case only, because the value of a variable (`sh -c "PGPASSWORD=… psql"`) ends at the blank.
  const name = '[a-z_.-]{0,40}pass(?:word|wd|phrase)?=';
  const words = `[a-z]{2,30}(?: [a-z]{2,30}){2,11}(?=[ \\t]{1,4}-|\\s{0,4}(?:$|[\\n;&|"']|\\\\{1,31}[n"']))`;
  const before = anyCase(
    `(?:--?[\\w-]{0,40}(?:password|passphrase)=|(?:password|passphrase):(?!${MESSAGE}|${COMMIT})[ \\t]{1,4})`,
  );
  return [
    // The quotes begin before the name and end with the value: `-F 'password=two words'`.
    ...["'", '"', '\\\\{1,31}"'].map((quote) =>
      makeRule(
        'credential',
        hints,
        `((?<=[\\s(=])(?<![:,]\\s{0,2})${quote}${name})(?!${NO_SECRET})[^'"\\\\\\n]+(?=${quote})`,
      ),
    ),
    makeRule('credential', hints, `(${before})(?!${NO_SECRET})${words}`),
  ];
}

/** The value of any option is a secret if it mixes upper case, lower case and digits and is not a path. */
function listOptions(): readonly SecretRule[] {
  const mixed = '(?=[^\\s/]{0,60}[a-z])(?=[^\\s/]{0,60}[A-Z])(?=[^\\s/]{0,60}\\d)';
  const end = '(?![^\\s"\'`;&|)\\\\])';
  return [
    {
      kind: 'password',
      hints: ['pin'],
      // Digits only, because `--pin` also fixes a version.
      pattern: /((?<![\w-])--?(?:[a-z]{2,12}-)?pin(?:[ \t]{1,4}|=)["']?)\d{4,12}(?![\w.])/gi,
    },
    // Ports, projects, packages and profiles have no such values.
    makeRule('password', ['-p '], `((?<=[ \\t])-[pP][ \\t]{1,4}\\\\{0,31}["']?)${mixed}[\\w!#%^&*+~@.=-]{10,64}${end}`),
    makeRule(
      'key',
      ['key '],
      `((?<![\\w-])--?[a-z-]{0,40}key[ \\t]{1,4}\\\\{0,31}["']?)${mixed}[A-Za-z0-9+/_=-]{24,200}${end}`,
    ),
  ];
}

/** Built when a text is first redacted, not when the hook loads. */
export function listSecretNames(): readonly SecretRule[] {
  return [
    ...listXml(),
    ...listPhrases(),
    ...listOptions(),
    makeRule(
      'credential',
      ['pass', 'pwd', 'pw=', 'pw:', 'pw =', 'secret', 'token', 'key', 'connection', 'rediscli_auth'],
      `(${anyCase(`(?:(?:${NAME})(?:${ASSIGNED}|${SUBSCRIPT}|${STORED}|${ARGUMENT})|${FLAG})`)})(?:${SECRET_VALUE})`,
    ),
    makeRule('credential', ['pass'], `((?:${PASS})(?!${NO_PASSWORD})|${PASS_NUMBER})(?:${SECRET_VALUE})`),
    {
      kind: 'key',
      hints: ['key', 'auth', 'credential', 'salt', 'cert'],
      // A long value with a digit, not a path, after a name that only may mark a secret.
      pattern:
        /((?:key|auth|credentials?|salt|cert)(?:[_-]?data)?\\{0,31}["']?\s{0,8}[:=]\s{0,8}\\{0,31}["']?)(?![/~.])(?=[A-Za-z+/_=-]{0,80}\d)[A-Za-z0-9+/_=-]{24,}/gi,
    },
  ];
}

// Options and variables with a name that is close to that of a secret.

/** A text without it is not searched for options. */
export const OPTION_HINT = '--';
const OPTION = /(?<![\w-])--[A-Za-z][\w-]{1,47}(?=[ \t=])/g;
const VARIABLE = /(?<![\w-])[A-Z][A-Z0-9_]{4,47}(?==\S)/g;
/** Commands set variables; in a longer text any name may precede an equals sign. */
const COMMAND_CHARS = 4_000;

const NO_RULES: readonly SecretRule[] = [];

/** The rules for the names in this text; nearly always none. */
export function findNearSecrets(text: string, hasOption: boolean): readonly SecretRule[] {
  let near: Set<string> | undefined;
  if (hasOption) near = findNear(text, OPTION, near);
  if (text.length <= COMMAND_CHARS && text.includes('=')) near = findNear(text, VARIABLE, near);
  return near === undefined ? NO_RULES : Array.from(near, getRule);
}

/** No list is built, because every text passes through here. */
function findNear(text: string, names: RegExp, known: Set<string> | undefined): Set<string> | undefined {
  let near = known;
  names.lastIndex = 0;
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    if (isNear(match[0])) near = (near ?? new Set()).add(match[0]);
  }
  return near;
}

const MAX_JUDGED = 5_000;
const isNear = remember((name) => isNearSecretName(name.replace(/^--/, '')), MAX_JUDGED);

/** The same few names occur in many texts, and a pattern is slow until it has been used. */
const MAX_RULES = 200;
const getRule = remember(toNearRule, MAX_RULES);

/** A name contains no characters with a meaning in a pattern. */
function toNearRule(name: string): SecretRule {
  const between = name.startsWith('--')
    ? `(?:[ \\t]{1,4}(?!-|id=|\\(|\\||&|;|>|<|(?:[A-Z]{3,10}|[A-Z]{2,12}(?:_[A-Z]{2,12}){1,3})(?![\\w!@#$%-])|${SENTENCE_WORD})|=)`
    : '=';
  return {
    kind: /otp$/i.test(name) ? ONE_TIME_PASSWORD : 'credential',
    hints: [],
    pattern: new RegExp(`((?<![\\w-])${name}${between})(?:${SECRET_VALUE})`, 'g'),
  };
}

/** Names of secrets, with the number of letters that may be wrong; short words have too many neighbours. */
const NAMES: readonly (readonly [name: string, wrong: number])[] = [
  ['password', 2],
  ['passwd', 1],
  ['passphrase', 2],
  ['secret', 1],
  ['token', 1],
  ['apikey', 1],
  ['accesskey', 2],
  ['secretkey', 2],
  ['authtoken', 1],
  ['accesstoken', 2],
  ['credential', 2],
  ['credentials', 2],
  ['pw', 0],
  ['pswd', 0],
  ['otp', 0],
  ['totp', 0],
];
/** Real words that are close to these names. */
const OTHERS = new Set('passed passport paraphrase taken tokens tokenize secrets crossword passwords'.split(' '));
/** Suffixes of names whose value is a location or a number. */
const ABOUT =
  /[-_](?:id|ids|file|path|dir|name|stdin|count|limit|ttl|type|env|ref|arn|length|size|policy|helper|store)$/;
const OWNER = /^(?:pg|my|mysql|db|redis|smtp|root|user|admin)(?=\w{4})/;
/** Longer than any name of a secret. */
const MAX_NAME_CHARS = 48;

export function isNearSecretName(name: string): boolean {
  const low = name.toLowerCase();
  if (low.length > MAX_NAME_CHARS || ABOUT.test(low)) return false;
  const parts = low.split(/[-_.]/);
  const ends = parts.map((_, i) => parts.slice(i).join(''));
  const words = [...ends, ...ends.map((end) => end.replace(OWNER, ''))];
  return words.some((word) => !OTHERS.has(word) && NAMES.some(([known, wrong]) => isMisspelt(word, known, wrong)));
}

function isMisspelt(word: string, known: string, wrong: number): boolean {
  if (word === known) return true;
  return Math.abs(word.length - known.length) <= wrong && toEditDistance(word, known) <= wrong;
}
