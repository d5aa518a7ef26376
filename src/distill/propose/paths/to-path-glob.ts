/** A path of the project as a glob that no path of the same name farther down matches: `lib` of the root is not `x/lib`. */
import type { LiveCall } from '../../../base/model/call.ts';
import { toPlace } from './to-place.ts';

/** A path of so many parts ends like no other, and is the same in a clone whose folder has another name. */
const TELLING_PARTS = 3;

/** `inProject`: as seen from the directory of the call. */
export function toPathGlob(
  calls: readonly LiveCall[],
  { cwd }: Pick<LiveCall, 'cwd'>,
  inProject: string | undefined,
): string | undefined {
  if (inProject === undefined) return undefined;
  if (inProject.split('/').length >= TELLING_PARTS) return `**/${inProject}`;
  const place = toPlace(calls, cwd);
  return place === undefined ? undefined : `**/${place}/${inProject}`;
}
