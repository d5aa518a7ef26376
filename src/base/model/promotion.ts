/** A lesson that is proposed for, or stands in, a file that agents read at every session: CLAUDE.md, AGENTS.md, a skill. */
import type { Lesson, LessonChange } from './lesson.ts';

export const PROMOTION_STATES = ['pending', 'approved', 'applied', 'rolled_back', 'rejected'] as const;
export type PromotionState = (typeof PROMOTION_STATES)[number];

/** One lesson, one file of one project. */
export interface Promotion {
  readonly id: string;
  readonly lessonId: string;
  readonly projectId: string;
  /** The clone that it was proposed in: others get the file through git. */
  readonly root: string;
  /** From the root, with slashes: `AGENTS.md`. */
  readonly file: string;
  readonly state: PromotionState;
  /** What is, or was, to be written. */
  readonly text: string;
  /** Of what stands in the file since it was applied: whatever is not like it, somebody changed. */
  readonly hash?: string;
  /** As earlier versions noted it. Nothing reads it: what stood in its place was a section of ours. */
  readonly before?: string;
  /** The file was made for it, with these folders (from the root, outermost first). */
  readonly made?: readonly string[];
  /** Who brought it into this state, and when. */
  readonly by: string;
  readonly at: string;
  readonly createdAt: string;
}

/** Nobody has ended it. At most one of a lesson, project and file is. */
export function isOpen({ state }: Promotion): boolean {
  return state === 'pending' || state === 'approved' || state === 'applied';
}

export interface PromotionFilter {
  readonly lessonId?: string;
  readonly projectId?: string;
  readonly state?: PromotionState;
}

/** A promotion that moves is told in the history of its lesson. */
export interface PromotionUpdate {
  readonly promotion: Promotion;
  readonly lesson: Lesson;
  readonly change: LessonChange;
}

/** How all such changes begin: undo of lessons leaves them alone, because files belong to them. */
export const PROMOTION_REASON = 'promotion: ';
