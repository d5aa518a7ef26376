/** The words of a lesson: everything in it that somebody wrote or a program printed, apart from triggers and names. */
import type { Lesson } from '../../base/lesson.ts';
import type { LessonBody } from '../../base/lesson-body.ts';

export interface LessonWords {
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
    ...{ summary, mistake, remediation, tags, body },
    excerpts: evidence.map(({ excerpt }) => excerpt ?? ''),
    learned: learnedAs.map((form) => form.remediation),
    archival: archival?.reason ?? '',
  };
}

export function withWords<T extends Worded>(lesson: T, words: LessonWords): T {
  const { summary, mistake, remediation, tags, body, excerpts, learned, archival } = words;
  return {
    ...lesson,
    ...{ summary, mistake, remediation, tags },
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
