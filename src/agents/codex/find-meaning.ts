/** Calls that never ran to an end of their own: only Codex's fixed sentences tell them apart from failures. */
import type { Denial } from '../../base/outcome.ts';
import { isOwnRefusal } from '../../base/own-refusal.ts';

export type Meaning = { readonly denied: Denial } | { readonly cancelled: true };

const CANCELLED = { cancelled: true } as const;
const BY_USER = { denied: { by: 'user' } } as const;
const BY_RULE = { denied: { by: 'rule' } } as const;
const BY_HOOK = { denied: { by: 'hook' } } as const;
const BY_US = { denied: { by: 'oncebitten' } } as const;

const SENTENCES: readonly (readonly [text: RegExp, meaning: Meaning])[] = [
  [/^(?:Wall time: [\d.]+ seconds\n)?(?:command )?aborted(?: by user(?: after [\d.]+s)?)?\s*$/, CANCELLED],
  [/^user cancell?ed MCP tool call/, CANCELLED],
  [/\bwas cancelled before receiving a response$/, CANCELLED],
  [/^(?:Command|Tool call) blocked by PreToolUse hook: /, BY_HOOK],
  [/^user rejected MCP tool call/, BY_USER],
  // Alone, or quoted by a failure to start the command; `rejected by user approval settings` is a rule.
  [/^(?:(?:exec command|patch) )?rejected by user(?! approval)/, BY_USER],
  [/^exec_command failed[\s\S]{0,4000}?Rejected\(\\*"(?:exec command )?rejected by user(?! approval)/, BY_USER],
  // The client wraps a process that could not be started (no such folder) in the same word: nobody refused it.
  [/^exec_command failed[\s\S]{0,4000}?\bRejected\((?!\\*"Failed to create )/, BY_RULE],
  [/^patch rejected: /, BY_RULE],
  [/^(?:exec command |`[\s\S]{1,4000}?` )?rejected(?:: | by configuration)/, BY_RULE],
  [/^approval policy is [\s\S]{1,200}?reject command/, BY_RULE],
  [/^automatic approval review denied the action/, BY_RULE],
];

export function findMeaning(text: string): Meaning | undefined {
  const meaning = SENTENCES.find(([sentence]) => sentence.test(text))?.[1];
  return meaning === BY_HOOK && isOwnRefusal(text) ? BY_US : meaning;
}
