/**
 * Recognizes calls that did not run to their own end: somebody refused or cancelled them. Agents report such calls like
 * errors, and only their fixed sentences tell the difference.
 */
import { isOwnRefusal } from '../base/contracts/agent-adapter.ts';
import type { CallResult } from '../base/model/event.ts';
import { dropAbsent } from '../base/records.ts';

/** The part of a call's result that a sentence states. */
export type Meaning = Pick<CallResult, 'denied' | 'cancelled'>;

export const CANCELLED: Meaning = { cancelled: true };
export const BY_USER: Meaning = { denied: { by: 'user' } };
export const BY_RULE: Meaning = { denied: { by: 'rule' } };
/** Refused by a hook; never a failure of the agent. */
export const BY_HOOK: Meaning = { denied: { by: 'hook' } };
export const BY_US: Meaning = { denied: { by: 'oncebitten' } };

/** `feedback`: the user's comment on the refusal. */
export function toUserRefusal(feedback: string | undefined): Meaning {
  return { denied: dropAbsent({ by: 'user', words: feedback?.trim() || undefined }) };
}

export type MeaningSentence = readonly [sentence: RegExp, meaning: Meaning];

/** The meaning of the first sentence that one of the texts contains. */
export function findStated(sentences: readonly MeaningSentence[], ...texts: readonly string[]): Meaning | undefined {
  const meaning = sentences.find(([sentence]) => texts.some((text) => sentence.test(text)))?.[1];
  return meaning === BY_HOOK && texts.some(isOwnRefusal) ? BY_US : meaning;
}
