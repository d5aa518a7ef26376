/**
 * Ids: a prefix that tells the kind, and a ULID, so that ids sort by time and read well in a log.
 * Math.random is enough: an id must be unique, not secret, and the hook must start without loading node:crypto.
 */

export type IdPrefix = 'ses' | 'prj' | 'out' | 'epi' | 'fnd' | 'les' | 'hst' | 'dlv' | 'dmn' | 'cmd' | 'prm' | 'fbk';

export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';

export function makeId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${toTimePart(nowMs)}${randomFrom(CROCKFORD, 16)}`;
}

/** Kebab-case words plus four random characters: readable, and two lessons about one thing stay apart. */
export function makeSlug(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const short = words.length <= 40 ? words : words.slice(0, 40).replace(/-[^-]*$/, '');
  return `${short || 'lesson'}-${randomFrom(BASE36, 4)}`;
}

function toTimePart(nowMs: number): string {
  let rest = Math.floor(nowMs);
  let out = '';
  for (let i = 0; i < 10; i++) {
    out = CROCKFORD.charAt(rest % 32) + out;
    rest = Math.floor(rest / 32);
  }
  return out;
}

function randomFrom(alphabet: string, length: number): string {
  let out = '';
  for (let i = 0; i < length; i++) out += alphabet.charAt(Math.floor(Math.random() * alphabet.length));
  return out;
}
