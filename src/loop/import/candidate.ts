/** A lesson of an imported file in Oncebitten's own terms, not yet checked. */
import type { Lesson } from '../../base/model/lesson.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';

export const IMPORT_FORMATS = ['own', 'lessons-json', 'process-knowledge', 'rules'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

type LessonField = 'type' | 'summary' | 'mistake' | 'remediation' | 'body' | 'priority' | 'confidence' | 'tags';

export interface Candidate extends Pick<Lesson, LessonField> {
  /** How a person finds it in the file: a slug, a label or a line. */
  readonly name: string;
  /** The slug from the file, if it is valid here. */
  readonly slug?: string;
  /** `NO_TRIGGERS` if the file names no usable trigger. */
  readonly triggers: Triggers;
  /** Which parts were left out, and why. */
  readonly remarks: readonly string[];
  /** Fields of the file that a lesson does not have. */
  readonly dropped: readonly string[];
  /** How often it was seen, according to the file. */
  readonly counts?: Partial<Pick<Lesson, 'occurrences' | 'sessions' | 'projects'>>;
}

export interface Refused {
  readonly name: string;
  readonly reason: string;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly refused: readonly Refused[];
}

/** Sorts what was read of a file into candidates and refused entries. */
export function toCandidates(read: readonly (readonly Candidate[] | Refused)[]): Candidates {
  return {
    candidates: read.flatMap((one) => ('reason' in one ? [] : one)),
    refused: read.flatMap((one) => ('reason' in one ? one : [])),
  };
}

/** An empty list matches no call, so the lesson never fires until somebody edits it. */
export const NO_TRIGGERS: Triggers = { programs: [] };

export function hasNoTriggers({ programs }: Triggers): boolean {
  return programs?.length === 0;
}
