/**
 * Archives lessons of a single session when it has ended or was silent for a day, and lessons of detectors that no
 * longer exist, if only one session speaks for them. With `ages`, also archives old drafts that nobody reviewed and
 * lessons that never fire. `lessons restore` brings each of them back.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { Settings } from '../../base/model/settings.ts';
import { compareTexts } from '../../base/records.ts';
import { isLeftOver } from '../../distill/former-detectors.ts';
import { expireLesson, toArchived, toLastUseMs } from '../../promote/lesson-states.ts';

const DAY_MS = 24 * 60 * 60_000;
const LEFT_OVER = 'this version no longer learns lessons of this kind from one session, and nobody confirmed it';

interface Expiry {
  /** The current time if the clock is trusted. Without it, only ended sessions count. */
  readonly nowMs: number | undefined;
  /** Sessions that have ended just now. */
  readonly ended?: readonly { readonly agent: string; readonly sessionId: string }[];
  readonly ages?: Pick<Settings, 'drafts' | 'unused'>;
  /** Maximum number of lessons to archive by age, longest unused first. */
  readonly toMost?: (lessons: number) => number;
}

export interface Expired {
  /** All lessons that are not archived. */
  readonly lessons: readonly Lesson[];
  readonly changed: boolean;
  /** Lessons that are due for their age, and stay because of `toMost`. */
  readonly waiting: number;
}

export async function expireLessons(store: Store, expiry: Expiry): Promise<Expired> {
  const open = (await store.listLessons()).filter(({ status }) => status !== 'archived');
  const due = open.filter((lesson) => archiveByAge(lesson, expiry) !== undefined).toSorted(compareUse);
  const spared = new Set(due.slice(expiry.toMost?.(open.length) ?? due.length).map(({ id }) => id));
  const lessons: Lesson[] = [];
  for (const lesson of open) {
    if (spared.has(lesson.id) || archive(lesson, expiry) === undefined) lessons.push(lesson);
    else lessons.push(...(await save(store, lesson, expiry)));
  }
  return { lessons, changed: lessons.length < open.length, waiting: spared.size };
}

/** True when `expireLessons` would archive at least one lesson. */
export async function hasExpired(store: Pick<Store, 'listLessons'>, expiry: Expiry): Promise<boolean> {
  return (await store.listLessons()).some((lesson) => archive(lesson, expiry) !== undefined);
}

function compareUse(a: Lesson, b: Lesson): number {
  return toLastUseMs(a) - toLastUseMs(b) || compareTexts(a.id, b.id);
}

/** Decides again on the current lesson, because somebody may just have confirmed it. */
async function save(store: Store, { id }: Lesson, expiry: Expiry): Promise<readonly Lesson[]> {
  let left: readonly Lesson[] = [];
  await store.updateLessons([id], ([now]) => {
    const lesson = now && archive(now, expiry);
    if (lesson === undefined) left = now === undefined || now.status === 'archived' ? [] : [now];
    if (lesson?.archival === undefined) return [];
    const { cause, reason } = lesson.archival;
    const by = cause === 'over' && reason !== LEFT_OVER ? 'promote/expire-session' : 'promote/expire-lesson';
    return [{ lesson, change: { by, reason, at: lesson.updatedAt } }];
  });
  return left;
}

/** Undefined when it stays. */
function archive(lesson: Lesson, expiry: Expiry): Lesson | undefined {
  if (lesson.status === 'archived') return undefined;
  const reason = findReason(lesson, expiry);
  if (reason === undefined) return archiveByAge(lesson, expiry);
  return toArchived(lesson, { cause: 'over', reason }, new Date(expiry.nowMs ?? Date.now()).toISOString());
}

function archiveByAge(lesson: Lesson, { ages, nowMs }: Expiry): Lesson | undefined {
  return ages === undefined || nowMs === undefined ? undefined : expireLesson(lesson, ages, nowMs);
}

function findReason(lesson: Lesson, { nowMs, ended = [] }: Expiry): string | undefined {
  if (isLeftOver(lesson)) return LEFT_OVER;
  if (lesson.scope.kind !== 'session') return undefined;
  const isOf = (session: { readonly agent: string; readonly sessionId: string }): boolean =>
    session.sessionId === lesson.scope.id && lesson.evidence.some(({ agent }) => agent === session.agent);
  if (ended.some(isOf)) return 'its session has ended';
  const { evidence, updatedAt } = lesson;
  const seen = evidence.length === 0 ? [updatedAt] : evidence.map(({ at }) => at);
  return nowMs !== undefined && seen.every((at) => nowMs - Date.parse(at) > DAY_MS)
    ? 'its session is over: last seen more than a day ago'
    : undefined;
}
