/** What a replay of the past says: how many failures repeated an earlier one, how many were warned of, at what noise. */
import type { FailureClass } from './classify-failure.ts';

export interface BacktestReport extends BacktestFigures {
  readonly perProject: readonly ProjectFigures[];
  readonly perSignature: readonly SignatureFigures[];
  readonly examples: readonly BacktestExample[];
  readonly worstFalseAlarms: readonly FalseAlarms[];
}

export interface BacktestFigures {
  readonly sessions: number;
  readonly calls: number;
  readonly failures: number;
  readonly deliveries: number;
  readonly deliveriesPer100Calls: number;
  readonly classes: Readonly<Record<FailureClass, ClassFigures>>;
  /** What is asked of these figures. */
  readonly aims: readonly Aim[];
  /** Over all repeats and deliveries, whatever their class. */
  readonly all: ClassFigures;
  /** Only repeats of a failure after which a call of the same intent had worked before: they were avoidable. */
  readonly learnable: ClassFigures;
  /** Failures that their commands hid, and deliveries at one of the lesson's own: neither counts above. */
  readonly masked: { readonly failures: number; readonly hits: number };
  /** Of lessons that were learned from something else than a failure: they have no class. */
  readonly unclassed: { readonly deliveries: number; readonly hits: number };
}

/** What is asked of one figure (`judge-aims.ts`). */
export interface Aim {
  /** The class of failures; `all`: whatever their class. */
  readonly of: 'command' | 'verdict' | 'all';
  readonly figure: 'precision' | 'recall' | 'deliveriesPer100Calls';
  /** One of the two. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Null where there is nothing to divide by. */
  readonly value: number | null;
  /** Null where nobody can tell. */
  readonly isMet: boolean | null;
}

export type Interval = readonly [low: number, high: number];

export interface ClassFigures {
  readonly failures: number;
  /** The signature had occurred earlier in the session, or in an earlier session of the project. */
  readonly repeats: number;
  /** Repeats at which, or before which in their session, a lesson about the signature was shown. */
  readonly warned: number;
  readonly deliveries: number;
  readonly hits: number;
  /** `warned / repeats`; null where there is nothing to divide by. */
  readonly recall: number | null;
  readonly recallInterval: Interval | null;
  /** `hits / deliveries`. */
  readonly precision: number | null;
  readonly precisionInterval: Interval | null;
}

export interface ProjectFigures extends ClassFigures {
  readonly projectId: string;
  readonly sessions: number;
  readonly calls: number;
}

export interface SignatureFigures {
  readonly signature: string;
  readonly class: FailureClass;
  readonly failures: number;
  readonly sessions: number;
  readonly repeats: number;
  readonly warned: number;
}

export interface BacktestExample {
  /** `hit`: shown where it failed. `false-alarm`: shown where it did not. `missed`: a repeat without a warning. */
  readonly kind: 'hit' | 'false-alarm' | 'missed';
  readonly class?: FailureClass;
  readonly agent: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly at: string;
  readonly what: string;
  readonly signature?: string;
  readonly lesson?: string;
}

/** A lesson that spoke where nothing was wrong. */
export interface FalseAlarms {
  /** Its name in the replay. */
  readonly lesson: string;
  readonly class?: FailureClass;
  readonly deliveries: number;
  readonly hits: number;
  readonly falseAlarms: number;
  /** The last of them. */
  readonly example: Pick<BacktestExample, 'agent' | 'sessionId' | 'callId' | 'at' | 'what'>;
}
