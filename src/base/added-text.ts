/** A text that we added to a conversation: everything counts, whatever it is for. */
export const ADDED_KINDS = ['note', 'refusal', 'rewrite', 'session-start', 'protocol'] as const;
/** `session-start` is what a session hears at its start but for the `protocol`, which asks for lesson reports. */
export type AddedKind = (typeof ADDED_KINDS)[number];

export interface AddedText {
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  /** Empty where it came at no call. */
  readonly callId: string;
  readonly kind: AddedKind;
  readonly bytes: number;
  /** Of the protocol. */
  readonly version?: number;
  readonly at: string;
}

export interface AddedCount {
  readonly kind: AddedKind;
  readonly texts: number;
  readonly bytes: number;
}
