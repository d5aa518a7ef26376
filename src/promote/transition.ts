/** The result of a change of a lesson by a person: the changed lesson, or the reason why it stays. */
import type { Lesson } from '../base/model/lesson.ts';

export type Transition = { readonly lesson: Lesson } | Refusal;

export interface Refusal {
  readonly refused: string;
  /** The command to run instead. */
  readonly next: string;
}

/** The author and the time of a change. */
export interface Author {
  readonly by: string;
  readonly at: string;
  readonly reason?: string;
  /** Changes with the same value belong to one command. */
  readonly command?: string;
}

export function isRefused<T extends object>(result: T | Refusal): result is Refusal {
  return 'refused' in result;
}
