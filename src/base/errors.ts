/**
 * The one error that a person sees. It is made where the fact is known and printed once, by the main of the command
 * line. `subject` is the thing, `reason` what is wrong with it, `next` what to do about it.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly subject: string;
  readonly reason: string;
  readonly next: string;

  constructor(facts: { subject: string; reason: string; next: string; cause?: unknown }) {
    super(`${facts.subject}: ${facts.reason}`, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.subject = facts.subject;
    this.reason = facts.reason;
    this.next = facts.next;
  }
}

/** The reason in an unknown thrown value, for messages. */
export function toReason(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
