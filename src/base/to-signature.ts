/**
 * A failure's stable form: the program and its cause line with everything masked that varies from one occurrence to
 * the next. A change of any rule is a new version: signatures of different versions are never compared.
 */
import { findCauseLine } from './find-cause-line.ts';
import { hashText } from './hash.ts';
import type { Signature } from './signature.ts';

export const SIGNATURE_VERSION = 1;

/** In this order: what is part of something larger (a number in a path) must not be masked before it. */
const MASKS: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  [/"[^"\n]*"|`[^`'\n]*['`]|(?<![A-Za-z0-9])'[^'\n]*'(?![A-Za-z])/g, '<q>'],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;)\]]+/gi, '<url>'],
  [/(?<![\w<])(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@+~%=-]+[/\\]?)*/g, '<path>'],
  [/(?<![\w<-])[\w.@+-]+(?:\/[\w.@+*-]+)+\/?/g, '<path>'],
  [/(?<![\w<-])[\w-]+\.(?:[a-z]{1,4}|json|yaml|toml|lock|html)(?=[:,;)\s]|$)(?::\d+){0,2}/g, '<path>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/gi, '<hex>'],
  [/(?<![A-Za-z0-9<])[+-]?\d+(?:[.,]\d+)*(?:%|(?:ms|ns|us|µs|s|m|h|[KMGT]i?B|B|k|x)\b)?/g, '<n>'],
  [/\s+/g, ' '],
];

export function toSignature(program: string, errorText: string): SignedCause | undefined {
  const causeLine = findCauseLine(errorText);
  if (causeLine === undefined) return undefined;
  const template = toTemplate(causeLine);
  const id = `sig${SIGNATURE_VERSION}_${hashText(`${program}\n${template}`)}`;
  return { signature: { id, version: SIGNATURE_VERSION, template, program }, causeLine };
}

export interface SignedCause {
  readonly signature: Signature;
  readonly causeLine: string;
}

/** One line with what varies masked. */
export function toTemplate(line: string): string {
  return MASKS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), line).trim();
}
