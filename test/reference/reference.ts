/** What a reference reader says of a session file: slow, simple, and sharing nothing with the readers it checks. */
export type ReferenceOutcome = 'success' | 'failure' | 'cancelled' | 'denied' | 'open';

export interface ReferenceCall {
  readonly id: string;
  readonly tool: string;
  /** 1-based, where the agent asked for it. */
  readonly line: number;
  /** `open`: no end is told. */
  readonly outcome: ReferenceOutcome;
}

export type ReferenceReader = (path: string, lines: readonly string[]) => readonly ReferenceCall[];
