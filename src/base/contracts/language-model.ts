/**
 * SEAM: a language model. Optional: everything works without one. Asked in batches only, never during an agent's call.
 * Absence: without a configured provider nothing is asked; `none` answers with the kind `not-configured`.
 * Failure: `ask` never throws for a provider's failure; the answer then says what kind it is and the reason in plain words.
 * A deadline always ends the wait, and ends every process that the model started.
 */
export interface LanguageModel {
  /** The provider, as the setting `models.provider` names it, with the agent where there is one: `agent:<id>`, `openai`. */
  readonly name: string;
  /** Its server accepts a schema only if every field is required. */
  readonly needsAllFields?: boolean;
  ask(question: Question, limits: AskLimits): Promise<ModelAnswer>;
}

export interface Question {
  /** The versioned instructions and the pack, one text. */
  readonly prompt: string;
  /** JSON Schema of the answer. A provider that cannot enforce it sends it with the prompt. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface AskLimits {
  readonly deadlineMs: number;
  /** The most that one question may cost, for providers that can enforce it. */
  readonly maxUsd?: number;
  readonly signal?: AbortSignal;
}

export type ModelAnswer =
  | { readonly ok: true; readonly text: string; readonly model?: string; readonly usage?: ModelUsage }
  | {
      readonly ok: false;
      readonly kind: ModelFailure;
      readonly reason: string;
      readonly retryAfterMs?: number;
      /** A question that failed may have cost something, too. */
      readonly usage?: ModelUsage;
    };

export type ModelFailure =
  | 'not-configured'
  | 'not-found'
  | 'not-logged-in'
  | 'refused'
  | 'rate-limit'
  | 'over-budget'
  | 'too-slow'
  | 'garbage'
  | 'failed';

/** Fields are absent where the provider does not tell. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly usd?: number;
}
