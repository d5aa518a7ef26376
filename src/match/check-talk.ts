/**
 * Do the parts hold that ask for the conversation: keywords and workflows? They are asked last, because they cost a look
 * into a file; what the call itself tells comes before that. Where nobody can tell, the lesson stays silent.
 */
import type { KeywordForms } from '../base/manifest.ts';
import type { Triggers } from '../base/trigger.ts';
import { holdsKeyword } from './holds-keyword.ts';
import type { MatchCall } from './match-call.ts';

/** Why the lesson is silent; undefined when it may speak. `forms`: the keywords in all their forms, where compiled. */
export function checkTalk(triggers: Triggers, call: MatchCall, forms: KeywordForms = {}): string | undefined {
  const { workflows, unless } = triggers;
  const { actionKeywords: action, contextKeywords: context } = isRaised(triggers) ? {} : triggers;
  return (
    (workflows && checkWorkflows(workflows, call)) ??
    (unless?.workflows && exceptWorkflows(unless.workflows, call)) ??
    (action && checkKeywords(action, forms.action, call, toOwnWords(call))) ??
    (context && checkKeywords(context, forms.context, call, [])) ??
    (unless?.keywords && exceptKeywords(unless.keywords, forms.except, call))
  );
}

/** A lesson that names its tools and files is about these: its keywords raise the score and are no gate. */
function isRaised({ tools, paths }: Triggers): boolean {
  return tools !== undefined && paths !== undefined;
}

export interface Said {
  readonly action: boolean;
  readonly context: boolean;
}

/** Which keywords that are no gate were said; undefined where the lesson has none, so that no file is read. */
export function findSaid(triggers: Triggers, call: MatchCall, forms: KeywordForms = {}): Said | undefined {
  const { actionKeywords, contextKeywords } = triggers;
  if ((actionKeywords ?? contextKeywords) === undefined || !isRaised(triggers)) return undefined;
  const isSaid = (words: readonly string[] | undefined, own: readonly string[]): boolean =>
    words !== undefined && (holdsKeyword(own, words) || holdsKeyword(call.messages?.() ?? [], words));
  return {
    action: isSaid(forms.action ?? actionKeywords, toOwnWords(call)),
    context: isSaid(forms.context ?? contextKeywords, []),
  };
}

function checkWorkflows(names: readonly string[], call: MatchCall): string | undefined {
  if (isFollowed(names, toStart(call))) return undefined;
  const followed = call.workflows?.();
  if (followed === undefined) return `nobody can tell whether the conversation follows ${names.join(' or ')}`;
  return isFollowed(names, followed) ? undefined : `the conversation does not follow ${names.join(' or ')}`;
}

function exceptWorkflows(names: readonly string[], call: MatchCall): string | undefined {
  const followed = isFollowed(names, toStart(call)) ? toStart(call) : call.workflows?.();
  if (followed === undefined) return `nobody can tell whether the conversation follows ${names.join(' or ')}`;
  return isFollowed(names, followed) ? `is not for conversations that follow ${names.join(' or ')}` : undefined;
}

/** `own`: what the call says itself. */
function checkKeywords(
  keywords: readonly string[],
  forms = keywords,
  call: MatchCall,
  own: readonly string[],
): string | undefined {
  if (holdsKeyword(own, forms)) return undefined;
  const messages = call.messages?.();
  if (messages === undefined) return `nobody can tell whether ${render(keywords)} was said last`;
  return holdsKeyword(messages, forms) ? undefined : `${render(keywords)} was not said in the last messages`;
}

function exceptKeywords(keywords: readonly string[], forms = keywords, call: MatchCall): string | undefined {
  const own = toOwnWords(call);
  const messages = holdsKeyword(own, forms) ? own : call.messages?.();
  if (messages === undefined) return `nobody can tell whether ${render(keywords)} was said last`;
  return holdsKeyword(messages, forms) ? `${render(keywords)} was said, which makes it harmless` : undefined;
}

function toStart({ startedAs }: MatchCall): readonly string[] {
  return startedAs === undefined ? [] : [startedAs];
}

/** `release` also names the `release` of a plugin: `tools:release`. */
function isFollowed(names: readonly string[], followed: readonly string[]): boolean {
  const bare = names.map((name) => name.replace(/^\//, ''));
  return followed.some((one) => bare.some((name) => one === name || one.endsWith(`:${name}`)));
}

/** Agents that say what a call is for say it under this name. */
function toOwnWords({ tool, json }: MatchCall): readonly string[] {
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
