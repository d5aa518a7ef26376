/** Lessons that are true in one session only are archived when it has ended, or was silent for a day. */
import type { Lesson } from '../../base/lesson.ts';
import type { Store } from '../../base/store.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface Expiry {
  readonly nowMs: number;
  /** Sessions that have ended just now. */
  readonly ended?: readonly { readonly agent: string; readonly sessionId: string }[];
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
    const reason = findReason(lesson, expiry);
    if (reason === undefined) lessons.push(lesson);
    else await archive(store, lesson, reason, new Date(expiry.nowMs).toISOString());
  }
  return { lessons, changed: lessons.length < open.length };
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

async function archive(store: Store, lesson: Lesson, reason: string, at: string): Promise<void> {
  const archived = { ...lesson, status: 'archived' as const, updatedAt: at };
  await store.saveLesson(archived, { by: 'promote/expire-session', reason, at });
}
