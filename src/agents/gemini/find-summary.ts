/** Among the messages of a checkpoint, the summary that took the place of the conversation so far. */
import type { Wire } from '../wire.ts';
import { toText } from './find-prompt.ts';

/** What the model is asked to write, and what is put into its mouth as the answer to it. */
const TAG = '<state_snapshot>';
const ANSWER = 'Got it. Thanks for the additional context!';

export function findSummary(messages: readonly Wire[]): Wire | undefined {
  return messages.find((message, index) => {
    if (message.type !== 'user') return false;
    const next = messages[index + 1];
    const isAnswered = next?.type === 'gemini' && toText(next.content) === ANSWER;
    return isAnswered || toText(message.content).trimStart().startsWith(TAG);
  });
}
