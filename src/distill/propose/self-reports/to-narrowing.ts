/** When else a report says that it is meant: words that are said, what is followed, who works. Each only narrows a trigger. */
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { toPlain } from './to-plain.ts';

export const NARROWING_PARTS = ['actionKeywords', 'contextKeywords', 'workflows', 'subagents'] as const;
export type Narrowing = Pick<Triggers, (typeof NARROWING_PARTS)[number]>;

/** The names under which others write them; the first that is there counts. */
export const NARROWING_KEYS: Readonly<Record<keyof Narrowing, readonly string[]>> = {
  actionKeywords: ['action_keywords', 'keywords', 'actions'],
  contextKeywords: ['context_keywords', 'context'],
  workflows: ['workflows', 'workflow_names', 'workflow'],
  subagents: ['subagents', 'subagent_types', 'agent_names', 'agents'],
};

const MAX_WORDS = 20;
const MAX_CHARS = 120;
/** Where an example has a word. Words like `fix` are none here. */
const SHOWN = /^(?:[\s.…_*"'`?-]*|<[^<>]*>)$/;

/** `list`: the texts under a name. A part without any is absent: it does not restrict. */
export function toNarrowing(list: (name: string) => readonly string[]): Narrowing {
  const parts = NARROWING_PARTS.map((part) => {
    const given = NARROWING_KEYS[part].map(list).find((texts) => texts.length > 0) ?? [];
    // What is too long is cut, not dropped: without the only word of a part the trigger would be wider than it was meant.
    const words = given.map((text) => toPlain(text).slice(0, MAX_CHARS).trim()).filter((text) => !SHOWN.test(text));
    return [part, [...new Set(words)].slice(0, MAX_WORDS)] as const;
  });
  return Object.fromEntries(parts.filter(([, words]) => words.length > 0));
}
