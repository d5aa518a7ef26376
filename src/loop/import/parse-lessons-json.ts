/** `lessons.json` stores: a list of {slug, summary, mistake, remediation, injection, triggers, priority, confidence, tags}. */

import type { LessonBody } from '../../base/model/lesson.ts';
import { LESSON_TYPES, type LessonType } from '../../base/model/lesson.ts';
import { isRecord } from '../../base/records.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { type Candidate, type Candidates, NO_TRIGGERS, type Refused, toCandidates } from './candidate.ts';
import {
  type Fields,
  findCounts,
  findSlug,
  findText,
  listTexts,
  listUnusable,
  toConfidence,
  toPriority,
  toTags,
  watchFields,
} from './foreign-fields.ts';
import { toForeignTriggers } from './foreign-triggers.ts';

export function parseLessonsJson(items: readonly unknown[]): Candidates {
  return toCandidates(items.map((item, n) => parseEntry(item, n + 1)));
}

function parseEntry(given: unknown, n: number): readonly Candidate[] | Refused {
  if (!isRecord(given)) return { name: `lesson ${n}`, reason: 'it is not an object' };
  const { fields: item, listUnread } = watchFields(given);
  const slug = findText(item, ['slug', 'id', 'name']);
  const name = slug || `lesson ${n}`;
  const type = LESSON_TYPES.find((one) => one === item.type) ?? 'warning';
  const words = toWords(item, type);
  if (words.summary === '') return { name, reason: 'it has no words: no summary, mistake or remediation' };
  const conditions = watchFields(findFields(item, ['triggers', 'trigger']));
  const { triggers, remarks } = toForeignTriggers(toConditions(conditions.fields));
  const tags = toTags(listTexts(item, ['tags']));
  const common = {
    name,
    type,
    ...words,
    remarks,
    priority: toPriority(item.priority, tags),
    confidence: toConfidence(item.confidence),
    tags,
    counts: findCounts(item),
    dropped: [...listUnread(), ...listUnusable(item), ...conditions.listUnread().map((field) => `triggers.${field}`)],
  };
  const all: readonly Triggers[] = triggers.length === 0 ? [NO_TRIGGERS] : triggers;
  return all.map((one, i) => ({ ...common, triggers: one, ...toSlug(slug, i) }));
}

function findFields(item: Fields, names: readonly string[]): Fields {
  for (const name of names) {
    const value = item[name];
    if (isRecord(value)) return value;
  }
  return {};
}

/** A lesson about commands and files becomes two lessons here, which need two slugs. */
function toSlug(slug: string, n: number): Pick<Candidate, 'slug'> {
  const own = findSlug(n === 0 ? slug : `${slug}-files`);
  return own === undefined ? {} : { slug: own };
}

type Words = Pick<Candidate, 'summary' | 'mistake' | 'remediation' | 'body'>;

function toWords(item: Fields, type: LessonType): Words {
  const mistake = findText(item, ['mistake', 'problem']);
  const remediation = findText(item, ['remediation', 'fix', 'solution']);
  const injection = findText(item, ['injection', 'injectionText', 'text']);
  const summary = findText(item, ['summary', 'title']) || mistake || remediation || injection;
  const isOwn = injection !== '' && injection !== remediation && injection !== summary;
  return {
    summary,
    mistake,
    remediation: remediation || injection,
    ...(isOwn ? { body: toBody(type, mistake || summary, injection) } : {}),
  };
}

/** The author's text for the agent goes into the field of the type that says what to do. */
function toBody(type: LessonType, about: string, injection: string): LessonBody {
  if (type === 'checklist') return { title: '', items: injection.split('\n').filter((line) => line.trim() !== '') };
  if (type === 'pattern') return { situation: about, action: injection };
  return type === 'requirement' ? { constraint: injection } : { risk: about, mitigation: injection };
}

function toConditions(triggers: Fields) {
  return {
    tools: listTexts(triggers, ['toolNames', 'tools']),
    commands: listTexts(triggers, ['commandPatterns', 'commands']),
    paths: listTexts(triggers, ['pathPatterns']),
    contents: listTexts(triggers, ['contentPatterns']),
    globs: listTexts(triggers, ['pathGlobs', 'globs']),
  };
}
