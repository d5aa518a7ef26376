/** A path of the project as a glob that no path of the same name farther down matches: `lib` of the root is not `x/lib`. */
import type { LiveCall } from '../base/call.ts';
import { toPlace } from './to-place.ts';

/** `inProject`: as seen from the directory of the call. */
export function toPathGlob(
  calls: readonly LiveCall[],
  { cwd }: Pick<LiveCall, 'cwd'>,
  inProject: string | undefined,
): string | undefined {
  const place = toPlace(calls, cwd);
  return place === undefined || inProject === undefined ? undefined : `**/${place}/${inProject}`;
}
