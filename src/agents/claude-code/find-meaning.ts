/**
 * Calls that never ran to an end of their own. Claude Code reports them like errors; only its fixed sentences (and, in
 * recent transcripts, a kind) tell them apart.
 */
export interface Meaning {
  readonly kind: 'denied' | 'cancelled';
  /** What the user said with the refusal. */
  readonly words?: string;
}

const DENIAL_KINDS: Readonly<Record<string, Meaning['kind']>> = {
  'user-rejected': 'denied',
  'permission-rule': 'denied',
  'automode-blocked': 'denied',
  'automode-unavailable': 'denied',
  'automode-parsing-error': 'denied',
  interrupted: 'cancelled',
  cancelled: 'cancelled',
};

const SENTENCES: readonly { readonly kind: Meaning['kind']; readonly text: RegExp }[] = [
  { kind: 'denied', text: /^The user doesn't want to proceed with this tool use\./ },
  { kind: 'denied', text: /^User rejected tool use/ },
  { kind: 'denied', text: /^Permission to use [\s\S]{1,4000}? (?:has been|was) denied/ },
  { kind: 'denied', text: /^Permission for this action (?:has been|was) denied/ },
  { kind: 'denied', text: /^Claude requested permissions to / },
  { kind: 'denied', text: /^[^\n]{1,1000}? needs approval\. / },
  // A refusal by a hook, ours included: never a failure of the agent.
  { kind: 'denied', text: /^(?:Hook )?PreToolUse:\S+ (?:hook error|denied this tool)/ },
  { kind: 'cancelled', text: /^The user doesn't want to take this action right now\./ },
  { kind: 'cancelled', text: /^(?:Exit code \d+\n)?\[Request interrupted by user/ },
  { kind: 'cancelled', text: /^\[Tool call (?:skipped|did not complete|interrupted|not |result not)/ },
  { kind: 'cancelled', text: /^(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call)/ },
];

export function findMeaning(text: string, denialKind: string | undefined): Meaning | undefined {
  const kind = findKind(denialKind) ?? SENTENCES.find((sentence) => sentence.text.test(text))?.kind;
  if (kind === undefined) return undefined;
  const words = kind === 'denied' ? findWords(text) : undefined;
  return words === undefined ? { kind } : { kind, words };
}

function findKind(denialKind: string | undefined): Meaning['kind'] | undefined {
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
