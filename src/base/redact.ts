/**
 * Secrets out of a text, before it is shortened or touches a disk. The rules run in order: known forms of tokens
 * first, then whatever stands behind a name that says it is a secret. Every pattern is linear in practice: it starts
 * at a literal or behind a boundary, and its repetitions cannot overlap. Redacting twice changes nothing.
 */
export function redact(text: string): string {
  let redacted = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = redactOnce(redacted);
    if (next === redacted) break;
    redacted = next;
  }
  return redacted;
}

/** What replaces one secret can lay bare the edge of the next; two passes are usual, a text without secrets needs one. */
const MAX_PASSES = 16;

function redactOnce(text: string): string {
  let redacted = text;
  for (const { gate, rules } of SECTIONS) {
    if (!gate.test(redacted)) continue;
    for (const rule of rules) redacted = redacted.replace(rule.pattern, (_match, ...groups) => toMarker(rule, groups));
  }
  return redacted;
}

interface Rule {
  readonly kind: string;
  /** How every match begins, or what stands in it: most texts hold none of a section's hints and need no search. */
  readonly hint: string;
  /** What it matches is replaced, but for its groups, which are kept in front. */
  readonly pattern: RegExp;
}

/** The groups end where the match's offset begins. */
function toMarker(rule: Rule, groups: readonly unknown[]): string {
  const end = groups.findIndex((group) => typeof group === 'number');
  const kept = groups.slice(0, end).filter((group) => typeof group === 'string');
  return `${kept.join('')}[redacted:${rule.kind}]`;
}

/** Not behind a letter or digit: inside a longer word a prefix means nothing. */
const EDGE = '(?<![A-Za-z0-9])';

function token(kind: string, prefix: string, rest: string): Rule {
  return { kind, hint: EDGE + prefix, pattern: new RegExp(EDGE + prefix + rest, 'g') };
}

const PEM_NAME = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';

/** Forms that tell a secret wherever it stands. */
const TOKENS: readonly Rule[] = [
  {
    kind: 'private-key',
    hint: 'PRIVATE KEY',
    // The second form is a key whose end was cut off.
    pattern: new RegExp(`-----BEGIN ${PEM_NAME}(?:[\\s\\S]{0,8000}?-----END ${PEM_NAME}|[A-Za-z0-9+/=\\s\\\\]*)`, 'g'),
  },
  {
    kind: 'private-key',
    hint: 'PRIVATE KEY',
    // A key whose beginning was cut off.
    pattern: new RegExp(`(?<![A-Za-z0-9+/=\\s\\\\])[A-Za-z0-9+/=\\s\\\\]*-----END ${PEM_NAME}`, 'g'),
  },
  token('jwt', 'eyJ', '[A-Za-z0-9_-]{6,}\\.[A-Za-z0-9_-]{6,}(?:\\.[A-Za-z0-9_-]*)?'),
  token('stripe-key', '(?:sk|rk|pk)_(?:live|test)_', '[A-Za-z0-9]{8,}'),
  token('api-key', 'sk-', '[A-Za-z0-9_-]{8,}'),
  token('aws-key', '(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z0-9]{12,}'),
  {
    kind: 'aws-key',
    hint: 'A[KSBC][IC]A[A-Z0-9]',
    pattern: /(\[redacted:aws-key\][\s,:"'|]{1,8})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/g,
  },
  token('github-token', '(?:gh[a-z]_|github_pat_)', '[A-Za-z0-9_]{16,}'),
  token('gitlab-token', 'gl[a-z]{1,6}-', '[A-Za-z0-9_.-]{16,}'),
  token('slack-token', '(?:xox[a-z]|xapp)-', '[A-Za-z0-9-]{8,}'),
  {
    kind: 'slack-webhook',
    hint: 'hooks\\.slack\\.com',
    pattern: /(hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]+/g,
  },
  token('google-key', 'AIza', '[A-Za-z0-9_-]{30,}'),
  token('google-token', 'ya29\\.', '[A-Za-z0-9_-]{16,}'),
  token('google-secret', 'GOCSPX-', '[A-Za-z0-9_-]{16,}'),
  token('npm-token', 'npm_', '[A-Za-z0-9]{30,}'),
  token('pypi-token', 'pypi-', '[A-Za-z0-9_-]{32,}'),
  token('sendgrid-key', 'SG\\.', '[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'),
  token('twilio-key', 'SK', '[0-9a-f]{32}(?![0-9a-f])'),
  token('hugging-face-token', 'hf_', '[A-Za-z0-9]{20,}'),
  token('digitalocean-token', 'do[a-z]_v1_', '[0-9a-f]{32,}'),
  token('shopify-token', 'shp[a-z]{2}_', '[0-9a-fA-F]{20,}'),
  token('databricks-token', 'dapi', '[0-9a-f]{32}'),
  token('linear-key', 'lin_(?:api|oauth)_', '[A-Za-z0-9]{16,}'),
  token('vault-token', 'hv[bs]\\.', '[A-Za-z0-9_-]{20,}'),
  token('doppler-token', 'dp\\.[a-z]{2,6}\\.', '[A-Za-z0-9]{20,}'),
  token('age-key', 'AGE-SECRET-KEY-1', '[0-9A-Z]{20,}'),
  token('webhook-secret', 'whsec_', '[A-Za-z0-9+/=]{16,}'),
];

/** Already redacted, a reference to a variable, a place holder, or a word that is no secret. */
const NO_SECRET = [
  '\\[redacted:',
  '\\$[({]',
  '\\$[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_])',
  '%[sdvq](?![A-Za-z0-9])',
  '<[a-z][\\w -]{0,40}>',
  '(?:string|str|number|boolean|bool|null|none|nil|undefined|true|false|any|unknown)(?![^\\s"\'`,;)}\\]\\\\])',
].join('|');

const NAME = [
  'pass(?:word|wd|phrase)',
  // The working directory has the same name.
  'pwd(?!\\\\{0,3}["\']?\\s{0,8}[:=]\\s{0,8}\\\\{0,3}["\']?[/~.$])',
  '(?<=[a-z0-9][_-])pass',
  'secret(?:[_-]?access)?(?:[_-]?key)?(?:[_-]?base)?',
  // Parsers complain about these.
  '(?<!unexpected )token',
  'api[_-]?key',
  '(?:access|account|private|signing|encryption|auth|master|storage)[_-]?key',
  'connection[_-]?string',
].join('|');

/** `name=`, `name: `, `"name": `, `'name' => `, `name := `; but not `name ==` or `name =~`. */
const ASSIGNED = `(?:${NAME})\\\\{0,3}["'\`]?\\s{0,8}(?::=|=>|[:=](?![=~>:]))\\s{0,8}`;
/** `--db-password value`; a flag without a value, or followed by another flag, is kept. */
const FLAG =
  '(?<![\\w-])--?(?:[a-z0-9]+[_-]){0,4}(?:pass|passwd|password|passphrase|secret|token|api-?key|secret-?key|access-?key)[ \\t]{1,4}(?!-|id=|\\||&|;|>|<)';
const BEFORE = `(?:${ASSIGNED}|${FLAG})`;

/** What stands behind a name. */
const NAMED: readonly Rule[] = [
  {
    kind: 'credential',
    hint: 'pass|pwd|secret|token|key|connection',
    pattern: new RegExp(
      [
        `(${BEFORE})(?:`,
        // In double quotes, in single quotes, in quotes that are themselves escaped, bare.
        `(")(?!${NO_SECRET})(?:[^"\\\\]|\\\\[\\s\\S])+`,
        `|(')(?!${NO_SECRET})[^']+`,
        `|(\\\\{1,3}["'])(?!${NO_SECRET})[^"'\\\\]+`,
        `|(?!["'\`]|\\\\{1,3}["']|${NO_SECRET})(?:[^\\s"'\`&|<>;\\\\]|\\\\(?![nrt"']))+`,
        ')',
      ].join(''),
      'gi',
    ),
  },
  {
    kind: 'key',
    hint: 'key|auth|credential|salt|cert',
    // A blob behind a name that only may mean a secret: long, with a digit, and no path.
    pattern:
      /((?:key|auth|credentials?|salt|cert)\\{0,3}["']?\s{0,8}[:=]\s{0,8}\\{0,3}["']?)(?![/~.])(?=[A-Za-z+/_=-]{0,80}\d)[A-Za-z0-9+/_=-]{24,}/gi,
  },
];

/** Places in protocols and commands that hold nothing but credentials. */
const PLACES: readonly Rule[] = [
  {
    kind: 'authorization',
    hint: 'authorization',
    pattern: new RegExp(
      `(authorization\\\\{0,3}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,3}["']?(?:(?:basic|bearer|token|digest|negotiate|apikey|key)\\s{1,4})?)(?!${NO_SECRET})(?!(?:basic|bearer|token|digest|negotiate|apikey|key)\\b)[^\\s"'\`,;\\\\]+`,
      'gi',
    ),
  },
  {
    kind: 'bearer-token',
    hint: 'bearer',
    pattern: new RegExp(
      `(\\bbearer\\s{1,4})(?!${NO_SECRET})(?:(?=[A-Za-z._~+/=-]{0,80}\\d)[\\w.~+/=-]{8,}|[\\w.~+/=-]{20,})`,
      'gi',
    ),
  },
  {
    kind: 'basic-auth',
    hint: 'basic',
    pattern: /(\bbasic\s{1,4})(?=[A-Za-z+/]{0,80}[\d=])[A-Za-z0-9+/]{8,}={0,2}/gi,
  },
  {
    kind: 'cookie',
    hint: 'cookie:',
    pattern: /(\b(?:set-)?cookie:\s{0,4})(?!\[redacted:)[^\r\n"'\s\\][^\r\n"'\\]*/gi,
  },
  {
    kind: 'url-credentials',
    hint: '://',
    pattern: new RegExp(
      `(:\\/\\/)(?!${NO_SECRET})(?:[^\\s/@:"'\`<>]{0,200}:(?!${NO_SECRET})[^\\s/@"'\`<>]{1,500}|[^\\s/@:"'\`<>]{20,500})(?=@)`,
      'g',
    ),
  },
  {
    kind: 'user-password',
    hint: '-u',
    // Not numeric ids (docker), nor a time format (date -u), nor host:/path (rsync -u), nor a user with their own group.
    pattern: new RegExp(
      `((?<![\\w-])(?:-u|--user|--proxy-user)[ \\t=]{0,4}\\\\{0,3}["']?)(?![-+%$]|\\d+:\\d+|([\\w-]+):\\2(?![\\w-])|[\\w.@-]+:[/~.])(?!${NO_SECRET})[^\\s"':\\\\/]{1,100}:(?!${NO_SECRET})[^\\s"'\\\\]+`,
      'g',
    ),
  },
  { kind: 'password', hint: 'sshpass', pattern: /(\bsshpass\s{1,4}-p\s{0,4})(?!\[redacted:|\$)[^\s]+/g },
  {
    kind: 'password',
    hint: 'mysql|mariadb',
    pattern: /(\b(?:mysql|mariadb)\w{0,10}\b[^\n|;&]{0,200}?\s-p)(?!\[redacted:|\$|["']?\$)[^\s-][^\s]*/g,
  },
  { kind: 'password', hint: 'pass:', pattern: /(\s-pass(?:in|out)?\s{1,4}["']?pass:)(?!\[redacted:)[^\s"']+/g },
  {
    kind: 'password',
    hint: 'password',
    pattern: /(\blogin\s{1,4}\S{1,200}\s{1,4}password\s{1,4})(?!\[redacted:)\S+/g,
  },
  { kind: 'password', hint: 'identified', pattern: /(\bidentified\s{1,4}by\s{1,4}["'])(?!\[redacted:)[^"']+/gi },
];

const SECTIONS = [
  { rules: TOKENS, gate: toGate(TOKENS, '') },
  { rules: PLACES, gate: toGate(PLACES, 'i') },
  { rules: NAMED, gate: toGate(NAMED, 'i') },
];

function toGate(rules: readonly Rule[], flags: string): RegExp {
  return new RegExp(rules.map((rule) => rule.hint).join('|'), flags);
}
