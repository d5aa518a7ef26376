/** A recurring failure: what keeps going wrong, over sessions and projects. Found by `find-patterns.ts`. */
import type { LessonStatus } from '../../base/model/lesson.ts';

/**
 * `repeated-failure`: the same failure in several sessions or tasks. `breaking-file`: a file, or the files of a folder,
 * at which half the calls fail. `dominant-category`: one kind of failure is most of what fails. `always-breaks`: a
 * command or a file that next to never works.
 */
export const PATTERN_KINDS = ['repeated-failure', 'breaking-file', 'dominant-category', 'always-breaks'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

export interface Pattern {
  readonly kind: PatternKind;
  /** The command, file or category, short enough for a table. */
  readonly what: string;
  /** One line of ours; of outputs it has the masked form at most. */
  readonly summary: string;
  /** Of most of its failures. */
  readonly category: string;
  /** Failures, masked ones too. */
  readonly frequency: number;
  /** Out of so many calls, or failures for a category; absent for what only failures tell. */
  readonly outOf?: number;
  readonly sessions: number;
  /** Conversations: sessions, and each sub-agent on its own. */
  readonly tasks: number;
  /** Ids. */
  readonly projects: readonly string[];
  readonly first: string;
  readonly last: string;
  /** 1 today, halved every 30 days since the last time. */
  readonly recency: number;
  /** What ranks patterns: how often, in how many sessions, how long ago. */
  readonly score: number;
  readonly signatureIds: readonly string[];
  /** Those that are about most of its failures. */
  readonly lessons: readonly PatternLesson[];
}

export interface PatternLesson {
  readonly id: string;
  readonly slug: string;
  readonly status: LessonStatus;
}
