/**
 * Whether words say nothing to be run, opened or fetched beyond what was seen in the calls. Others are evidence for a
 * person to read, never text of a lesson that speaks by itself.
 */
import type { LiveCall } from '../../base/call.ts';

const MAX_CHARS = 240;
const ADDRESS = /:\/\/|\bwww\.|\b[\w-]+\.(?:com|net|org|io|dev|sh|app|xyz|co|me|ai)\b/i;
const SPAN = /`([^`]*)`/g;
/** An option, a path, a variable, a redirection, a pipe: what a shell or a file tool would take as more than a word. */
const LIKE_CODE = /^-|[/\\|$<>=;&{}()@]|^~|\.\w{1,5}$/;

export function isGrounded(words: string, calls: readonly LiveCall[]): boolean {
  if (words.length > MAX_CHARS || ADDRESS.test(words)) return false;
  const seen = calls.map(({ command = '' }) => command);
  const isSeen = (text: string): boolean => seen.some((command) => command.includes(text));
  const spans = [...words.matchAll(SPAN)].map(([, span = '']) => span.trim());
  const rest = words.replace(SPAN, ' ').split(/\s+/).map(toBare);
  return spans.every(isSeen) && rest.every((word) => !LIKE_CODE.test(word) || isSeen(word));
}

/** Without the signs of a sentence around it. */
function toBare(word: string): string {
  return word.replace(/^["'([]+/, '').replace(/["')\].,:;!?]+$/, '');
}
