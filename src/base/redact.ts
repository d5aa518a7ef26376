/**
 * Secrets out of a text, before it is shortened or touches a disk. The rules run in order: known forms of tokens
 * first, then whatever stands behind a name that says it is a secret. Every pattern is linear in practice: it starts
 * at a literal or behind a boundary, and its repetitions cannot overlap. Redacting twice changes nothing.
 */
import { listSecretPlaces } from './secret-places.ts';
import { NO_SECRET, type SecretRule } from './secret-rule.ts';
import { listSecretTokens, makeDiscordToken } from './secret-tokens.ts';

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
  sections ??= listSections();
  for (const { gate, rules } of sections) {
    if (!gate.test(redacted)) continue;
    const small = gate.ignoreCase ? redacted.toLowerCase() : undefined;
    for (const rule of rules) {
      if (rule.hints.some((hint) => (small ?? redacted).includes(hint)))
        redacted = redacted.replace(rule.pattern, (_match, ...groups) => toMarker(rule, groups));
    }
  }
  return redacted;
}

/** The groups end where the match's offset begins. */
function toMarker(rule: SecretRule, groups: readonly unknown[]): string {
  const end = groups.findIndex((group) => typeof group === 'number');
  const kept = groups.slice(0, end).filter((group) => typeof group === 'string');
  return `${kept.join('')}[redacted:${rule.kind}]`;
}

const NAME = [
  'pass(?:word|wd|phrase)',
  // The working directory has the same name.
  'pwd(?!\\\\{0,31}["\']?\\s{0,8}[:=]\\s{0,8}\\\\{0,31}["\']?[/~.$])',
  '(?<=[a-z0-9][_-])pass',
  'secret(?:[_-]?access)?(?:[_-]?key)?(?:[_-]?base)?',
  // Parsers complain about these.
  '(?<!unexpected )token',
  'api[_-]?key',
  '(?:access|account|private|signing|encryption|auth|master|storage)[_-]?key',
  'connection[_-]?string',
].join('|');

/** `name=`, `name: `, `"name": `, `'name' => `, `name := `; but not `name ==` or `name =~`. */
const ASSIGNED = `(?:${NAME})\\\\{0,31}["'\`]?\\s{0,8}(?::=|=>|[:=](?![=~>:]))\\s{0,8}`;
/** `--db-password value`; a flag without a value, or followed by another flag, is kept. */
const FLAG =
  '(?<![\\w-])--?(?:[a-z0-9]+[_-]){0,4}(?:pass|passwd|password|passphrase|secret|token|api-?key|secret-?key|access-?key)[ \\t]{1,4}(?!-|id=|\\||&|;|>|<)';
const BEFORE = `(?:${ASSIGNED}|${FLAG})`;

/** What stands behind a name. */
function listNamed(): readonly SecretRule[] {
  return [
    {
      kind: 'credential',
      hints: ['pass', 'pwd', 'secret', 'token', 'key', 'connection'],
      pattern: new RegExp(
        [
          `(${BEFORE})(?:`,
          // In double quotes, in single quotes, in quotes that are themselves escaped, bare.
          `(")(?!${NO_SECRET})(?:[^"\\\\]|\\\\[\\s\\S])+`,
          `|(')(?!${NO_SECRET})[^']+`,
          `|(\\\\{1,31}["'])(?!${NO_SECRET})[^"'\\\\]+`,
          `|(?!["'\`]|\\\\{1,31}["']|${NO_SECRET})(?:[^\\s"'\`&|<>;\\\\]|\\\\(?![nrt"']))+`,
          ')',
        ].join(''),
        'gi',
      ),
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

interface Section {
  readonly rules: readonly SecretRule[];
  readonly gate: RegExp;
}

let sections: readonly Section[] | undefined;

function listSections(): readonly Section[] {
  const [tokens, places, named] = [listSecretTokens(), listSecretPlaces(), listNamed()];
  return [
    { rules: tokens, gate: toGate(tokens, '') },
    { rules: [makeDiscordToken()], gate: /\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}/ },
    { rules: places, gate: toGate(places, 'i') },
    { rules: named, gate: toGate(named, 'i') },
  ];
}

/** Plain words are what the engine searches fastest. */
function toGate(rules: readonly SecretRule[], flags: string): RegExp {
  const words = new Set(rules.flatMap((rule) => rule.hints));
  return new RegExp([...words].map((word) => word.replace(/[.[\]]/g, '\\$&')).join('|'), flags);
}
