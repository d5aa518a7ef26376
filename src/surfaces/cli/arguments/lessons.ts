/** The lesson that a person means: by its id, its slug, or its slug without the four random signs at the end. */

import type { Store } from '../../../base/contracts/store.ts';
import type { UserError } from '../../../base/errors.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { userError } from '../errors.ts';
import { toLine, toShortLine } from '../text.ts';

type Lessons = Pick<Store, 'findLesson' | 'listLessons'>;

const SUFFIX = /-[a-z0-9]{4}$/;
const MAX_SHOWN = 10;

/** Undefined where no lesson is named so. */
export async function findNamed(store: Lessons, name: string): Promise<Lesson | undefined> {
  const exact = await store.findLesson(name);
  if (exact !== undefined || name === '') return exact;
  const found = (await store.listLessons()).filter(({ slug }) => slug.replace(SUFFIX, '') === name);
  if (found.length <= 1) return found[0];
  const slugs = found.slice(0, MAX_SHOWN).map(({ slug, summary }) => `${slug} (${toShortLine(summary, 80)})`);
  const more = found.length > MAX_SHOWN ? ', …' : '';
  throw userError(
    `lesson ${toLine(name, 100)}`,
    `is the short name of ${found.length} lessons`,
    `give the whole name: ${slugs.join(', ')}${more}`,
  );
}

export async function getNamed(store: Lessons, name: string): Promise<Lesson> {
  return getKnown(name, await findNamed(store, name));
}

/** Names as in the store; an unknown name stays as it is. */
export async function toWholeNames(store: Lessons, names: readonly string[]): Promise<readonly string[]> {
  const whole: string[] = [];
  for (const name of names) whole.push((await findNamed(store, name))?.slug ?? name);
  return whole;
}

/** Those that are still there, by id. */
export async function readLessons(store: Lessons, ids: readonly string[]): Promise<ReadonlyMap<string, Lesson>> {
  const lessons = new Map<string, Lesson>();
  for (const id of new Set(ids)) {
    const lesson = await store.findLesson(id);
    if (lesson !== undefined) lessons.set(id, lesson);
  }
  return lessons;
}

export function getKnown(name: string, lesson: Lesson | undefined): Lesson {
  if (lesson !== undefined) return lesson;
  const next = 'see all: oncebitten lessons list';
  throw userError(`lesson ${toLine(name, 100)}`, 'is not known', next);
}

export function lessonError({ slug }: Pick<Lesson, 'slug'>, reason: string, next: string): UserError {
  return userError(`lesson ${slug}`, reason, next);
}
