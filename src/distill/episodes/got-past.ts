/** Is a later call past the failure of an earlier one? */

import type { LiveCall } from '../../base/model/call.ts';
import type { Signature } from '../../base/model/signature.ts';
import { isSameCommand } from '../../base/shell/intent.ts';
import { isLooking } from '../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { findErrorLine } from '../../base/text/cause-line.ts';
import { toCategory } from '../../base/text/failure-category.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { type Attempt, subtract } from './find-attempt.ts';
import { findNewVariable } from './fix-around.ts';
import { isVerdict } from './is-verdict.ts';
import { SHELL_SAYS } from './passing-program.ts';

/**
 * It worked. Where a pipe or a later command hides the exit code, its output has to show that: some result, and no line
 * that has the form of an error. A call that fails for another reason got past the first one, too, unless the new error
 * is about a word that was changed.
 */
export function hasGotPast({ failing, failed, fixing, command }: Attempt): boolean {
  if (fixing.outcome === 'success') return isShown(command, fixing);
  const output = fixing.output ?? '';
  const [before, after] = [failing.signature, fixing.signature];
  if (fixing.outcome !== 'failure' || fixing.masked || after === undefined || before?.id === after.id) return false;
  if (before !== undefined && isSameTrouble(before, after, output)) return false;
  const [gone, come] = [subtract(failed, command), subtract(command, failed)];
  const told = failing.output ?? '';
  const isPointedAt = [...gone, ...come, ...listQuoted(failed, command)].some((word) => isNamedIn(told, word));
  const set = isSameCommand(failed, command) ? findNewVariable(failing, fixing) : undefined;
  if (set !== undefined && !isNamedIn(output, set.name)) return true;
  return (isPointedAt || isVerdict(output)) && !come.some((word) => isNamedIn(output, word));
}

/** Another file is not accessible, another host does not answer: the trouble has only moved. */
function isSameTrouble(before: Signature, after: Signature, output: string): boolean {
  const category = toCategory(before);
  return MOVING.has(category) && output.split('\n').some((template) => toCategory({ ...after, template }) === category);
}

const MOVING: ReadonlySet<string> = new Set(['access_denied', 'network_error', 'timeout']);

/** Words that were put in quotes. */
export function listQuoted(failed: SimpleCommand, command: SimpleCommand): readonly string[] {
  const bare = failed.args.filter(({ text, value }) => text === value);
  return command.args.flatMap(({ text, value }) =>
    text !== value && bare.some((one) => one.value === value) ? [value] : [],
  );
}

/** Behind `||` stands what may have run in its place. */
export function isShown(shown: SimpleCommand, { command = '', output = '' }: LiveCall): boolean {
  if (shown.hidden !== true) return true;
  if (command.includes('||') || output.trim() === '') return false;
  // A look prints texts of others, in which any line may stand. Its own complaint begins with its name.
  const complaint = new RegExp(`^(?:\\S*/)?${toLiteral(shown.program)}: `, 'm');
  return isLooking(shown) ? !complaint.test(output) && !SHELL_SAYS.test(output) : findErrorLine(output) === undefined;
}
