/** Feedback of a person or an agent on a lesson that was shown: it helped, or it did not. */
import type { ChangeHead, Lesson, LessonUpdate } from './lesson.ts';

export const FEEDBACK_VERDICTS = ['helpful', 'not-helpful'] as const;
export type FeedbackVerdict = (typeof FEEDBACK_VERDICTS)[number];

export const FEEDBACK_SOURCES = ['user', 'agent'] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];

/** The feedback of one person or agent on one delivery. A changed opinion replaces the earlier one. */
export interface Feedback {
  readonly id: string;
  readonly lessonId: string;
  /** Absent if the feedback is about the lesson itself. */
  readonly deliveryId?: string;
  readonly from: FeedbackSource;
  /** `user:ann`, `agent:claude-code`. */
  readonly by: string;
  readonly verdict: FeedbackVerdict;
  /** Redacted. */
  readonly note?: string;
  /** The change of the lesson's confidence, within its bounds; a changed opinion takes it back. */
  readonly moved: number;
  /** The feedback moved the lesson below the threshold, so that it waits for review. */
  readonly isFlagging: boolean;
  /** The command of the lesson's change; undoing that change also takes back `moved`. */
  readonly command: string;
  readonly at: string;
}

export interface FeedbackFilter {
  readonly lessonId?: string;
  readonly deliveryId?: string;
}

/** Saved together in one transaction. Without `update` the lesson stays as it is. */
export interface FeedbackUpdate {
  readonly feedback: Feedback;
  readonly update?: LessonUpdate;
}

/** The input for a decision: the lesson, all earlier feedback on it, and its changes, oldest first. */
export interface FeedbackCase {
  readonly lesson: Lesson;
  readonly feedback: readonly Feedback[];
  readonly history: readonly ChangeHead[];
}
