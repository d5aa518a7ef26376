/**
 * Calls that never ran to an end of their own. Claude Code reports them like errors; only its fixed sentences (and, in
 * recent transcripts, a kind) tell them apart.
 */
import { type Denial, PERMISSION_REFUSED } from '../../base/outcome.ts';
import { isOwnRefusal } from '../../base/own-refusal.ts';

export interface Meaning {
  readonly kind: 'denied' | 'cancelled';
  /** Who refused. */
  readonly by?: NonNullable<Denial['by']>;
  /** What the user said with the refusal. */
  readonly words?: string;
}

const BY_USER = { kind: 'denied', by: 'user' } as const;
const BY_RULE = { kind: 'denied', by: 'rule' } as const;
/** A hook's, never a failure of the agent. */
const BY_HOOK = { kind: 'denied', by: 'hook' } as const;
const BY_US = { kind: 'denied', by: 'oncebitten' } as const;
const CANCELLED = { kind: 'cancelled' } as const;

const DENIAL_KINDS: Readonly<Record<string, Meaning>> = {
  'user-rejected': BY_USER,
  'permission-rule': BY_RULE,
  'automode-blocked': BY_RULE,
  'automode-unavailable': BY_RULE,
  'automode-parsing-error': BY_RULE,
  interrupted: CANCELLED,
  cancelled: CANCELLED,
};

const SENTENCES: readonly { readonly meaning: Meaning; readonly text: RegExp }[] = [
  { meaning: BY_USER, text: /^The user doesn't want to proceed with this tool use\./ },
  { meaning: BY_USER, text: /^User rejected tool use/ },
  { meaning: BY_RULE, text: PERMISSION_REFUSED },
  { meaning: BY_RULE, text: /^Claude requested permissions to / },
  { meaning: BY_RULE, text: /^[^\n]{1,1000}? needs approval\. / },
  { meaning: BY_HOOK, text: /^(?:Hook )?PreToolUse:\S+ (?:hook error|denied this tool)/ },
  { meaning: CANCELLED, text: /^The user doesn't want to take this action right now\./ },
  { meaning: CANCELLED, text: /^(?:Exit code \d+\n)?\[Request interrupted by user/ },
  { meaning: CANCELLED, text: /^\[Tool call (?:skipped|did not complete|interrupted|not |result not)/ },
  { meaning: CANCELLED, text: /^(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call)/ },
];

export function findMeaning(text: string, denialKind?: string, said?: string): Meaning | undefined {
  const meaning = SENTENCES.find((sentence) => sentence.text.test(text))?.meaning ?? findKind(denialKind);
  if (meaning?.kind !== 'denied') return meaning;
  // Nobody but us said it, whatever the user says beside.
  if (meaning === BY_HOOK && isOwnRefusal(text)) return BY_US;
  const words = findWords(text) ?? said;
  return words === undefined ? meaning : { ...meaning, by: 'user', words };
}

/** Only for sentences we do not know: a hook's refusal is filed as a rule's, a missing permission as the user's. */
function findKind(denialKind: string | undefined): Meaning | undefined {
  return denialKind !== undefined && Object.hasOwn(DENIAL_KINDS, denialKind) ? DENIAL_KINDS[denialKind] : undefined;
}

const SAID = 'the user said:';
/** Claude Code's own advice to the model, sometimes put behind the user's words. */
const ADVICE = "\n\nNote: The user's next message may contain";

function findWords(text: string): string | undefined {
  const at = text.indexOf(SAID);
  if (at === -1 || !text.startsWith('The user')) return undefined;
  const said = text.slice(at + SAID.length);
  const end = said.indexOf(ADVICE);
  return (end === -1 ? said : said.slice(0, end)).trim() || undefined;
}
