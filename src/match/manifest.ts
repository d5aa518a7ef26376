/**
 * Reads the compiled lessons from the manifest file or, if that file is broken, from the spare file beside it. Opening
 * a manifest parses only its header; a lesson is parsed when the index leads to it, because a call needs few of them.
 */

import { readFileSync } from 'node:fs';
import { type CompiledLesson, MANIFEST_VERSION, type ManifestHeader } from '../base/model/manifest.ts';
import type { ToProjectId } from '../base/model/project.ts';
import type { Settings } from '../base/model/settings.ts';

export function toSpareManifestFile(file: string): string {
  return `${file}.spare`;
}

/** Undefined if there is no usable manifest. */
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

/** The compiled lessons. */
export interface Manifest {
  readonly header: ManifestHeader;
  /** Undefined if there is no lesson of that number or it cannot be parsed. */
  get(n: number): CompiledLesson | undefined;
  /** The lessons listed under any of these keys of the header, each once. */
  find(keys: readonly string[]): readonly CompiledLesson[];
  /** The lessons of these numbers. */
  list(numbers: Iterable<number>): readonly CompiledLesson[];
  /** Every lesson. Too slow to call while an agent waits. */
  all(): readonly CompiledLesson[];
}

/** The project id that lessons use; a hook may find another id of the same project. */
export function resolveProjectId({ aliases = {} }: ManifestHeader, projectId: string): string {
  return (Object.hasOwn(aliases, projectId) ? aliases[projectId] : undefined) ?? projectId;
}

/** The same as a function, also for a hook that has no manifest. */
export function makeProjectResolver(manifest: Manifest | undefined): ToProjectId {
  return (id) => (manifest === undefined ? id : resolveProjectId(manifest.header, id));
}

/** Applies changed settings at once; the manifest file contains them only after it is compiled again. */
export function withSettings(manifest: Manifest | undefined, settings: Settings | undefined): Manifest | undefined {
  if (manifest === undefined || settings === undefined) return manifest;
  const { protocol, ...header } = manifest.header;
  const asked = protocol === undefined || !settings.selfReportProtocol ? {} : { protocol };
  return { ...manifest, header: { ...header, settings, ...asked } };
}

const NEWLINE = 0x0a;
const END = ']}\n';

/** Undefined if the bytes are not a manifest of our version; the caller then has no lessons. */
export function openManifest(bytes: Buffer): Manifest | undefined {
  const headerEnd = bytes.indexOf(NEWLINE);
  const lessonsStart = bytes.indexOf(NEWLINE, headerEnd + 1) + 1;
  const header = parseHeader(bytes.toString('utf8', 0, Math.max(0, headerEnd)));
  if (header === undefined || lessonsStart === 0 || !isComplete(bytes, lessonsStart, header)) return undefined;
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

/** A truncated file has a header too. */
function isComplete(bytes: Buffer, lessonsStart: number, { offsets }: ManifestHeader): boolean {
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
