/**
 * Redacts a lesson. The store writes only redacted lessons and the compiler reads only redacted ones: a lesson joins
 * words of several calls, so a secret that no rule found in a call may be visible in the lesson, and lessons of an
 * older release have not been through the current rules.
 */

import type { Lesson } from '../../../base/model/lesson.ts';
import { redact } from '../../../base/secrets/redaction.ts';
import { type CommandEdit, toReplacementEdit } from '../../../base/shell/command-edit.ts';

/** Returns the same object if nothing has to be removed, which is nearly always. */
export function redactLesson(lesson: Lesson): Lesson {
  const known = clean.get(lesson);
  if (known !== undefined) return known;
  const redacted = redactEdits(redactTexts(lesson));
  const result = JSON.stringify(redacted) === JSON.stringify(lesson) ? lesson : redacted;
  clean.set(lesson, result);
  return result;
}

/** A cache, because lessons are compiled again and again while few change. */
const clean = new WeakMap<Lesson, Lesson>();

function redactTexts(lesson: Lesson): Lesson {
  const { summary, mistake, remediation, body, tags, evidence, archival } = lesson;
  return {
    ...lesson,
    summary: redact(summary),
    mistake: redact(mistake),
    remediation: redact(remediation),
    tags: tags.map(redact),
    evidence: evidence.map((one) => (one.excerpt === undefined ? one : { ...one, excerpt: redact(one.excerpt) })),
    ...(body === undefined ? {} : { body: redactBody(body) }),
    ...(archival === undefined ? {} : { archival: { ...archival, reason: redact(archival.reason) } }),
  };
}

function redactBody<T extends object>(body: T): T {
  const parts = Object.entries(body).map(([key, part]) => [
    key,
    Array.isArray(part) ? part.map(toClean) : toClean(part),
  ]);
  return Object.fromEntries(parts) as T;
}

function toClean(part: unknown): unknown {
  return typeof part === 'string' ? redact(part) : part;
}

/** An edit with a secret is removed as a whole, because it would put the marker into a call. */
function redactEdits(lesson: Lesson): Lesson {
  const { edit, replacement } = lesson;
  const drops = [
    ...(edit !== undefined && holdsSecret(edit) ? ['edit'] : []),
    ...(replacement !== undefined && holdsSecret(toReplacementEdit(replacement)) ? ['replacement'] : []),
  ];
  if (drops.length === 0) return lesson;
  return Object.fromEntries(Object.entries(lesson).filter(([key]) => !drops.includes(key))) as unknown as Lesson;
}

function holdsSecret({ program, sub = [], steps, others = [] }: CommandEdit): boolean {
  return [...steps, ...others.flat()]
    .flatMap((step) => Object.values(step))
    .filter((words) => Array.isArray(words))
    .map((words) => [program, ...sub, ...words.filter((word) => typeof word === 'string')].join(' '))
    .some((line) => redact(line) !== line);
}
