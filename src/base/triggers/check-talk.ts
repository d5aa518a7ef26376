/**
 * Checks the parts of a trigger that ask about the conversation: keywords and workflows. They are checked last, after
 * everything that the call itself shows, because they need a look into a file. If the conversation is unknown, the
 * lesson stays silent.
 */

import type { KeywordForms } from '../model/manifest.ts';
import type { CallView } from './call-view.ts';
import { areKeywordsHints, type Triggers } from './trigger.ts';

/** Why the lesson is silent; undefined when it may speak. `forms`: the keywords in all their forms, where compiled. */
export function checkTalk(triggers: Triggers, call: CallView, forms: KeywordForms = {}): string | undefined {
  const { workflows, unless } = triggers;
  const { actionKeywords: action, contextKeywords: context } = areKeywordsHints(triggers) ? {} : triggers;
  return (
    (workflows && checkWorkflows(workflows, call)) ??
    (unless?.workflows && exceptWorkflows(unless.workflows, call)) ??
    (action && checkKeywords(action, forms.action, call, toOwnWords(call))) ??
    (context && checkKeywords(context, forms.context, call, [])) ??
    (unless?.keywords && exceptKeywords(unless.keywords, forms.except, call))
  );
}

export interface Said {
  readonly action: boolean;
  readonly context: boolean;
}

/** Which keywords that are no gate were said; undefined where the lesson has none, so that no file is read. */
export function findSaid(triggers: Triggers, call: CallView, forms: KeywordForms = {}): Said | undefined {
  const { actionKeywords, contextKeywords } = triggers;
  if ((actionKeywords ?? contextKeywords) === undefined || !areKeywordsHints(triggers)) return undefined;
  const isSaid = (words: readonly string[] | undefined, own: readonly string[]): boolean =>
    words !== undefined && (holdsKeyword(own, words) || holdsKeyword(call.messages?.() ?? [], words));
  return {
    action: isSaid(forms.action ?? actionKeywords, toOwnWords(call)),
    context: isSaid(forms.context ?? contextKeywords, []),
  };
}

function checkWorkflows(names: readonly string[], call: CallView): string | undefined {
  if (isFollowed(names, toStart(call))) return undefined;
  const followed = call.workflows?.();
  if (followed === undefined) return `nobody can tell whether the conversation follows ${names.join(' or ')}`;
  return isFollowed(names, followed) ? undefined : `the conversation does not follow ${names.join(' or ')}`;
}

function exceptWorkflows(names: readonly string[], call: CallView): string | undefined {
  const followed = isFollowed(names, toStart(call)) ? toStart(call) : call.workflows?.();
  if (followed === undefined) return `nobody can tell whether the conversation follows ${names.join(' or ')}`;
  return isFollowed(names, followed) ? `is not for conversations that follow ${names.join(' or ')}` : undefined;
}

/** `own`: what the call says itself. */
function checkKeywords(
  keywords: readonly string[],
  forms = keywords,
  call: CallView,
  own: readonly string[],
): string | undefined {
  if (holdsKeyword(own, forms)) return undefined;
  const messages = call.messages?.();
  if (messages === undefined) return `nobody can tell whether ${render(keywords)} was said last`;
  return holdsKeyword(messages, forms) ? undefined : `${render(keywords)} was not said in the last messages`;
}

function exceptKeywords(keywords: readonly string[], forms = keywords, call: CallView): string | undefined {
  const own = toOwnWords(call);
  const messages = holdsKeyword(own, forms) ? own : call.messages?.();
  if (messages === undefined) return `nobody can tell whether ${render(keywords)} was said last`;
  return holdsKeyword(messages, forms) ? `${render(keywords)} was said, which makes it harmless` : undefined;
}

function toStart({ startedAs }: CallView): readonly string[] {
  return startedAs === undefined ? [] : [startedAs];
}

/** `release` also names the `release` of a plugin: `tools:release`. */
function isFollowed(names: readonly string[], followed: readonly string[]): boolean {
  const bare = names.map((name) => name.replace(/^\//, ''));
  return followed.some((one) => bare.some((name) => one === name || one.endsWith(`:${name}`)));
}

/** Agents that say what a call is for say it under this name. */
function toOwnWords({ tool, json }: CallView): readonly string[] {
  if (json === undefined || (tool !== 'shell' && tool !== 'task') || !json.includes('"description"')) return [];
  try {
    const { description } = JSON.parse(json) as { readonly description?: unknown };
    return typeof description === 'string' ? [description] : [];
  } catch {
    return [];
  }
}

function render(keywords: readonly string[]): string {
  return keywords.map((keyword) => `"${keyword}"`).join(' or ');
}

// Whether a text has a keyword: whole words in any case, of a phrase all words in order. Linear in the text.

/** A letter, a digit, a sign on one; not of a script that puts no spaces between words. */
const WORD = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_]`;
/** Made when first asked for: compiling classes of letters takes a millisecond, and few calls come to keywords. */
let edges: { readonly begins: RegExp; readonly ends: RegExp } | undefined;

/** Several lessons ask about the same messages. */
const plain = new WeakMap<readonly string[], readonly string[]>();

export function holdsKeyword(texts: readonly string[], keywords: readonly string[]): boolean {
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
    // Two units: the character may be a pair.
    const goesOn = ends && startsWord.test(text.slice(end, end + 2));
    if (!goesOn && !(begins && endsWord.test(text.slice(Math.max(0, at - 2), at)))) return true;
  }
  return false;
}

function toPlain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ');
}
