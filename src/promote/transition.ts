/** What becomes of a lesson that a person moves, or why it stays. */
import type { Lesson } from '../base/model/lesson.ts';

export type Transition = { readonly lesson: Lesson } | Refusal;

export interface Refusal {
  readonly refused: string;
  /** What to do instead. */
  readonly next: string;
}

/** Who does it, and when. */
export interface Author {
  readonly by: string;
  readonly at: string;
  readonly reason?: string;
  /** What is done with it belongs together. */
  readonly command?: string;
}

export function isRefused<T extends object>(result: T | Refusal): result is Refusal {
  return 'refused' in result;
}
