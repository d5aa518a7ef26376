/**
 * A failure's stable form: the program and its cause line with everything masked that varies from one occurrence to
 * the next. It depends on the message alone, never on what was seen before: whoever reads the same failure, in whatever
 * order, gives it the same id. Near-duplicates are merged one level higher, over all that is known (`group-signatures.ts`).
 *
 * A change of any rule is a new version: signatures of different versions are never compared. What is stored stays as it
 * was: text is not kept, so it cannot be signed again. A call gets the new form when its transcript is read again; the old
 * rows lose their calls to it, or age with them.
 */
import { findCauseLine, toMessage } from './find-cause-line.ts';
import { hashText } from './hash.ts';
import { maskLine } from './mask-line.ts';
import type { Signature } from './signature.ts';
import { stripAnsi } from './strip-ansi.ts';

export const SIGNATURE_VERSION = 2;

export interface SignedCause {
  readonly signature: Signature;
  readonly causeLine: string;
}

export function toSignature(program: string, errorText: string): SignedCause | undefined {
  const causeLine = findCauseLine(errorText);
  return causeLine === undefined ? undefined : { signature: makeSignature(program, maskLine(causeLine)), causeLine };
}

/** Of a line that is a message by itself. */
export function toLineSignature(program: string, line: string): Signature {
  // Its end is not there: a carriage return before it must not seem to rewrite the line.
  return makeSignature(program, maskLine(toMessage(stripAnsi(line.includes('\r') ? `${line}\n` : line))));
}

/** Of the program that signed last: messages come in rows, and hashing a template takes as long as masking the line. */
let made = { program: '', signatures: new Map<string, Signature>() };
const MAX_MADE = 5_000;

export function makeSignature(program: string, template: string): Signature {
  if (made.program !== program || made.signatures.size >= MAX_MADE) made = { program, signatures: new Map() };
  const known = made.signatures.get(template);
  if (known !== undefined) return known;
  const id = `sig${SIGNATURE_VERSION}_${hashText(`${program}\n${template}`)}`;
  const signature = { id, version: SIGNATURE_VERSION, template, program };
  made.signatures.set(template, signature);
  return signature;
}
