/** Whether a value only shows what should stand there: the protocol itself, or an example of it in documentation. */

const ONLY_SIGNS = /^[\s.…_*"'`?-]*$/;
/** `<what went wrong>`, `{fix}`, `[the correction]`, `$FIX`, `XXX`. */
const MARKED = /^(?:<[^<>]*>|\{+[^{}]*\}+|\[[^[\]]*\]|\$\{?\w+\}?|x{3,}|tbd|todo|n\/a|none|foo|bar|string|text)\.?$/i;
const ENDS_OPEN = /^(?:[\w -]{0,24})(?:\.\.\.|…)$/;
/** The words in which the protocol, and those who tell of it, explain the keys. */
const EXPLAINED =
  /^(?:the |a |an |your |short |one[- ]line |describe |explain )*(?:what (?:you )?(?:went wrong|did wrong|was wrong|happened)|why it (?:failed|happened)|mistake|error|problem|correction|fix|solution|remedy|description|command|what (?:fixed|resolved|solved|worked|to do)(?: it| instead)?|how (?:to|you) (?:fix|fixed|avoid|resolve)d?(?: it)?)(?: (?:here|and (?:why|how)|that (?:resolved|fixed|solved|works|worked)|to use|instead|it|for it|in one (?:line|sentence)))*\.?$/i;

export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return ONLY_SIGNS.test(text) || MARKED.test(text) || ENDS_OPEN.test(text) || EXPLAINED.test(text);
}
