/** `lessons.json` stores: a list of {slug, summary, mistake, remediation, injection, triggers, priority, confidence, tags}. */

import { LESSON_TYPES } from '../../base/lesson.ts';
import type { Triggers } from '../../base/trigger.ts';
import { type Candidate, type Candidates, NO_TRIGGERS, type Refused } from './candidate.ts';
import {
  type Fields,
  findSlug,
  findText,
  isFields,
  listTexts,
  toConfidence,
  toPriority,
  toTags,
} from './foreign-fields.ts';
import { toForeignTriggers } from './to-foreign-triggers.ts';

export function parseLessonsJson(items: readonly unknown[]): Candidates {
  const read = items.map((item, n) => toCandidates(item, n + 1));
  return {
    candidates: read.flatMap((one) => ('reason' in one ? [] : one)),
    refused: read.flatMap((one) => ('reason' in one ? one : [])),
  };
}

function toCandidates(item: unknown, n: number): readonly Candidate[] | Refused {
  if (!isFields(item)) return { name: `lesson ${n}`, reason: 'it is not an object' };
  const slug = findText(item, ['slug', 'id', 'name']);
  const name = slug || `lesson ${n}`;
  const words = toWords(item);
  if (words.summary === '') return { name, reason: 'it has no words: no summary, mistake or remediation' };
  const given = item.triggers ?? item.trigger;
  const { triggers, remarks } = toForeignTriggers(toConditions(isFields(given) ? given : {}));
  const type = LESSON_TYPES.find((one) => one === item.type) ?? 'warning';
  const common = {
    ...{ name, type, ...words, remarks },
    priority: toPriority(item.priority),
    confidence: toConfidence(item.confidence),
    tags: toTags(listTexts(item, ['tags'])),
  };
  const all: readonly Triggers[] = triggers.length === 0 ? [NO_TRIGGERS] : triggers;
  return all.map((one, i) => ({ ...common, triggers: one, ...toSlug(slug, i) }));
}

/** What spoke at commands and at files is two lessons here. */
function toSlug(slug: string, n: number): Pick<Candidate, 'slug'> {
  const own = findSlug(n === 0 ? slug : `${slug}-files`);
  return own === undefined ? {} : { slug: own };
}

function toWords(item: Fields): Pick<Candidate, 'summary' | 'mistake' | 'remediation'> {
  const mistake = findText(item, ['mistake', 'problem']);
  const remediation = findText(item, ['remediation', 'fix', 'solution']);
  const injection = findText(item, ['injection', 'injectionText', 'text']);
  return {
    summary: findText(item, ['summary', 'title']) || mistake || remediation || injection,
    mistake,
    remediation: remediation || injection,
  };
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
