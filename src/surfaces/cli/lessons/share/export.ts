/**
 * `oncebitten lessons export`: writes lessons as a JSON document without secrets. A lesson with a secret in its trigger
 * is left out, because a redacted trigger would match nothing. The same lessons give the same bytes, because lessons
 * and keys are sorted.
 */

import { dirname } from 'node:path';
import type { Store } from '../../../../base/contracts/store.ts';
import { LESSON_STATUSES, type Lesson, SCOPE_KINDS } from '../../../../base/model/lesson.ts';
import { compareTexts } from '../../../../base/records.ts';
import { containsToken } from '../../../../base/secrets/redaction.ts';
import { cleanTexts } from '../../../../capture/secrets/clean-texts.ts';
import { makeSecretScan, type SecretScan } from '../../../../capture/secrets/scan-secrets.ts';
import { lessonSchema } from '../../../../keep/schemas/lesson-schema.ts';
import {
  type ExportedLesson,
  LESSONS_SCHEMA_ID,
  LESSONS_VERSION,
  type LessonsDocument,
} from '../../../../keep/sharing/lessons-document-schema.ts';
import { findTriggerSecret } from '../../../../loop/checks/lesson-secrets.ts';
import { writeFileAtomically } from '../../../../loop/home/write-file.ts';
import { mapTexts, toSharedLesson, toWords, withWords } from '../../../../loop/import/lesson-words.ts';
import { findChoice, getOutFile } from '../../arguments/options.ts';
import { findProjects } from '../../arguments/projects.ts';
import type { CommandInput, Handler } from '../../command.ts';
import { userError } from '../../errors.ts';
import { readHome } from '../../open-home.ts';

export const run: Handler = async (input) => {
  const { out, withEvidence, history } = input.options as { out?: string; withEvidence?: true; history?: true };
  const file = out === undefined ? undefined : getOutFile(out, input);
  const document = await readHome(input, async ({ store, log }) => {
    const isWanted = await toFilter(input, store);
    const scan = makeSecretScan({ log });
    const wanted = (await store.listLessons()).filter(isWanted);
    const kept = wanted.filter((lesson) => !isGivable(lesson)).map(({ slug }) => slug);
    if (kept.length > 0) input.progress(`Left out, because a trigger contains a secret: ${kept.join(', ')}\n`);
    const clean = await cleanAll(wanted.filter(isGivable), scan);
    const shared = clean.map((lesson) => toSharedLesson(lesson, { withEvidence: withEvidence === true }));
    return toDocument(history === true ? await addHistory(shared, store, scan) : shared);
  });
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (file === undefined) return { json: document, text, isDocument: true };
  write(file, text);
  const count = document.lessons.length;
  return { json: { file, lessons: count }, text: `Wrote ${count} ${count === 1 ? 'lesson' : 'lessons'} to ${file}.` };
};

/** A lesson of one session is true only there, so it is exported only if the user asks for it. */
async function toFilter({ options, cwd }: CommandInput, store: Store): Promise<(lesson: Lesson) => boolean> {
  const status = findChoice('--status', options.status, LESSON_STATUSES);
  const scope = findChoice('--scope', options.scope, SCOPE_KINDS);
  const project = options.project as string | true | undefined;
  const ids = project === undefined ? undefined : (await findProjects(store, project, cwd)).ids;
  return (lesson) =>
    (status === undefined || lesson.status === status) &&
    (scope === undefined ? lesson.scope.kind !== 'session' : lesson.scope.kind === scope) &&
    (ids === undefined || (lesson.scope.kind === 'project' && ids.includes(lesson.scope.id ?? '')));
}

/** A lesson with a secret in a trigger is not exported, because a redacted trigger would match nothing. */
function isGivable({ triggers, learnedAs }: Lesson): boolean {
  const all = [triggers, ...(learnedAs ?? []).map((form) => form.triggers)];
  return all.every((one) => findTriggerSecret(one) === undefined) && !containsToken(JSON.stringify([learnedAs]));
}

/** Redacts again, because newer rules find secrets that older rules missed. */
async function cleanAll(lessons: readonly Lesson[], scan: SecretScan): Promise<readonly Lesson[]> {
  const words = await mapTexts(lessons.map(toWords), (texts) => cleanTexts(texts, scan));
  return lessons.map((lesson, n) => withWords(lesson, words[n] ?? toWords(lesson)));
}

async function addHistory(
  lessons: readonly ExportedLesson[],
  store: Store,
  scan: SecretScan,
): Promise<readonly ExportedLesson[]> {
  const exported: ExportedLesson[] = [];
  for (const lesson of lessons) {
    const changes = (await store.listLessonHistory(lesson.id)).map(({ by, reason, at }) => ({ by, reason, at }));
    const reasons = await cleanTexts(
      changes.map(({ reason }) => reason),
      scan,
    );
    exported.push({ ...lesson, history: changes.map((change, n) => ({ ...change, reason: reasons[n] ?? '' })) });
  }
  return exported;
}

/** By id, and their keys in one order: the same lessons are the same text. */
function toDocument(lessons: readonly ExportedLesson[]): LessonsDocument {
  const sorted = lessons.toSorted((a, b) => compareTexts(a.id, b.id));
  return { $schema: LESSONS_SCHEMA_ID, type: 'lessons', version: LESSONS_VERSION, lessons: toSortedKeys(sorted) };
}

function write(file: string, text: string): void {
  try {
    writeFileAtomically({ path: file, bytes: Buffer.from(text), mode: 0o600 });
  } catch (cause) {
    const next = `check that ${dirname(file)} exists and is writable`;
    throw userError(file, 'cannot be written', next, cause);
  }
}

const PLACES = new Map(Object.keys(lessonSchema.shape).map((key, i) => [key, i]));

/** The same value is the same text, in whatever order its keys came. A lesson's keys go as its schema has them. */
function toSortedKeys<T>(value: T): T {
  return sort(value) as T;
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => toPlace(a) - toPlace(b) || compareTexts(a, b))
      .map(([key, inner]) => [key, sort(inner)]),
  );
}

function toPlace(key: string): number {
  return PLACES.get(key) ?? PLACES.size;
}
