/** What stands behind a name that says it is a secret. */
import { anyCase, EDGE, NO_PLAIN_SECRET, NO_SECRET, type SecretRule } from './secret-rule.ts';

/** Written together with what the password is for. */
const OWNERS =
  'admin|app|auth|db|ftp|key|keystore|login|mail|my|mysql|pg|postgres|proxy|redis|root|smtp|sql|ssh|store|sudo|truststore|user';

const NAME = [
  'pass(?:word|wd|phrase)',
  // The working directory has the same name.
  'pwd(?!\\\\{0,31}["\']?\\s{0,8}[:=]\\s{0,8}\\\\{0,31}["\']?[/~.$])',
  '(?<=[A-Za-z0-9][_-])pass',
  `(?:${OWNERS})pass`,
  'secret(?:[_-]?access)?(?:[_-]?key)?(?:[_-]?base)?',
  // Parsers complain about these.
  '(?<!unexpected )token',
  'api[_-]?key',
  '(?:access|account|private|signing|encryption|auth|master|storage)[_-]?key',
  'connection[_-]?string',
].join('|');

const SIGN = '(?::=|=>|[:=](?![=~>:]))';
/** `name=`, `name: `, `"name": `, `'name' => `, `name := `, `"name": ["`; but not `name ==` or `name =~`. */
const ASSIGNED = `(?:${NAME})\\\\{0,31}["'\`]?\\s{0,8}${SIGN}\\s{0,8}(?:\\[\\s{0,8}(?=\\\\{0,31}["']))?`;
/** `--db-password value`; a flag without a value, or followed by another flag, is kept. */
const FLAG =
  '(?<![\\w-])--?(?:[A-Za-z0-9]+[_-]){0,4}(?:pass|passwd|password|passphrase|secret|token|api-?key|secret-?key|access-?key)[ \\t]{1,4}(?!-|id=|\\||&|;|>|<)';

/** The shell puts together what stands without a blank between: `a"b"`, `'a''b'`. No comma or colon: those are other texts. */
const PIECE = '[^"\'\\s,:{}[\\]\\\\]{1,200}';
const MORE = `(?:["'](?:"${PIECE}(?=")|'${PIECE}(?=')))*`;

/** In double quotes, in single quotes, in quotes that are themselves escaped, in backticks, bare. */
export const SECRET_VALUE = [
  `(\\$')[^'\\n]+`,
  `(")(?!${NO_SECRET})(?:[^"\\\\]|\\\\[\\s\\S])+${MORE}`,
  `(')(?!${NO_PLAIN_SECRET})[^']+${MORE}`,
  `(\\\\{1,31}")(?!${NO_SECRET})[^"'\\\\]+`,
  `(\\\\{1,31}')(?!${NO_PLAIN_SECRET})[^"'\\\\]+`,
  // A command may stand in them, too, and in a text whatever is named.
  `(\`)(?!${NO_SECRET})(?=[^\`\\s]{0,80}\\d|[^\`\\s]{16})[^\`\\s]+`,
  `(?!["'\`]|\\\\{1,31}["']|[[{]\\s{0,8}\\\\{0,31}["']|${NO_SECRET})(?:[^\\s"'\`&|<>;\\\\]|\\\\(?![nrt"'])[ &|<>;]?)+(?:"${PIECE}"|'${PIECE}')*`,
].join('|');

/** Test runners count what passes, and say so. */
const NO_PASSWORD = `\\\\{0,31}["']?(?:\\d[\\d.,/%]*|${anyCase('yes|no|ok|all|passed|failed|fail|skipped|warn|error')})(?![^\\s"'\`,;)}\\]\\\\])`;
/** `pass=x`, and `pass: x` where it is a name and not the end of a sentence. In capitals it is a verdict: `PASS: a.test`. */
const PASS = [
  `${EDGE}${anyCase('pass')}=(?=\\S)`,
  `(?<![A-Za-z0-9)][ \\t]{1,4})${EDGE}pass\\\\{0,31}["']?[ \\t]{0,4}${SIGN}[ \\t]{1,4}`,
  `["']${anyCase('pass')}\\\\{0,31}["']\\s{0,4}${SIGN}\\s{0,4}`,
].join('|');

const NAMES_IN_XML =
  '(?:password|passwd|passphrase|secret|token|api[_-]?key|(?:access|secret|private)[_-]?key|connection[_-]?string)';

function listXml(): readonly SecretRule[] {
  const hints = ['pass', 'secret', 'token', 'key', 'connection'];
  const ofElement = `<(?:[\\w.-]{1,40}:)?[\\w.-]{0,40}?${NAMES_IN_XML}(?:\\s[^<>]{0,200})?>\\s{0,8}`;
  const ofAttribute = `(?:key|name)=\\\\{0,31}["'][^"'<>\\\\]{0,60}?${NAMES_IN_XML}\\\\{0,31}["']\\s{1,8}value=\\\\{0,31}["']`;
  return [
    {
      kind: 'credential',
      hints,
      pattern: new RegExp(`(${anyCase(ofElement)})(?!${NO_PLAIN_SECRET})[^<>\\s][^<>]{0,2000}(?=<\\\\{0,31}\\/)`, 'g'),
    },
    {
      kind: 'credential',
      hints,
      pattern: new RegExp(`(${anyCase(ofAttribute)})(?!${NO_PLAIN_SECRET})[^"'<>\\\\]+`, 'g'),
    },
  ];
}

/** Built when a text is first redacted, not when the hook loads. */
export function listSecretNames(): readonly SecretRule[] {
  return [
    ...listXml(),
    {
      kind: 'credential',
      hints: ['pass', 'pwd', 'secret', 'token', 'key', 'connection'],
      pattern: new RegExp(`(${anyCase(`(?:${ASSIGNED}|${FLAG})`)})(?:${SECRET_VALUE})`, 'g'),
    },
    {
      kind: 'credential',
      hints: ['pass'],
      pattern: new RegExp(`((?:${PASS})(?!${NO_PASSWORD}))(?:${SECRET_VALUE})`, 'g'),
    },
    {
      kind: 'key',
      hints: ['key', 'auth', 'credential', 'salt', 'cert'],
      // A blob behind a name that only may mean a secret: long, with a digit, and no path.
      pattern:
        /((?:key|auth|credentials?|salt|cert)(?:[_-]?data)?\\{0,31}["']?\s{0,8}[:=]\s{0,8}\\{0,31}["']?)(?![/~.])(?=[A-Za-z+/_=-]{0,80}\d)[A-Za-z0-9+/_=-]{24,}/gi,
    },
  ];
}
