/**
 * Our block in somebody's file. Everything is done on raw text, one character for each byte: what is not ours stays byte
 * for byte, whatever it is.
 *
 *     <!-- oncebitten:begin … -->
 *     ## Lessons from earlier work
 *     <!-- oncebitten:lesson <slug> <hash of its text> -->
 *     - …
 *     <!-- oncebitten:end -->
 */
import { hashText } from '../base/hash.ts';
import type { Lesson } from '../base/lesson.ts';

export interface Section {
  readonly slug: string;
  /** As the marker says. */
  readonly hash: string;
  /** Without the marker, lines ended by \n. */
  readonly text: string;
  /** With the marker, up to the next one. */
  readonly start: number;
  readonly end: number;
}

export interface ManagedBlock {
  readonly start: number;
  /** Behind the last marker, before its line's end. */
  readonly end: number;
  /** Where the last marker begins. */
  readonly close: number;
  readonly eol: string;
  readonly sections: readonly Section[];
  /** Nobody wrote anything between the first marker and the first lesson. */
  readonly isHeadOurs: boolean;
}

export const BEGIN =
  '<!-- oncebitten:begin Lessons that `oncebitten promote` wrote here; change them with it, or remove the whole block. -->';
export const END = '<!-- oncebitten:end -->';
export const TITLE = '## Lessons from earlier work';

export function toRaw(bytes: Buffer): string {
  return bytes.toString('latin1');
}

export function toBytes(raw: string): Buffer {
  return Buffer.from(raw, 'latin1');
}

/** Text of ours as raw text. */
export function encode(text: string, eol: string): string {
  return toRaw(Buffer.from(text.replaceAll('\n', eol)));
}

export function decode(raw: string): string {
  return toBytes(raw).toString('utf8').replaceAll('\r\n', '\n');
}

/** A slug as all of ours are; whatever else, by its id. */
export function toSectionName({ slug, id }: Pick<Lesson, 'slug' | 'id'>): string {
  return /^[\w.-]+$/.test(slug) ? slug : id;
}

/** With its last line's end. */
export function renderSection(slug: string, text: string, eol: string): string {
  return encode(`<!-- oncebitten:lesson ${slug} ${hashText(text)} -->\n${text}\n`, eol);
}
