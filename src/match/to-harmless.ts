/** Other people's text in a model's context: it must not close or open what an agent marks with tags, nor what we do. */
import { stripAnsi } from '../base/strip-ansi.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const ANY_TAG = /<(?=[/!?|a-z])/gi;
/** What agents and chat templates mark with, and our own comment. Other tags may be what a command is about. */
const KNOWN_TAG = /<(?=!--|\||\/?(?:antml|assistant|command-|function|human|system|tool[-_]|user[-_]))/gi;

export function toHarmless(text: string): string {
  return strip(text).replace(ANY_TAG, '‹');
}

/** For words that are the user's own: `sort <names.txt` stays what it is. */
export function toUnmarked(text: string): string {
  return strip(text).replace(KNOWN_TAG, '‹');
}

function strip(text: string): string {
  return stripAnsi(text)
    .replace(CONTROLS, '')
    .replace(/[\u2028\u2029]/g, ' ');
}
