/**
 * Where a word of a command line stands, for triggers that only the line can tell: regular expressions for a place that is
 * neither inside quotes nor behind a here-document. Linear-time; a text that such a line prints or searches is no command.
 */

/** Everything before that place, quoted parts as a whole. What follows `<<` may be the text of a document. */
export const UNQUOTED = `^(?:<?(?:[^"'\\\\<]|\\\\[\\s\\S]|"(?:[^"\\\\]|\\\\[\\s\\S])*"|'[^']*'))*`;

const ASSIGNED = `[A-Za-z_]\\w*=(?:[^\\s"'\\\\;&|()]|"[^"]*"|'[^']*')*\\s+`;

/** Where a command begins, behind variables that are set for it and words that only lead to it. */
export function toCommandStart(leading: string): string {
  return `^(?:${UNQUOTED.slice(1)}(?:[\\n;&|({]|\\s(?:then|do|else)\\s))?\\s*(?:${ASSIGNED}|(?:${leading})\\s+)*`;
}
