/** `[PROCESS_KNOWLEDGE] … [/PROCESS_KNOWLEDGE]`: YAML of one of four types. */

import type { LessonBody } from '../../../base/model/lesson.ts';
import { LESSON_TYPES, type LessonType, parsePriority } from '../../../base/model/lesson.ts';
import { parseYaml, type Unparsed, type Yaml } from './parse-yaml.ts';
import { type Narrowing, toNarrowing } from './to-narrowing.ts';
import { toPlain } from './to-plain.ts';

interface KnowledgeFields {
  readonly type: LessonType;
  readonly label: string;
  /** From 1 to 10; absent where the block says none. */
  readonly priority?: number;
  readonly tools: readonly string[];
  readonly paths: readonly string[];
  readonly trigger: string;
  readonly mistake: string;
  readonly fix: string;
  readonly tags: string;
  readonly body: LessonBody;
  readonly narrowing: Narrowing;
}

const MAX_ITEMS = 20;

type Fields = { readonly [key: string]: Yaml };

export function parseKnowledgeBlock(lines: readonly string[]): KnowledgeFields | Unparsed {
  const parsed = parseYaml(dedent(lines).join('\n'));
  if ('reason' in parsed) return parsed;
  const fields = toFields(parsed.value);
  return Object.keys(fields).length === 0 ? { reason: 'it has no keys' } : toKnowledge(fields);
}

/** Keys in small letters. */
export function toKnowledge(fields: Fields): KnowledgeFields {
  const type = findType(fields);
  const conditions = toFields(fields.trigger_conditions ?? fields.triggers ?? '');
  const label = findText(fields, ['label', 'summary', 'name', 'title']);
  const inner = toFields(fields[type] ?? '');
  const meaning = MEANINGS[type](Object.keys(inner).length === 0 ? fields : inner, label, fields[type] ?? '');
  const priority = parsePriority(findText(fields, ['priority']));
  return {
    type,
    label,
    ...(priority === undefined ? {} : { priority }),
    tools: toTexts(conditions.tool_names ?? conditions.tools ?? fields.tool ?? ''),
    paths: toTexts(conditions.file_patterns ?? conditions.paths ?? ''),
    trigger: findText({ ...fields, ...conditions }, ['command', 'commands', 'command_patterns', 'trigger']),
    tags: toTexts(fields.tags ?? '').join(', '),
    ...meaning,
    narrowing: toNarrowing((name) => (Object.hasOwn(conditions, name) ? toTexts(conditions[name] ?? '') : [])),
  };
}

/** A type that nobody knows is what its parts say. */
function findType(fields: Fields): LessonType {
  const named = findText(fields, ['type']).toLowerCase();
  return LESSON_TYPES.find((one) => one === named) ?? LESSON_TYPES.find((one) => one in fields) ?? 'warning';
}

type Meaning = Pick<KnowledgeFields, 'mistake' | 'fix' | 'body'>;

const MEANINGS: Readonly<Record<LessonType, (inner: Fields, label: string, whole: Yaml) => Meaning>> = {
  checklist(inner, label, whole) {
    const title = findText(inner, ['title']) || label;
    const items = toTexts(inner.items ?? inner.checklist ?? whole);
    return { mistake: label || title, fix: toPlain(items.join('; ')), body: { title, items } };
  },
  pattern(inner, label) {
    const situation = findText(inner, ['situation', 'when', 'mistake']) || label;
    const action = findText(inner, ['action', 'do', 'fix']);
    const rationale = findText(inner, ['rationale', 'why']);
    const example = findText(inner, ['example']);
    const body = { situation, action, ...toPart({ rationale }), ...toPart({ example }) };
    return { mistake: rationale || situation, fix: action, body };
  },
  warning(inner, label) {
    const risk = findText(inner, ['risk', 'mistake', 'warning']) || label;
    const mitigation = findText(inner, ['mitigation', 'mitigate', 'fix']);
    const severity = findText(inner, ['severity']);
    const detection = findText(inner, ['detection', 'detect']);
    const body = { risk, ...toPart({ severity }), ...toPart({ detection }), ...toPart({ mitigation }) };
    return { mistake: risk, fix: mitigation, body };
  },
  requirement(inner, label) {
    const constraint = findText(inner, ['constraint', 'requirement', 'fix']) || label;
    const rationale = findText(inner, ['rationale', 'why', 'mistake']);
    const validation = findText(inner, ['validation', 'verify', 'validate']);
    const body = { constraint, ...toPart({ rationale }), ...toPart({ validation }) };
    return { mistake: rationale || label, fix: constraint, body };
  },
};

function toPart<K extends string>(part: Record<K, string>): Partial<Record<K, string>> {
  return Object.values(part).includes('') ? {} : part;
}

function toFields(value: Yaml): Fields {
  return typeof value === 'string' || Array.isArray(value) ? {} : (value as Fields);
}

/** The first of the names that has a text; of a list its first. */
function findText(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const [text] = Object.hasOwn(fields, name) ? toTexts(fields[name] ?? '') : [];
    if (text !== undefined) return text;
  }
  return '';
}

/** A list of texts, from a list or from one text. */
function toTexts(value: Yaml): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .slice(0, MAX_ITEMS)
    .map((item) => (typeof item === 'string' ? toPlain(item) : ''))
    .filter((text) => text !== '');
}

/** A block in a list is indented as a whole. */
function dedent(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const common = Math.min(...indents, 40);
  return lines.map((line) => line.slice(common));
}
