/**
 * The tree of a settings text (JSON with comments and trailing commas), or an error that tells the user which line to
 * mend. The tree has offsets, so that edits leave every other byte alone.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { UserError } from '../../base/errors.ts';
import { findMembers } from './find-members.ts';

export function getSettingsRoot(text: string, settingsFile: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) throw toSyntaxError(text, settingsFile, error);
  if (root?.type !== 'object') throw toShapeError(settingsFile, 'does not hold a JSON object');
  return root;
}

/** Fails where our entries would have no place: what is there was meant for something, so it is not replaced. */
export function checkHooksShape(root: Node, eventNames: readonly string[], settingsFile: string): void {
  const hooks = findMembers(root, 'hooks');
  if (hooks.length > 1) throw toShapeError(settingsFile, 'has "hooks" twice');
  if (hooks[0] === undefined) return;
  if (hooks[0].type !== 'object') throw toShapeError(settingsFile, '"hooks" is not an object');
  for (const name of eventNames) {
    const values = findMembers(hooks[0], name);
    if (values.length > 1) throw toShapeError(settingsFile, `has "hooks.${name}" twice`);
    if (values[0] !== undefined && values[0].type !== 'array') {
      throw toShapeError(settingsFile, `"hooks.${name}" is not an array`);
    }
  }
}

function toSyntaxError(text: string, settingsFile: string, error: ParseError): UserError {
  const line = text.slice(0, error.offset).split(/\r\n|\r|\n/).length;
  const words = printParseErrorCode(error.error)
    .replace(/(?<=[a-z])[A-Z]/g, ' $&')
    .toLowerCase();
  return toShapeError(settingsFile, `is not valid JSON at line ${line} (${words})`);
}

function toShapeError(subject: string, reason: string): UserError {
  return new UserError({ subject, reason, next: 'Correct the file, then run the command again. Nothing was changed.' });
}
