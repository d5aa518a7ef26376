/** The compiled lessons, parsed as far as a call needs: the header now, a lesson when a key leads to it. */
import { type CompiledLesson, MANIFEST_VERSION, type ManifestHeader } from '../base/manifest.ts';

export interface Manifest {
  readonly header: ManifestHeader;
  /** Lessons filed under any of the keys, each once. */
  find(keys: readonly string[]): readonly CompiledLesson[];
}

const NEWLINE = 0x0a;
const END = ']}\n';

/** Undefined when the bytes are no manifest of our version: whoever asks then has no lessons. */
export function openManifest(bytes: Buffer): Manifest | undefined {
  const headerEnd = bytes.indexOf(NEWLINE);
  const lessonsStart = bytes.indexOf(NEWLINE, headerEnd + 1) + 1;
  const header = parseHeader(bytes.toString('utf8', 0, Math.max(0, headerEnd)));
  if (header === undefined || lessonsStart === 0 || !isWhole(bytes, lessonsStart, header)) return undefined;
  const parsed = new Map<number, CompiledLesson | undefined>();
  const get = (n: number): CompiledLesson | undefined => {
    if (!parsed.has(n)) parsed.set(n, parseLesson(bytes, lessonsStart, header.offsets[n], header.offsets[n + 1]));
    return parsed.get(n);
  };
  return { header, find: (keys) => [...findNumbers(header, keys)].map(get).filter((lesson) => lesson !== undefined) };
}

/** A file that was cut has a header too. */
function isWhole(bytes: Buffer, lessonsStart: number, { offsets }: ManifestHeader): boolean {
  return Array.isArray(offsets) && bytes.length === lessonsStart + (offsets.at(-1) ?? 0) + END.length;
}

function findNumbers(header: ManifestHeader, keys: readonly string[]): Set<number> {
  const numbers = new Set<number>();
  for (const key of keys) {
    if (Object.hasOwn(header.keys, key)) for (const n of header.keys[key] ?? []) numbers.add(n);
  }
  return numbers;
}

/** The header line ends with the comma before `"lessons"`. */
function parseHeader(line: string): ManifestHeader | undefined {
  try {
    const header = JSON.parse(`${line.slice(0, -1)}}`) as ManifestHeader;
    return header.type === 'manifest' && header.version === MANIFEST_VERSION ? header : undefined;
  } catch {
    return undefined;
  }
}

function parseLesson(bytes: Buffer, start: number, from?: number, to?: number): CompiledLesson | undefined {
  if (from === undefined || to === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', start + from, start + to - 2)) as CompiledLesson;
  } catch {
    return undefined;
  }
}
