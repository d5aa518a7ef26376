/** Tokens as an agent records them: what the model read anew, what it read from a cache, and what it wrote. */
export interface TokenUsage {
  readonly input: number;
  /** No part of `input`. */
  readonly cached: number;
  readonly output: number;
}
