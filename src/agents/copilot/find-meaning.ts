/** Calls that never ran to an end of their own: from the answer to a question for permission, else from the words. */
import type { Denial } from '../../base/outcome.ts';
import { isOwnRefusal } from '../../base/own-refusal.ts';
import { findText, type Wire } from '../wire.ts';

export type Meaning = { readonly kind: 'denied'; readonly denial: Denial } | { readonly kind: 'cancelled' };

const CANCELLED: Meaning = { kind: 'cancelled' };

/** The `result` of `permission.completed`; undefined for a permission that was given. */
export function findVerdict(result: Wire): Meaning | undefined {
  const kind = findText(result, 'kind') ?? '';
  if (kind === 'cancelled') return CANCELLED;
  if (kind === 'denied-interactively-by-user') return byUser(findText(result, 'feedback'));
  if (kind === 'denied-by-permission-request-hook') return by('hook');
  return kind.startsWith('denied') ? by('rule') : undefined;
}

const REJECTED = /^The user rejected this tool call\b/;
const FEEDBACK = /^[^\n]{0,100}?User feedback: ([\s\S]+)$/;

const SENTENCES: readonly { readonly meaning: Meaning; readonly text: RegExp }[] = [
  { meaning: by('user'), text: /^Denied by user via preToolUse hook prompt/ },
  { meaning: by('hook'), text: /^Denied by preToolUse hook/ },
  { meaning: by('hook'), text: /^Permission denied by a PermissionRequest hook/ },
  { meaning: by('rule'), text: /^Permission to run this tool was denied due to the following rules: / },
  { meaning: CANCELLED, text: /^The pending permission request was cancelled/ },
];

/** Of the `error` of a call. */
export function findMeaning(message: string, code: string | undefined): Meaning | undefined {
  if (REJECTED.test(message) || code === 'rejected') return byUser(FEEDBACK.exec(message)?.[1]);
  const meaning = SENTENCES.find(({ text }) => text.test(message))?.meaning;
  if (meaning?.kind === 'denied' && meaning.denial.by === 'hook' && isOwnRefusal(message)) return by('oncebitten');
  if (meaning !== undefined) return meaning;
  return code === 'denied' ? by('rule') : code === 'cancelled' || code === 'aborted' ? CANCELLED : undefined;
}

function by(who: NonNullable<Denial['by']>): Meaning {
  return { kind: 'denied', denial: { by: who } };
}

function byUser(feedback: string | undefined): Meaning {
  const words = feedback?.trim() ?? '';
  return words === '' ? by('user') : { kind: 'denied', denial: { by: 'user', words } };
}
