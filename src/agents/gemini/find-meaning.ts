/** Calls that never ran to an end of their own: only Gemini CLI's fixed sentences tell them from failures. */
import type { Denial } from '../../base/outcome.ts';
import { isOwnRefusal } from '../../base/own-refusal.ts';

export type Meaning =
  | { readonly kind: 'denied'; readonly by: NonNullable<Denial['by']> }
  | { readonly kind: 'cancelled' };

const BY_USER = { kind: 'denied', by: 'user' } as const;
const BY_RULE = { kind: 'denied', by: 'rule' } as const;
const BY_HOOK = { kind: 'denied', by: 'hook' } as const;
const BY_US = { kind: 'denied', by: 'oncebitten' } as const;
const CANCELLED = { kind: 'cancelled' } as const;

const SENTENCES: readonly { readonly meaning: Meaning; readonly text: RegExp }[] = [
  { meaning: BY_USER, text: /^\[Operation Cancelled\] (?:Reason: )?User (?:denied execution|did not allow tool call)/ },
  { meaning: CANCELLED, text: /^\[Operation Cancelled\]/ },
  { meaning: BY_RULE, text: /^Tool execution (?:for "[^\n]{1,200}" )?denied by policy\./ },
  { meaning: BY_RULE, text: /^Tool execution for "[^\n]{1,200}" requires user confirmation, which is not supported/ },
  { meaning: BY_HOOK, text: /^Tool execution blocked: / },
  { meaning: BY_HOOK, text: /^Agent execution stopped by hook: / },
  // A hook that took the result away afterwards: how the call really ended is not told.
  { meaning: BY_HOOK, text: /^Tool result blocked: / },
];

/** Of the status, what the model was told, and what the person was shown. */
export function findMeaning(status: string, told: string, shown: string): Meaning | undefined {
  const texts = [told, shown];
  const meaning = SENTENCES.find(({ text }) => texts.some((one) => text.test(one)))?.meaning;
  if (meaning === BY_HOOK && texts.some(isOwnRefusal)) return BY_US;
  return meaning ?? (status === 'cancelled' ? CANCELLED : undefined);
}
