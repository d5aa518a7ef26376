/** An id that sorts behind another one: what two processes write in the same moment stays in the order it was written. */
import { type IdPrefix, makeId } from '../../base/ids.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;

/** The id itself where it sorts behind `last` already. */
export function toLaterId(id: string, last: string | undefined): string {
  if (last === undefined || id > last) return id;
  const [prefix = '', rest = ''] = last.split('_');
  let ms = 0;
  for (const char of rest.slice(0, TIME_CHARS)) ms = ms * 32 + Math.max(0, CROCKFORD.indexOf(char));
  return makeId(prefix as IdPrefix, ms + 1);
}
