/**
 * A lesson without secrets. The store writes no other lesson and the compiler reads no other: a lesson joins words of
 * several calls, so a secret that no rule saw in a call may be plain to see in the lesson, and a lesson that an older
 * release stored has not been through the rules of this one.
 */

import type { Lesson } from '../../../base/model/lesson.ts';
import { redact } from '../../../base/secrets/redaction.ts';
import { type CommandEdit, toReplacementEdit } from '../../../base/shell/command-edit.ts';

/** Returns the lesson itself where nothing has to go, as nearly always. */
export function redactLesson(lesson: Lesson): Lesson {
  const known = clean.get(lesson);
  if (known !== undefined) return known;
  const redacted = redactEdits(redactTexts(lesson));
  const result = JSON.stringify(redacted) === JSON.stringify(lesson) ? lesson : redacted;
  clean.set(lesson, result);
  return result;
}

/** Lessons are compiled again and again, and few have changed. */
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

/** An edit that holds a secret goes as a whole, because it would put the marker into a call. */
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
