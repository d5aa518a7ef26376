/**
 * Installs the lessons that come with Oncebitten into a store, and removes them again. Doing either twice changes
 * nothing more. A starter lesson is a draft: it fires once the user approves it or the user's own sessions prove it.
 */

import type { Store } from '../../base/contracts/store.ts';
import { makeId, makeSlug } from '../../base/ids.ts';
import type { Lesson, LessonChange, LessonUpdate } from '../../base/model/lesson.ts';
import { toContentHash } from '../../distill/lessons/hash-lesson.ts';
import { toArchived } from '../../promote/lesson-states.ts';
import { BACKTESTED_AT, type Backtest, STARTER_LESSONS, type StarterLesson } from './starter-lessons.ts';

interface StarterAct {
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
  const { isAway: _, isUntouched: __, ...given } = starter;
  const made = makeStarterLesson(given, at);
  if (lesson !== undefined) return { ...made, id: lesson.id, slug: lesson.slug, createdAt: lesson.createdAt };
  return slugs.has(made.slug) ? { ...made, slug: makeSlug(made.slug) } : made;
}

/** One transaction saves all. A lesson that somebody changed meanwhile stays as it is. */
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

const BY = 'starter/';
/** What is true of a tool for everyone, but not yet seen here. */
const CONFIDENCE = 0.7;

/** One lesson that we bring, as a draft: it speaks when a person has approved it, or the user's own sessions prove it. */
function makeStarterLesson(starter: StarterLesson, at: string): Lesson {
  const { key, backtest, tags, ...fields } = starter;
  return {
    id: makeId('les', Date.parse(at)),
    slug: key,
    ...fields,
    tags: [...tags, 'starter'],
    confidence: CONFIDENCE,
    mode: 'note',
    status: 'draft',
    needsReview: false,
    scope: { kind: 'user' },
    origin: { kind: 'import', by: `${BY}${key}`, trust: 'stated' },
    evidence: [{ agent: 'starter', sessionId: 'backtest', at: BACKTESTED_AT, excerpt: renderBacktest(backtest) }],
    occurrences: 0,
    sessions: 0,
    projects: 0,
    validity: { models: [], agentVersions: [] },
    contentHash: toContentHash(starter),
    createdAt: at,
    updatedAt: at,
  };
}

export function renderBacktest({ tried, fired, failed, worked }: Backtest): string {
  const number = (n: number): string => n.toLocaleString('en-US');
  const rest = fired - failed - worked;
  const result = `tried on ${number(tried)} calls of real sessions: fired on ${number(fired)}`;
  if (fired === 0) return result;
  return `${result}, of which ${number(failed)} failed, ${number(worked)} worked and ${number(rest)} were refused or cancelled`;
}

/** Undefined for a lesson that is none of ours. */
function findStarterKey({ origin }: Pick<Lesson, 'origin'>): string | undefined {
  return origin.by.startsWith(BY) ? origin.by.slice(BY.length) : undefined;
}
