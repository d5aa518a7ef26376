/**
 * Reads and replaces the words of a lesson (every text that a person wrote or a program printed, but no triggers and
 * names), and makes the copy of a lesson that may leave this machine. Unless the user asks for evidence, the copy
 * contains no transcript paths and no home folders, because a home folder names a person.
 */

import type { Evidence, Lesson, LessonBody } from '../../base/model/lesson.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import type { ExportedLesson } from '../../keep/sharing/lessons-document-schema.ts';

interface LessonWords {
  readonly summary: string;
  readonly mistake: string;
  readonly remediation: string;
  readonly tags: readonly string[];
  readonly body: LessonBody | null;
  readonly excerpts: readonly string[];
  readonly learned: readonly string[];
  readonly archival: string;
}

type Worded = Omit<Lesson, 'contentHash'>;

export function toWords(lesson: Worded): LessonWords {
  const { summary, mistake, remediation, tags, body = null, evidence, learnedAs = [], archival } = lesson;
  return {
    summary,
    mistake,
    remediation,
    tags,
    body,
    excerpts: evidence.map(({ excerpt }) => excerpt ?? ''),
    learned: learnedAs.map((form) => form.remediation),
    archival: archival?.reason ?? '',
  };
}

export function withWords<T extends Worded>(lesson: T, words: LessonWords): T {
  const { summary, mistake, remediation, tags, body, excerpts, learned, archival } = words;
  return {
    ...lesson,
    summary,
    mistake,
    remediation,
    tags,
    ...(body === null ? {} : { body }),
    evidence: lesson.evidence.map((one, n) =>
      one.excerpt === undefined ? one : { ...one, excerpt: excerpts[n] ?? '' },
    ),
    ...(lesson.learnedAs === undefined
      ? {}
      : { learnedAs: lesson.learnedAs.map((form, n) => ({ ...form, remediation: learned[n] ?? '' })) }),
    ...(lesson.archival === undefined ? {} : { archival: { ...lesson.archival, reason: archival } }),
  };
}

/** Changes all texts of a value with one call, so that thousands of texts are scanned together. */
export async function mapTexts<T>(
  value: T,
  change: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<T> {
  const texts: string[] = [];
  walk(value, (text) => {
    texts.push(text);
    return text;
  });
  const changed = await change(texts);
  let at = 0;
  return walk(value, () => changed[at++] ?? '') as T;
}

/** Visits all texts in a fixed order; keys stay. */
function walk(value: unknown, use: (text: string) => string): unknown {
  if (typeof value === 'string') return use(value);
  if (Array.isArray(value)) return value.map((one) => walk(one, use));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, use)]));
}

/** Changes texts one by one, synchronously. */
export function mapTextsNow<T>(value: T, change: (text: string) => string): T {
  return walk(value, change) as T;
}

export function listTexts(value: unknown): readonly string[] {
  const texts: string[] = [];
  walk(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

interface SharingWish {
  /** Include transcript paths, and texts with the folders that they name. */
  readonly withEvidence: boolean;
}

/** The copy of a lesson that may leave this machine: without its paths, sessions and local fields. */
export function toSharedLesson(lesson: Lesson, { withEvidence }: SharingWish): ExportedLesson {
  const { provisional, contentHash, file, measure, ...whole } = lesson;
  if (withEvidence) return whole;
  const shown = withWords(whole, mapTextsNow(toWords(whole), hideHomes));
  return { ...shown, evidence: shown.evidence.map(dropPlace), triggers: hidePaths(shown.triggers) };
}

function dropPlace({ file: _, lines: __, ...evidence }: Evidence): Evidence {
  return evidence;
}

/** Replaces paths below a home folder, which differs between machines, by their last part. */
function hidePaths(triggers: Triggers): Triggers {
  const { paths, unless } = triggers;
  const hide = (path: string): string => hideHomes(path).replace(/^~[^/]*\//, '**/');
  return {
    ...triggers,
    ...(paths === undefined ? {} : { paths: paths.map(hide) }),
    ...(unless?.paths === undefined ? {} : { unless: { ...unless, paths: unless.paths.map(hide) } }),
  };
}

/** Home folders, which name people: `/home/ada/shop` becomes `~/shop`. */
const HOMES =
  /(?:(?<![\w.~-])\/(?:home|Users)\/|\b[A-Za-z]:\\Users\\)[^\s/\\:'"`<>|]+|(?<![\w/.-])\/root(?=\/|\b(?![\w.-]))/g;

function hideHomes(text: string): string {
  return text.replace(HOMES, '~');
}
