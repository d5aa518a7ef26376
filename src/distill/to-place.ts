/**
 * A folder by its end, as far as nothing of the machine is in it: from the name of the highest folder that the session was
 * seen in. Another clone has the same end, a folder of the same name elsewhere in the project has not.
 */
import type { LiveCall } from '../base/call.ts';

export function toPlace(calls: readonly LiveCall[], cwd: string | undefined): string | undefined {
  if (cwd === undefined || !cwd.startsWith('/')) return undefined;
  const own = toBare(cwd);
  const above = calls
    .map((call) => toBare(call.cwd ?? ''))
    .filter((one) => one !== '' && `${own}/`.startsWith(`${one}/`));
  const root = [own, ...above].reduce((a, b) => (b.length < a.length ? b : a));
  const place = own.slice(root.lastIndexOf('/') + 1);
  return place === '' || /[$*?`\s[\]{}]/.test(place) ? undefined : place;
}

function toBare(folder: string): string {
  return folder.replace(/\/+$/, '');
}
