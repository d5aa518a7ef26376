/** JSON, or an error that says where it is broken. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { UserError } from '../../base/errors.ts';

/** `name`: the file, for the error. */
export function getJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { offset, what } = findFault(text);
    const before = text.slice(0, offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new UserError({
      subject: name,
      reason: `is not JSON: ${what} at ${place}`,
      next: 'correct it there, or name another form with --format',
      cause,
    });
  }
}

function findFault(text: string): { readonly offset: number; readonly what: string } {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // Nested so deeply that the other parser gave up: the place is then not known.
  }
  const [error] = errors;
  if (error === undefined) return { offset: text.length, what: 'it breaks off' };
  return { offset: error.offset, what: toWords(printParseErrorCode(error.error)) };
}

/** `CommaExpected`: comma expected. */
function toWords(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (c) => c.toLowerCase());
}
