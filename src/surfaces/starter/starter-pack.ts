/** Takes the lessons that we bring into a store and puts them away again. Doing either twice changes nothing more. */
import { makeSlug } from '../../base/ids.ts';
import type { Lesson, LessonChange, LessonUpdate } from '../../base/lesson.ts';
import type { Store } from '../../base/store.ts';
import { toArchived } from '../../promote/archive-lesson.ts';
import { findStarterKey, makeStarterLesson } from './make-starter-lesson.ts';
import { STARTER_LESSONS, type StarterLesson } from './starter-lessons.ts';

export interface StarterAct {
  readonly by: string;
  readonly at: string;
  readonly command?: string;
}

export interface StarterState extends StarterLesson {
  /** Absent where it was never installed. */
  readonly lesson?: Lesson;
  /** It was put away by us, not by a person. */
  readonly isAway: boolean;
  /** Nobody but us changed it, and nothing was learned about it. */
  readonly isUntouched: boolean;
}

/** How our changes begin; every other one is somebody's. */
const OURS = 'starter pack: ';

export async function readStarter(store: Store): Promise<readonly StarterState[]> {
  const lessons = await store.listLessons();
  const states: StarterState[] = [];
  for (const starter of STARTER_LESSONS) {
    const lesson = lessons.find((one) => findStarterKey(one) === starter.key);
    const changes = lesson === undefined ? [] : await store.listLessonHistory(lesson.id);
    const isUntouched = changes.every(({ reason }) => reason.startsWith(OURS));
    const isAway = lesson?.status === 'archived' && isUntouched;
    states.push({ ...starter, ...(lesson === undefined ? {} : { lesson }), isAway, isUntouched });
  }
  return states;
}

/** What a person rejected or archived stays so. */
export async function installStarter(store: Store, act: StarterAct): Promise<readonly Lesson[]> {
  const states = await readStarter(store);
  const slugs = new Set((await store.listLessons()).map(({ slug }) => slug));
  const missing = states.filter(({ lesson, isAway }) => lesson === undefined || isAway);
  return save(store, missing, (state) => ({
    lesson: toDraft(state, slugs, act),
    change: toChange(act, 'installed as a draft'),
  }));
}

export async function removeStarter(store: Store, act: StarterAct): Promise<readonly Lesson[]> {
  const states = await readStarter(store);
  const mine = states.filter(({ lesson, isUntouched }) => lesson?.status === 'draft' && isUntouched);
  const reason = 'removed';
  return save(store, mine, ({ lesson }) =>
    lesson === undefined
      ? undefined
      : { lesson: toArchived(lesson, { cause: 'archived', reason }, act.at), change: toChange(act, reason) },
  );
}

function toDraft({ lesson, ...starter }: StarterState, slugs: ReadonlySet<string>, { at }: StarterAct): Lesson {
  const { isAway: _, isUntouched: __, ...told } = starter;
  const made = makeStarterLesson(told, at);
  if (lesson !== undefined) return { ...made, id: lesson.id, slug: lesson.slug, createdAt: lesson.createdAt };
  return slugs.has(made.slug) ? { ...made, slug: makeSlug(made.slug) } : made;
}

/** All in one transaction; one that somebody changed meanwhile stays as it is. */
function save(
  store: Store,
  states: readonly StarterState[],
  toUpdate: (state: StarterState) => LessonUpdate | undefined,
): Promise<readonly Lesson[]> {
  const updates = states.flatMap((state) => {
    const update = toUpdate(state);
    return update === undefined ? [] : { ...update, before: state.lesson };
  });
  if (updates.length === 0) return Promise.resolve([]);
  return store.updateLessons(
    updates.map(({ lesson }) => lesson.id),
    (found) => updates.filter(({ before }, n) => found[n]?.updatedAt === before?.updatedAt),
  );
}

function toChange(act: StarterAct, reason: string): LessonChange {
  return { ...act, reason: `${OURS}${reason}` };
}
