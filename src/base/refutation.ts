/**
 * Calls that worked although a lesson speaks against them. Each is kept as its time and its id, so that what follows from
 * them does not depend on the order in which they, and the failures between them, are told.
 */
import type { Lesson } from './lesson.ts';

/** So many in a row. What held in several projects is not given up for one of them so soon. */
const ENOUGH = { project: 2, user: 3 } as const;

export function toRefutation(callId: string, at: string): string {
  return `${at} ${callId}`;
}

/** Those after the last failure. What bears no time was kept by an older version, and nobody knows whether it is later. */
export function listLater(refutedBy: readonly string[] = [], failedAt: string): readonly string[] {
  return refutedBy.filter((one) => isLater(one.slice(0, Math.max(0, one.indexOf(' '))), failedAt));
}

/** True where the second is no time. */
export function isLater(at: string, than: string): boolean {
  const [a, b] = [Date.parse(at), Date.parse(than)];
  return !Number.isNaN(a) && !(a <= b);
}

/** When the mistake was made last, as far as the lesson itself tells. Empty where it does not. */
export function findLastFailure({ evidence }: Pick<Lesson, 'evidence'>): string {
  return evidence.reduce((last, { at }) => (last === '' || isLater(at, last) ? at : last), '');
}

export function isRefuted({ validity, scope }: Pick<Lesson, 'validity' | 'scope'>): boolean {
  return (validity.refutedBy?.length ?? 0) >= (scope.kind === 'user' ? ENOUGH.user : ENOUGH.project);
}
