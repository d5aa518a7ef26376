/** A lesson as somebody else's file tells it, in our words. Nothing of it is believed yet. */
import type { Lesson } from '../../base/model/lesson.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';

export const IMPORT_FORMATS = ['own', 'lessons-json', 'process-knowledge', 'rules'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

type Told = 'type' | 'summary' | 'mistake' | 'remediation' | 'body' | 'priority' | 'confidence' | 'tags';

export interface Candidate extends Pick<Lesson, Told> {
  /** What a person finds it by in the file: a slug, a label, a line. */
  readonly name: string;
  /** Its own, where it has one that we could use. */
  readonly slug?: string;
  /** `NO_TRIGGERS` where the file names nothing to speak at, or nothing that we can use. */
  readonly triggers: Triggers;
  /** What was left behind, and why. */
  readonly remarks: readonly string[];
  /** The fields of the file that no lesson has a place for. */
  readonly dropped: readonly string[];
  /** How often it was seen where it comes from. */
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

/** An empty list has no element that could hold: such a lesson stays silent, whoever approves it, until it is edited. */
export const NO_TRIGGERS: Triggers = { programs: [] };

export function hasNoTriggers({ programs }: Triggers): boolean {
  return programs?.length === 0;
}
