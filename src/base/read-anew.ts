/** A session file that was read before, was written anew since, and was read again as a whole: where its calls stand now. */
export interface ReadAnew {
  readonly agent: string;
  readonly file: string;
  readonly calls: readonly CallPlace[];
}

export interface CallPlace {
  readonly sessionId: string;
  readonly callId: string;
  readonly line: number;
  /** What an agent wrote down, not a call: its line alone is the evidence. */
  readonly isReport?: true;
}
