/** What a person or an agent said about a lesson that was shown: it helped, or it did not. */
import type { ChangeHead, Lesson, LessonUpdate } from './lesson.ts';

export const FEEDBACK_VERDICTS = ['helpful', 'not-helpful'] as const;
export type FeedbackVerdict = (typeof FEEDBACK_VERDICTS)[number];

export const FEEDBACK_SOURCES = ['user', 'agent'] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];

/** One voice about one delivery. Who changes their mind has still one. */
export interface Feedback {
  readonly id: string;
  readonly lessonId: string;
  /** Absent: about the lesson itself, which was not shown yet. */
  readonly deliveryId?: string;
  readonly from: FeedbackSource;
  /** `user:ann`, `agent:claude-code`. */
  readonly by: string;
  readonly verdict: FeedbackVerdict;
  /** Redacted. */
  readonly note?: string;
  /** How far it moved the lesson's confidence, within the bounds: what is taken back when the mind changes. */
  readonly moved: number;
  /** It brought the lesson under the threshold, so that it waits for a person. */
  readonly isFlagging: boolean;
  /** Of its change in the history of the lesson: whoever undoes that takes the weight back too. */
  readonly command: string;
  readonly at: string;
}

export interface FeedbackFilter {
  readonly lessonId?: string;
  readonly deliveryId?: string;
}

/** What is saved together. Without `update` the lesson stays as it is. */
export interface FeedbackUpdate {
  readonly feedback: Feedback;
  readonly update?: LessonUpdate;
}

/** What one needs to know to decide: the lesson as it is now, all that was said of it, its changes from the oldest on. */
export interface FeedbackCase {
  readonly lesson: Lesson;
  readonly feedback: readonly Feedback[];
  readonly history: readonly ChangeHead[];
}
