/**
 * A promotion: a lesson that is proposed for, or written into, a file that agents read at every session (CLAUDE.md,
 * AGENTS.md, a skill).
 */
import type { Lesson, LessonChange } from './lesson.ts';

export const PROMOTION_STATES = ['pending', 'approved', 'applied', 'rolled_back', 'rejected'] as const;
export type PromotionState = (typeof PROMOTION_STATES)[number];

/** One lesson, one file of one project. */
export interface Promotion {
  readonly id: string;
  readonly lessonId: string;
  readonly projectId: string;
  /** The clone that it was proposed in. Other clones get the file through git. */
  readonly root: string;
  /** From the root, with slashes: `AGENTS.md`. */
  readonly file: string;
  readonly state: PromotionState;
  /** The text that is to be written, or was. */
  readonly text: string;
  /** A hash of the applied text in the file. If the file differs, somebody changed it. */
  readonly hash?: string;
  /** Written by earlier versions; nothing reads it. */
  readonly before?: string;
  /** The file was created for the promotion, with these folders (from the root, outermost first). */
  readonly made?: readonly string[];
  /** The author and the time of the current state. */
  readonly by: string;
  readonly at: string;
  readonly createdAt: string;
}

/** Not ended. At most one promotion of a lesson, project and file is open. */
export function isOpen({ state }: Promotion): boolean {
  return state === 'pending' || state === 'approved' || state === 'applied';
}

export interface PromotionFilter {
  readonly lessonId?: string;
  readonly projectId?: string;
  readonly state?: PromotionState;
}

/** A change of a promotion is also recorded in the history of its lesson. */
export interface PromotionUpdate {
  readonly promotion: Promotion;
  readonly lesson: Lesson;
  readonly change: LessonChange;
}

/** The prefix of such changes in a lesson's history. `undo` of lessons ignores them, because files belong to them. */
export const PROMOTION_REASON = 'promotion: ';
