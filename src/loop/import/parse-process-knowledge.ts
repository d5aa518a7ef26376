/** Process-knowledge graphs: the nodes of type Concept that have a `process_type`, with their typed body. */

import type { LessonBody } from '../../base/model/lesson.ts';
import { LESSON_TYPES, type LessonType } from '../../base/model/lesson.ts';
import { isRecord } from '../../base/records.ts';
import { toKnowledge } from '../../distill/propose/self-reports/parse-knowledge-block.ts';
import { toYaml } from '../../distill/propose/self-reports/parse-yaml.ts';
import { NARROWING_KEYS, NARROWING_PARTS, type Narrowing } from '../../distill/propose/self-reports/to-narrowing.ts';
import { type Candidate, type Candidates, NO_TRIGGERS, type Refused, toCandidates } from './candidate.ts';
import {
  type Fields,
  findCounts,
  findSlug,
  findText,
  listDropped,
  listTexts,
  toConfidence,
  toPriority,
  toTags,
} from './foreign-fields.ts';
import { toForeignTriggers } from './foreign-triggers.ts';

/** Skips other nodes (files, people, other concepts). */
export function parseProcessKnowledge(nodes: readonly unknown[]): Candidates {
  return toCandidates(nodes.filter(isProcess).map((node, n) => parseEntry(toFlat(node), n + 1)));
}

export function isProcess(node: unknown): node is Fields {
  if (!isRecord(node)) return false;
  const flat = toFlat(node);
  const types = listTexts(flat, ['type', 'node_type', '@type', 'labels', 'kind']);
  const isConcept = types.length === 0 || types.some((type) => /concept$/i.test(type));
  return isConcept && typeof flat.process_type === 'string';
}

/** Some graphs keep everything but the id one level down. */
function toFlat(node: Fields): Fields {
  const inner = PLACES.map((key) => node[key]).filter(isRecord);
  return Object.assign({}, ...inner.toReversed(), node) as Fields;
}

function parseEntry(node: Fields, n: number): readonly Candidate[] | Refused {
  const id = findText(node, ['id', '@id']);
  const label = findText(node, ['label', 'name', 'title', 'summary']);
  const name = label || id || `node ${n}`;
  const type = LESSON_TYPES.find((one) => one === findText(node, ['process_type']).toLowerCase());
  if (type === undefined) return { name, reason: `its process_type is none of ${LESSON_TYPES.join(', ')}` };
  const knowledge = toKnowledge(toKnowledgeFields(node, type, label));
  const summary = label || knowledge.mistake || knowledge.fix;
  if (summary === '') return { name, reason: 'it has no words: no label and no body' };
  const { triggers, remarks } = toTriggers(node, knowledge.narrowing);
  const tags = toTags(listTexts(node, ['tags']));
  const common = {
    name,
    type,
    summary,
    mistake: knowledge.mistake,
    remediation: knowledge.fix,
    remarks,
    counts: findCounts(node),
    dropped: listLeft(node, type),
    body: toBody(knowledge.body, node, type),
    priority: toPriority(node.priority, tags),
    confidence: toConfidence(node.confidence),
    tags,
  };
  const all = triggers.length === 0 ? [NO_TRIGGERS] : triggers;
  return all.map((one, i) => ({ ...common, triggers: one, ...toSlug(id, i) }));
}

const PLACES = ['properties', 'attributes', 'data', 'metadata'];
const NODE_KEYS = [
  ...['id', '@id', 'label', 'name', 'title', 'summary', 'type', 'node_type', '@type', 'labels', 'kind', 'process_type'],
  ...['priority', 'confidence', 'tags', 'trigger_conditions', 'format', ...PLACES],
  ...['occurrences', 'occurrenceCount', 'occurrence_count', 'count', 'frequency'],
  ...['sessions', 'sessionCount', 'session_count', 'projects', 'projectCount', 'project_count'],
];
const CONDITION_KEYS = [
  ...['tool_names', 'tools', 'command_patterns', 'commands', 'content_patterns', 'file_patterns', 'paths'],
  ...NARROWING_PARTS.flatMap((part) => NARROWING_KEYS[part]),
];
/** The fields that `toKnowledge` reads, in the part named after the type or beside it. */
const BODY_KEYS: Readonly<Record<LessonType, readonly string[]>> = {
  checklist: ['title', 'items', 'checklist', 'format'],
  pattern: ['situation', 'when', 'mistake', 'action', 'do', 'fix', 'rationale', 'why', 'example'],
  warning: ['risk', 'mistake', 'warning', 'mitigation', 'mitigate', 'fix', 'severity', 'detection', 'detect'],
  requirement: [
    ...['constraint', 'requirement', 'fix', 'rationale', 'why', 'mistake', 'validation', 'verify', 'validate'],
  ],
};

function listLeft(node: Fields, type: LessonType): readonly string[] {
  const inner = node[type];
  const conditions = isRecord(node.trigger_conditions) ? node.trigger_conditions : {};
  // If the part named after the type is an object, fields beside it are not read.
  const body = isRecord(inner) ? [] : BODY_KEYS[type];
  return [
    ...listDropped(node, [...NODE_KEYS, ...body, type]),
    ...(isRecord(inner) ? listDropped(inner, BODY_KEYS[type]).map((name) => `${type}.${name}`) : []),
    ...listDropped(conditions, CONDITION_KEYS).map((name) => `trigger_conditions.${name}`),
  ];
}

function toSlug(id: string, n: number): Pick<Candidate, 'slug'> {
  const slug = findSlug(n === 0 ? id.toLowerCase() : `${id.toLowerCase()}-files`);
  return slug === undefined ? {} : { slug };
}

function toKnowledgeFields(node: Fields, type: LessonType, label: string): Parameters<typeof toKnowledge>[0] {
  // `type` is the kind of node in the graph, not the type of the lesson.
  const { type: _, tool: __, triggers: ___, ...rest } = node;
  const fields = toYaml(rest, 0);
  return { ...(typeof fields === 'string' || Array.isArray(fields) ? {} : (fields as object)), type, label };
}

function toBody(body: LessonBody, node: Fields, type: LessonType): LessonBody {
  const inner = node[type];
  const format = isRecord(inner) ? inner.format : node.format;
  return 'items' in body && (format === 'ordered' || format === 'unordered') ? { ...body, format } : body;
}

function toTriggers(node: Fields, narrowing: Narrowing) {
  const given = isRecord(node.trigger_conditions) ? node.trigger_conditions : {};
  const found = toForeignTriggers({
    tools: listTexts(given, ['tool_names', 'tools']),
    commands: listTexts(given, ['command_patterns', 'commands']),
    paths: [],
    contents: listTexts(given, ['content_patterns']),
    globs: listTexts(given, ['file_patterns', 'paths']),
    narrowing,
  });
  const lost = NARROWING_PARTS.filter((part) => countLost(given, part, narrowing) > 0);
  if (lost.length === 0) return found;
  const line = `left out some of ${lost.map((part) => NARROWING_KEYS[part][0]).join(' and ')}: too many, or no words`;
  return { ...found, remarks: [...found.remarks, line] };
}

function countLost(given: Fields, part: keyof Narrowing, narrowing: Narrowing): number {
  return new Set(listTexts(given, NARROWING_KEYS[part])).size - (narrowing[part]?.length ?? 0);
}
