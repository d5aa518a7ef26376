/**
 * Chooses what users explained in words while an agent worked: a rule, a reason, a correction. A model may make a
 * requirement or a pattern of it, which waits for a person.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { SessionMessage } from '../detector.ts';
import { toOwnSentences } from '../propose/user-words/own-sentences.ts';
import type { Conversation } from './conversation.ts';

export interface PackWords {
  /** The sentences that explain, in the user's own words. */
  readonly text: string;
  /** The last call before them. */
  readonly after: LiveCall;
  readonly next: readonly LiveCall[];
  readonly conversation: Conversation;
}

const NEXT_CALLS = 2;
const MAX_WORDS = 6;
const MAX_CHARS = 400;
/** The user says how things are done, or why. */
const EXPLAINS =
  /\b(?:always|never|don'?t|do not|instead of|rather than|must|should(?:n'?t)?|prefer|because|remember|from now on|next time|not allowed|forbidden|required?|the reason|we (?:use|only|never|always|don'?t))\b/i;

/** The newest ones, in the order of time. In a sub-agent prompts are another agent's. */
export function chooseWords(
  conversations: readonly Conversation[],
  isKnown: (call: LiveCall) => boolean,
): readonly PackWords[] {
  const found = conversations.flatMap((conversation) =>
    conversation.spoken
      .filter(({ kind, contextId }) => kind === 'prompted' && contextId === '')
      .flatMap((spoken) => toWords(spoken, conversation) ?? []),
  );
  const once = new Map(found.filter(({ after }) => !isKnown(after)).map((words) => [words.text, words]));
  return [...once.values()]
    .toSorted((a, b) =>
      a.after.occurredAt < b.after.occurredAt ? -1 : Number(a.after.occurredAt > b.after.occurredAt),
    )
    .slice(-MAX_WORDS);
}

function toWords({ text, afterCallId }: SessionMessage, conversation: Conversation): PackWords | undefined {
  const { calls } = conversation;
  const at = calls.findIndex(({ callId }) => callId === afterCallId);
  const after = calls[at];
  const said = toOwnSentences(text)
    .filter((sentence) => EXPLAINS.test(sentence))
    .join(' ');
  if (after === undefined || said === '' || said.length > MAX_CHARS) return undefined;
  return { text: said, after, next: calls.slice(at + 1, at + 1 + NEXT_CALLS), conversation };
}
