/**
 * A small stable hash for names of things (signatures, projects, claims), never for secrets: base may not import
 * node:crypto, and the hook saves 4 ms by not loading it. 64 bits as two independent 32-bit mixes, base 36.
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
