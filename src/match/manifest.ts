/**
 * Reads the compiled lessons from the manifest file or, if that file is broken, from the spare file beside it. Opening
 * a manifest parses only its header; a lesson is parsed when the index leads to it, because a call needs few of them.
 */

import { readFileSync } from 'node:fs';
import { type CompiledLesson, MANIFEST_VERSION, type ManifestHeader } from '../base/model/manifest.ts';
import type { Settings } from '../base/model/settings.ts';

export function toSpareManifestFile(file: string): string {
  return `${file}.spare`;
}

/** Undefined when there is none at all, or none that can be used. */
export function readManifest(file: string): Manifest | undefined {
  return findIn(file) ?? findIn(toSpareManifestFile(file));
}

function findIn(file: string): Manifest | undefined {
  try {
    return openManifest(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** The compiled lessons, parsed as far as a call needs: the header now, a lesson when the index leads to it. */
export interface Manifest {
  readonly header: ManifestHeader;
  /** Undefined when there is no lesson of that number, or none that can be read. */
  get(n: number): CompiledLesson | undefined;
  /** Lessons filed under any of the keys of the header, each once. */
  find(keys: readonly string[]): readonly CompiledLesson[];
  /** The lessons of these numbers. */
  list(numbers: Iterable<number>): readonly CompiledLesson[];
  /** Every lesson. Not while an agent waits. */
  all(): readonly CompiledLesson[];
}

/** The id under which lessons name a project: a hook may find another id of it. */
export function toProjectHere({ aliases = {} }: ManifestHeader, projectId: string): string {
  return (Object.hasOwn(aliases, projectId) ? aliases[projectId] : undefined) ?? projectId;
}

/** Changed settings count at once; the manifest file has them only after it is compiled again. */
export function withSettings(manifest: Manifest | undefined, settings: Settings | undefined): Manifest | undefined {
  if (manifest === undefined || settings === undefined) return manifest;
  const { protocol, ...header } = manifest.header;
  const asked = protocol === undefined || !settings.selfReportProtocol ? {} : { protocol };
  return { ...manifest, header: { ...header, settings, ...asked } };
}

const NEWLINE = 0x0a;
const END = ']}\n';

/** Undefined when the bytes are no manifest of our version: whoever asks then has no lessons. */
export function openManifest(bytes: Buffer): Manifest | undefined {
  const headerEnd = bytes.indexOf(NEWLINE);
  const lessonsStart = bytes.indexOf(NEWLINE, headerEnd + 1) + 1;
  const header = parseHeader(bytes.toString('utf8', 0, Math.max(0, headerEnd)));
  if (header === undefined || lessonsStart === 0 || !isWhole(bytes, lessonsStart, header)) return undefined;
  const { keys = {}, offsets } = header;
  const parsed = new Map<number, CompiledLesson | undefined>();
  const get = (n: number): CompiledLesson | undefined => {
    const known = parsed.get(n);
    if (known !== undefined || parsed.has(n)) return known;
    const lesson = parseLesson(bytes, lessonsStart, offsets[n], offsets[n + 1]);
    parsed.set(n, lesson);
    return lesson;
  };
  const list = (numbers: Iterable<number>): readonly CompiledLesson[] =>
    Array.from(numbers, get).filter((lesson) => lesson !== undefined);
  return {
    header,
    get,
    list,
    find: (wanted) => list(new Set(wanted.flatMap((key) => (Object.hasOwn(keys, key) ? (keys[key] ?? []) : [])))),
    all: () => list(offsets.slice(1).keys()),
  };
}

/** A file that was cut has a header too. */
function isWhole(bytes: Buffer, lessonsStart: number, { offsets }: ManifestHeader): boolean {
  return Array.isArray(offsets) && bytes.length === lessonsStart + (offsets.at(-1) ?? 0) + END.length;
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
