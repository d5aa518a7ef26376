/**
 * Whether a call that worked shows that a path is there, or made or removed it. A word that is only searched for or printed
 * shows nothing, and neither does the history of a file that may be gone.
 */
import { hasWorked, type Outcome } from '../../../base/model/event.ts';
import { parseCall, type ShellCall } from '../../../base/shell/parse-command.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toPositionals } from '../../../base/shell/simple-command.ts';
import { endsWithPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';

export interface Touching extends ShellCall {
  readonly outcome: Outcome;
  /** The file of a read, edit or write. */
  readonly targetPath?: string | undefined;
}

const PAST = new Set(['log', 'diff', 'show', 'blame', 'status', 'grep', 'rev-list', 'ls-tree', 'cat-file', 'commit']);

export function touchesPath(path: string, call: Touching): boolean {
  const { targetPath, command = call.inputSummary } = call;
  if (!hasWorked(call)) return false;
  if (targetPath !== undefined) return endsWithPath(targetPath, path);
  if (command === undefined || !command.includes(path)) return false;
  return parseCall(call).some((one) => (one.hidden !== true && names(one, path)) || writes(one, path));
}

function names(command: SimpleCommand, path: string): boolean {
  const words = toPositionals(command);
  if (isKnownAs(command.program, 'succeeds', 'locates') || (command.program === 'git' && PAST.has(words[0] ?? '')))
    return false;
  return (isKnownAs(command.program, 'searches', 'scripted') ? words.slice(1) : words).some((word) =>
    endsWithPath(word, path),
  );
}

function writes({ text }: SimpleCommand, path: string): boolean {
  return new RegExp(`>\\s*["']?(?:\\S*/)?${toLiteral(path)}["']?(?:[\\s;]|$)`).test(text);
}
