/**
 * Checks the parts of a trigger that ask about the conversation: keywords and workflows. They are checked after
 * everything that the call itself shows, because they require reading a file. If the conversation is unknown, the
 * lesson stays silent.
 */

import type { KeywordForms } from '../model/manifest.ts';
import { parseRecord } from '../records.ts';
import type { CallView } from './call-view.ts';
import { areKeywordsHints, type Triggers } from './trigger.ts';

/** Why the triggers do not hold; undefined when they do. `forms`: the keywords in all their forms, if compiled. */
export function checkConversation(triggers: Triggers, call: CallView, forms: KeywordForms = {}): string | undefined {
  const { workflows, unless } = triggers;
  const { actionKeywords: action, contextKeywords: context } = areKeywordsHints(triggers) ? {} : triggers;
  return (
    (workflows && checkWorkflows(workflows, call, true)) ??
    (unless?.workflows && checkWorkflows(unless.workflows, call, false)) ??
    (action && checkKeywords(action, isMentioned(forms.action ?? action, call, toOwnWords(call)), true)) ??
    (context && checkKeywords(context, isMentioned(forms.context ?? context, call), true)) ??
    (unless?.keywords &&
      checkKeywords(unless.keywords, isMentioned(forms.except ?? unless.keywords, call, toOwnWords(call)), false))
  );
}

export interface KeywordHints {
  readonly action: boolean;
  readonly context: boolean;
}

/** Finds the hint keywords in the conversation; undefined if the lesson has no hints, so that no file is read. */
export function findKeywordHints(
  triggers: Triggers,
  call: CallView,
  forms: KeywordForms = {},
): KeywordHints | undefined {
  const { actionKeywords: action, contextKeywords: context } = triggers;
  if ((action ?? context) === undefined || !areKeywordsHints(triggers)) return undefined;
  return {
    action: action !== undefined && isMentioned(forms.action ?? action, call, toOwnWords(call)) === true,
    context: context !== undefined && isMentioned(forms.context ?? context, call) === true,
  };
}

/** `isWanted`: must the conversation follow one of them, or none? */
function checkWorkflows(names: readonly string[], call: CallView, isWanted: boolean): string | undefined {
  const { startedAs } = call;
  const isStart = startedAs !== undefined && isFollowed(names, [startedAs]);
  const followed = isStart ? [startedAs] : call.workflows?.();
  const all = names.join(' or ');
  if (followed === undefined) return `unknown whether the conversation follows ${all}`;
  if (isFollowed(names, followed) === isWanted) return undefined;
  return isWanted ? `the conversation does not follow ${all}` : `the conversation follows ${all}`;
}

function checkKeywords(
  keywords: readonly string[],
  isThere: boolean | undefined,
  isWanted: boolean,
): string | undefined {
  if (isThere === isWanted) return undefined;
  const all = keywords.map((keyword) => `"${keyword}"`).join(' or ');
  if (isThere === undefined) return `unknown whether the last messages contain ${all}`;
  return `${all} is ${isThere ? '' : 'not '}in the last messages`;
}

/** Undefined if the last messages are unknown. `own`: texts of the call itself. */
function isMentioned(forms: readonly string[], call: CallView, own: readonly string[] = []): boolean | undefined {
  if (containsKeyword(own, forms)) return true;
  const messages = call.messages?.();
  return messages && containsKeyword(messages, forms);
}

/** `release` also names the `release` of a plugin: `tools:release`. */
function isFollowed(names: readonly string[], followed: readonly string[]): boolean {
  const bare = names.map((name) => name.replace(/^\//, ''));
  return followed.some((one) => bare.some((name) => one === name || one.endsWith(`:${name}`)));
}

/** Agents put the purpose of a call into this parameter. */
function toOwnWords({ tool, json }: CallView): readonly string[] {
  if (json === undefined || (tool !== 'shell' && tool !== 'task') || !json.includes('"description"')) return [];
  const description = parseRecord(json)?.description;
  return typeof description === 'string' ? [description] : [];
}

// The keyword search: whole words in any case; for a phrase, all words in order. Linear in the text.

/** A letter, a digit or a mark on one; but not of a script that writes words without spaces. */
const WORD = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_]`;
/** Compiled on first use: that takes a millisecond, and few calls need it. */
let edges: { readonly begins: RegExp; readonly ends: RegExp } | undefined;

/** Several lessons ask about the same messages, so the normalized texts are cached. */
const plain = new WeakMap<readonly string[], readonly string[]>();

export function containsKeyword(texts: readonly string[], keywords: readonly string[]): boolean {
  const known = plain.get(texts) ?? texts.map(toPlain);
  plain.set(texts, known);
  return keywords.some((keyword) => {
    const words = toPlain(keyword).trim();
    return words !== '' && known.some((text) => holds(text, words));
  });
}

function holds(text: string, words: string): boolean {
  edges ??= { begins: new RegExp(`^${WORD}`, 'u'), ends: new RegExp(`${WORD}$`, 'u') };
  const { begins: startsWord, ends: endsWord } = edges;
  const [begins, ends] = [startsWord.test(words), endsWord.test(words)];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    // Two code units, because the character may be a surrogate pair.
    const goesOn = ends && startsWord.test(text.slice(end, end + 2));
    if (!goesOn && !(begins && endsWord.test(text.slice(Math.max(0, at - 2), at)))) return true;
  }
  return false;
}

function toPlain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ');
}
