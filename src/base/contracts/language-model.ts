/**
 * SEAM: a language model. Optional: everything works without one. Asked in batches only, never during an agent's call.
 * Absence: `none` is a model that answers with the reason "no model is configured".
 * Failure: never throws for a provider's failure; the answer then carries the reason. A deadline always ends the wait.
 */
export interface Model {
  readonly name: string;
  ask(prompt: string, limits: { readonly deadlineMs: number }): Promise<ModelAnswer>;
}

type ModelAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };
