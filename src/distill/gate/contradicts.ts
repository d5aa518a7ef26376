/**
 * Calls that show a lesson wrong although it would not have spoken at them: what it calls missing was read, written or
 * removed by whatever tool.
 */
import type { Lesson } from '../../base/model/lesson.ts';
import { ABSENT_PATH } from '../../base/model/lesson-trust.ts';
import { type Touching, touchesPath } from '../propose/paths/touches-path.ts';

type About = Pick<Lesson, 'triggers' | 'tags'>;

/** The path that is not there, of a lesson that says so. */
export function findAbsentPath({ triggers, tags }: About): string | undefined {
  if (!tags.includes(ABSENT_PATH)) return undefined;
  return triggers.session?.unless.flatMap((one) => ('read' in one ? [one.read] : []))[0];
}

export function contradicts(about: About, call: Touching): boolean {
  const path = findAbsentPath(about);
  return path !== undefined && touchesPath(path, call);
}
