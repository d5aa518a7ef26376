/** Makes text from outside harmless in a model's context: it must not open or close tags that agents or we use. */
import { OBJECT_KINDS } from '../shell/object-kind.ts';
import { stripAnsi } from './strip-ansi.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Except the kinds of objects that our own lessons name, such as `<path>`. */
const ANY_TAG = new RegExp(`<(?=[/!?|a-z])(?!(?:${OBJECT_KINDS.join('|')})>)`, 'gi');
/** Tags of agents and chat templates, and our own comment. Other tags may be the subject of a command. */
const KNOWN_TAG = /<(?=!--|\||\/?(?:antml|assistant|command-|function|human|system|tool[-_]|user[-_]))/gi;

export function toHarmless(text: string): string {
  return strip(text).replace(ANY_TAG, '‹');
}

export function toHarmlessLine(text: string): string {
  return toHarmless(text).replace(/\s+/g, ' ').trim();
}

/** For the user's own words: `sort <names.txt` stays as it is. */
export function removeKnownTags(text: string): string {
  return strip(text).replace(KNOWN_TAG, '‹');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of them.
const ASCII = /^[\u0000-\u007f]*$/;

function strip(text: string): string {
  const visible = stripAnsi(text).replace(CONTROLS, '');
  return ASCII.test(visible) ? visible : visible.replace(/[\u2028\u2029]/g, ' ').replace(getUnseen(), '');
}

let unseen: RegExp | undefined;

/**
 * Characters that are invisible to people but not to a model, and those that reverse the writing direction. They stay
 * where they affect the visible text: a joiner between letters of joining scripts or between emoji, one variation
 * selector after a sign, the tags of a flag. Compiled on first use, because that takes half a millisecond.
 */
function getUnseen(): RegExp {
  unseen ??=
    /(?!(?<=[\u0600-\u061b\u061d-\u115e\u1161-\u17b3\u17b6-\u180a\u1810-\u1cff])[\u200c\u200d](?=[\u0600-\u061b\u061d-\u115e\u1161-\u17b3\u17b6-\u180a\u1810-\u1cff])|(?<=\p{ExtPict}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{ExtPict})|(?<=[^\s\p{DI}])\p{VS}|(?<=\u{1f3f4}[\u{e0030}-\u{e007a}]{0,6})[\u{e0030}-\u{e007f}])\p{DI}/gu;
  return unseen;
}
