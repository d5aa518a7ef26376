/** Calls that never ran to an end of their own: OpenCode reports them as errors with a fixed sentence. */
import type { Denial } from '../../base/outcome.ts';

export type Meaning = { readonly kind: 'denied'; readonly denial: Denial } | { readonly kind: 'cancelled' };

const REJECTED =
  /^The user rejected permission to use this specific tool call(?: with the following feedback: ([\s\S]*)|\.)/;
const DISMISSED = 'The user dismissed this question';
const BY_RULE = 'The user has specified a rule which prevents you from using this specific tool call';
const ABORTED = 'Tool execution aborted';
/** Of a task that a command started. */
const CANCELLED = 'Cancelled';

export function findMeaning(error: string): Meaning | undefined {
  const rejected = REJECTED.exec(error);
  if (rejected !== null) {
    const words = rejected[1]?.trim();
    return { kind: 'denied', denial: { by: 'user', ...(words ? { words } : {}) } };
  }
  if (error.startsWith(DISMISSED)) return { kind: 'denied', denial: { by: 'user' } };
  if (error.startsWith(BY_RULE)) return { kind: 'denied', denial: { by: 'rule' } };
  return error === ABORTED || error === CANCELLED ? { kind: 'cancelled' } : undefined;
}
