/**
 * Makes ids, slugs and hashes. An id is a prefix for its kind and a ULID, so that ids sort by time and read well in a
 * log. Math.random and a small hash of our own are enough, because ids and names must be unique, not secret, and the
 * hook must start without loading node:crypto (4 ms).
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

/**
 * A small stable hash for names of things (signatures, projects, claims), never for secrets. 64 bits as two independent
 * 32-bit mixes, base 36.
 */
export function hashText(text: string): string {
  return mix(text, 0xdeadbeef) + mix(text, 0x41c6ce57);
}

function mix(text: string, seed: number): string {
  let h = seed;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x9e3779b1);
    h ^= h >>> 15;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0).toString(36).padStart(7, '0');
}
