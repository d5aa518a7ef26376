/**
 * A folder by its end, as far as nothing of the machine is in it: from the name of the highest folder that the session was
 * seen in. Another clone has the same end, a folder of the same name elsewhere in the project has not.
 */
import type { LiveCall } from '../../../base/model/call.ts';
import { toPlainPath } from '../../../base/text/paths.ts';

/** The name of a person, and of no project. */
const HOME = /^(?:\/(?:home|Users)\/[^/]+|\/root|\/(?:home|Users|tmp|private|var|opt|mnt|srv|work))?$/;

export function toPlace(calls: readonly LiveCall[], cwd: string | undefined): string | undefined {
  const own = toPlainPath(cwd ?? '');
  if (!own.startsWith('/') || HOME.test(own)) return undefined;
  const above = calls
    .map((call) => toPlainPath(call.cwd ?? ''))
    .filter((one) => !HOME.test(one) && `${own}/`.startsWith(`${one}/`));
  const root = [own, ...above].reduce((a, b) => (b.length < a.length ? b : a));
  const place = own.slice(root.lastIndexOf('/') + 1);
  return /[$*?`\s[\]{}]/.test(place) ? undefined : place;
}
