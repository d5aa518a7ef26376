/** Reads fields of objects from imported files, without trusting their types. */
import { hasDataLossTag, parsePriority } from '../../base/model/lesson.ts';
import { dropAbsent } from '../../base/records.ts';

export type Fields = Readonly<Record<string, unknown>>;

interface WatchedFields {
  readonly fields: Fields;
  /** Names of fields that have a value and were not read. */
  listUnread(): readonly string[];
}

/** Wraps the object and records which fields are read; an import reports the others as dropped. */
export function watchFields(given: Fields): WatchedFields {
  const read = new Set<string>();
  const fields = new Proxy(given, {
    get(target, key) {
      if (typeof key === 'string') read.add(key);
      return Reflect.get(target, key);
    },
  });
  return { fields, listUnread: () => listDropped(given, [...read]) };
}

/** Names of fields that have a value and are not in `known`. */
export function listDropped(fields: Fields, known: readonly string[]): readonly string[] {
  return Object.keys(fields).filter((name) => !known.includes(name) && !isEmpty(fields[name]));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Reads a value without marking it as read, so that an unusable value is reported as dropped. */
function peek(fields: Fields, name: string): unknown {
  return Object.getOwnPropertyDescriptor(fields, name)?.value;
}

function take(fields: Fields, name: string): void {
  void fields[name];
}

/** Fields whose priority or confidence is invalid; the default replaces them. */
export function listUnusable({ priority, confidence }: Fields): readonly string[] {
  return [
    ...(isEmpty(priority) || parsePriority(priority) !== undefined ? [] : ['priority']),
    ...(isEmpty(confidence) || Number.isFinite(confidence) ? [] : ['confidence']),
  ];
}

/** The count under the first of these names that has one. */
function findCount(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = peek(fields, name);
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) continue;
    take(fields, name);
    return Math.min(MAX_COUNT, Math.round(value));
  }
  return undefined;
}

const MAX_COUNT = 1_000_000;

/** How often the lesson was seen, according to the file. */
export function findCounts(fields: Fields): Partial<Record<'occurrences' | 'sessions' | 'projects', number>> {
  const occurrences = findCount(fields, ['occurrences', 'occurrenceCount', 'occurrence_count', 'count', 'frequency']);
  const sessions = findCount(fields, ['sessions', 'sessionCount', 'session_count']);
  const projects = findCount(fields, ['projects', 'projectCount', 'project_count']);
  return dropAbsent({ occurrences, sessions, projects });
}

/** The text under the first of these names that has one. */
export function findText(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const value = peek(fields, name);
    if (typeof value !== 'string' || value.trim() === '') continue;
    take(fields, name);
    return value.trim();
  }
  return '';
}

/** The texts under the first of these names that has any, as a list or a single text. */
export function listTexts(fields: Fields, names: readonly string[]): readonly string[] {
  for (const name of names) {
    const value = peek(fields, name);
    const list = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && one.trim() !== '');
    if (list.length === 0) continue;
    take(fields, name);
    return list as readonly string[];
  }
  return [];
}

const DEFAULT_PRIORITY = 5;

/** The priority from the file; otherwise the default, which is higher if a tag names data loss. */
export function toPriority(given: unknown, tags: readonly string[] = []): number {
  return parsePriority(given) ?? DEFAULT_PRIORITY + Number(hasDataLossTag(tags));
}

/** Limits imported confidence, because it was measured elsewhere. */
const MAX_CONFIDENCE = 0.9;
const DEFAULT_CONFIDENCE = 0.6;

export function toConfidence(given: unknown): number {
  if (typeof given !== 'number' || !Number.isFinite(given)) return DEFAULT_CONFIDENCE;
  const share = given > 1 ? given / 100 : given;
  return Math.round(Math.min(MAX_CONFIDENCE, Math.max(0.1, share)) * 100) / 100;
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The text, if it is a valid slug. */
export function findSlug(given: string): string | undefined {
  return given.length <= 60 && SLUG.test(given) ? given : undefined;
}

export function toTags(given: readonly string[]): readonly string[] {
  const tags = given.map((tag) => tag.trim()).filter((tag) => /^[\p{L}\p{N}][\p{L}\p{N}:._/+#-]{0,79}$/u.test(tag));
  return [...new Set(tags)].slice(0, 30);
}
