/**
 * Finds the field or trigger of a lesson that contains a secret, by the rules for all captured text, before other
 * people read the lesson. In a trigger, a name like `password=` proves nothing, because patterns contain it, but a
 * literal value behind it does. A trigger cannot be redacted, because a trigger that contains a redaction marker
 * matches nothing.
 */

import type { Lesson } from '../../base/model/lesson.ts';
import { containsToken, makeRedactor, redact } from '../../base/secrets/redaction.ts';
import type { ProgramTrigger, Triggers } from '../../base/triggers/trigger.ts';
import { listExceptions, listParts, type ValueTypes } from '../../base/triggers/trigger-parts.ts';
import { cleanTexts } from '../../capture/secrets/clean-texts.ts';
import type { SecretScan } from '../../capture/secrets/scan-secrets.ts';

type LessonText = Pick<Lesson, 'summary' | 'mistake' | 'remediation' | 'body' | 'triggers' | 'tags'>;

export async function findSecretField(lesson: LessonText, scan: SecretScan): Promise<string | undefined> {
  const fields = listTexts(lesson);
  const clean = await cleanTexts(
    fields.map(({ text }) => text),
    scan,
  );
  const found = fields.find(({ text }, i) => clean[i] !== text);
  if (found !== undefined) return found.name;
  const part = findTriggerSecret(lesson.triggers);
  if (part !== undefined) return part;
  const triggers = JSON.stringify(lesson.triggers);
  return (await scan([triggers]))[0] === triggers ? undefined : 'triggers';
}

export function listTexts({ summary, mistake, remediation, body, tags }: Omit<LessonText, 'triggers'>) {
  const parts = Object.entries(body ?? {}).flatMap(([key, value]) =>
    (Array.isArray(value) ? value.map(String) : [`${value}`]).map((text) => ({ name: `body.${key}`, text })),
  );
  return [
    { name: 'summary', text: summary },
    { name: 'mistake', text: mistake },
    { name: 'remediation', text: remediation },
    ...parts,
    ...tags.map((text) => ({ name: 'tags', text })),
  ];
}

/** The part of a trigger that contains a secret, such as `triggers.command`; undefined if none does. */
export function findTriggerSecret(triggers: Triggers): string | undefined {
  const part = listParts(triggers).find(({ row, values }) => HOLDS_SECRET[row.values](values));
  if (part !== undefined) return `triggers.${part.name}`;
  return containsToken(JSON.stringify(triggers)) ? 'triggers' : undefined;
}

const HOLDS_SECRET: { readonly [K in keyof ValueTypes]: (values: ValueTypes[K]) => boolean } = {
  tools: () => false,
  flag: () => false,
  programs: (programs) => programs.some(holdsSecret),
  regexes: ({ match = [], unless = [] }) =>
    [...match, ...unless].some((source) => containsToken(source) || isSecret(regexToSample(source))),
  globs: (globs) => globs.some((glob) => isSecret(globToSample(glob))),
  folder: (folder) => typeof folder === 'object' && Object.values(folder).some(isSecret),
  conditions: ({ unless }) => unless.some((one) => isSecret('ran' in one ? one.ran : one.read)),
  names: (names) => names.some(isSecretWord),
  keywords: (keywords) => keywords.some(isSecretWord),
  exceptions: (unless) => listExceptions(unless).some(({ row, values }) => HOLDS_SECRET[row.values](values)),
};

function holdsSecret({ name, sub = [], args = {} }: ProgramTrigger): boolean {
  const start = [name, ...sub].join(' ');
  const lists = [args.any ?? [], args.all ?? [], args.none ?? []];
  return (
    isSecret(start) ||
    lists.flat().some((word) => isSecret(`${start} ${word}`)) ||
    lists.some((words) => words.length > 1 && holdsTelling(`${start} ${words.join(' ')}`))
  );
}

function isSecret(text: string): boolean {
  return redact(text) !== text;
}

/** A keyword is part of a sentence, so it is also tested behind the word "with": "with password zebra". */
function isSecretWord(text: string): boolean {
  return isSecret(text) || isSecret(`with ${text}`);
}

/** An option and its value as two words. The two may not belong together, so only a value that is no plain word counts. */
function holdsTelling(text: string): boolean {
  redactor ??= makeRedactor([]);
  return redactor(text).values.length > 0;
}

let redactor: ReturnType<typeof makeRedactor> | undefined;

/**
 * Turns a trigger's pattern into text for the secret rules: literals stay, and wildcards become a placeholder that the
 * rules do not take for a secret. `--password[= ]\S+` has no value, `--password[= ]hunter2` has one.
 */
const ANYTHING = '$' + '{x}';
/** Separators between a name and its value, such as `(?:=|\s+)` and `["']?`. */
const BETWEEN = /\((?:\?:)?(?:[=: "'|+*?]|\\[s"'=])+\)[?*+]?/g;
const OPTIONAL_QUOTE = /(?:\[(?:\\?["'`]){1,3}\]|["'`])[?*]/g;
const SEPARATORS = /\[(?:[=: \t]|\\[st=:])+\][?*+]?/g;
const BLANKS = /\\[st][*+?]?| [*+?]/g;
const QUOTES = /\[(?:\\?["'`]){1,3}\]/g;
const REST =
  /\\([dDwWS])|\\[bB]|\\(.)|\[(?:[^\]\\]|\\.)*\]|\{\d+(?:,\d*)?\}|\((?:\?(?::|<\w+>))?|[)^$]|(\|)|([.*+?])|([^\\[{()^$|.*+?]+|[\\[{])/gs;

function regexToSample(source: string): string {
  const plain = source
    .replace(BETWEEN, '=')
    .replace(OPTIONAL_QUOTE, '')
    .replace(SEPARATORS, (set) => (set.includes('=') ? '=' : set.includes(':') ? ':' : ' '))
    .replace(BLANKS, ' ')
    .replace(QUOTES, '"')
    // Separate an option from the wildcard before it.
    .replace(/\.[*+]\??(?=-)/g, '.* ');
  return joinRuns(plain.replace(REST, toPart));
}

function toPart(part: string, ...[set, escaped, or, any, literal]: readonly (string | undefined)[]): string {
  if (literal !== undefined || escaped !== undefined) return literal ?? escaped ?? '';
  // Each alternative becomes a line of its own.
  if (or !== undefined) return '\n';
  return set !== undefined || any !== undefined || part.startsWith('[') ? ANYTHING : '';
}

function globToSample(glob: string): string {
  return joinRuns(glob.replace(/[*?]+|\[[^\]]*\]/g, ANYTHING));
}

/** Joins neighboring placeholders, and those with a repetition count, into one. */
function joinRuns(text: string): string {
  return text.replaceAll(/(?:\$?\$\{x\})+/g, () => ANYTHING);
}
