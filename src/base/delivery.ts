/** One lesson shown (or deliberately withheld) at one call. */
import type { DeliveryMode } from './lesson.ts';

export type DeliveryOutcome = 'clean' | 'failed_anyway' | 'ignored' | 'incomplete';

export interface Delivery {
  readonly id: string;
  readonly kind: 'call' | 'session-start' | 'task';
  readonly lessonId: string;
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  readonly callId: string;
  readonly mode: DeliveryMode;
  readonly arm: 'shown' | 'holdout';
  readonly score: number;
  readonly bytes: number;
  readonly latencyUs: number;
  readonly deliveredAt: string;
  /** Absent until judged. */
  readonly outcome?: DeliveryOutcome;
  readonly outcomeAt?: string;
}
