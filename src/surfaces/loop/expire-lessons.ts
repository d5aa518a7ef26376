/**
 * Lessons that are true in one session only are archived when it has ended, or was silent for a day. With `ages`, what
 * nobody reviewed and what never speaks is archived too.
 */
import type { Lesson } from '../../base/lesson.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { toArchived } from '../../promote/archive-lesson.ts';
import { expireLesson } from '../../promote/expire-lesson.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface Expiry {
  readonly nowMs: number;
  /** Sessions that have ended just now. */
  readonly ended?: readonly { readonly agent: string; readonly sessionId: string }[];
  readonly ages?: Pick<Settings, 'drafts' | 'unused'>;
}

export interface Expired {
  /** All lessons that are not archived. */
  readonly lessons: readonly Lesson[];
  readonly changed: boolean;
}

export async function expireLessons(store: Store, expiry: Expiry): Promise<Expired> {
  const open = (await store.listLessons()).filter(({ status }) => status !== 'archived');
  const lessons: Lesson[] = [];
  for (const lesson of open) {
    if (archive(lesson, expiry) === undefined) lessons.push(lesson);
    else lessons.push(...(await save(store, lesson, expiry)));
  }
  return { lessons, changed: lessons.length < open.length };
}

/** Decided again on what it is by now: somebody may just have confirmed it. */
async function save(store: Store, { id }: Lesson, expiry: Expiry): Promise<readonly Lesson[]> {
  let left: readonly Lesson[] = [];
  await store.updateLessons([id], ([now]) => {
    const lesson = now && archive(now, expiry);
    if (lesson === undefined) left = now === undefined || now.status === 'archived' ? [] : [now];
    if (lesson?.archival === undefined) return [];
    const { cause, reason } = lesson.archival;
    const by = cause === 'over' ? 'promote/expire-session' : 'promote/expire-lesson';
    return [{ lesson, change: { by, reason, at: lesson.updatedAt } }];
  });
  return left;
}

/** Undefined when it stays. */
function archive(lesson: Lesson, expiry: Expiry): Lesson | undefined {
  if (lesson.status === 'archived') return undefined;
  const reason = findReason(lesson, expiry);
  if (reason !== undefined) return toArchived(lesson, { cause: 'over', reason }, new Date(expiry.nowMs).toISOString());
  return expiry.ages && expireLesson(lesson, expiry.ages, expiry.nowMs);
}

function findReason(lesson: Lesson, { nowMs, ended = [] }: Expiry): string | undefined {
  if (lesson.scope.kind !== 'session') return undefined;
  const isOf = (session: { readonly agent: string; readonly sessionId: string }): boolean =>
    session.sessionId === lesson.scope.id && lesson.evidence.some(({ agent }) => agent === session.agent);
  if (ended.some(isOf)) return 'its session has ended';
  const { evidence, updatedAt } = lesson;
  const seen = evidence.length === 0 ? [updatedAt] : evidence.map(({ at }) => at);
  return seen.every((at) => nowMs - Date.parse(at) > DAY_MS)
    ? 'its session is over: last seen more than a day ago'
    : undefined;
}
