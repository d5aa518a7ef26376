/**
 * Chooses the failed calls that are remembered by their exact form: the same call is expected to fail again as long as
 * nothing that it needs has changed. Left out is every call whose outcome says something about another thing than the
 * call: checks that judged the code, looks explore, the world changes by itself, and a hidden outcome is unknown.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { listNeeded } from '../../base/shell/changed-things.ts';
import { findCheck } from '../../base/shell/intent.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { isDoing, isPreparing, isProbe } from '../../base/shell/program-kinds.ts';
import { hasTrait } from '../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { toCategory } from '../../base/text/failure-category.ts';
import { classifyFailure, isMistake } from './classify-failure.ts';

/** The program does not know the words that it was given, or is not there: this is about the call alone. */
const USAGE: ReadonlyMap<string, 'words' | 'program'> = new Map([
  ['wrong_usage', 'words'],
  ['missing_dependency', 'program'],
]);
/** Accounts, changes of others and the agent's own rules decide about these. */
const OTHERS: ReadonlySet<string> = new Set(['access_denied', 'stale_edit', 'merge_conflict']);

/** The things that a failed call needs, if it is remembered. */
export function findNeeds(call: LiveCall): readonly string[] | undefined {
  const { tool, outcome, exactKey, signature, projectRoot = '' } = call;
  if (outcome !== 'failure' || call.masked || exactKey === undefined || signature === undefined) return undefined;
  const category = toCategory(signature);
  if (OTHERS.has(category) || !isMistake(classifyFailure(call))) return undefined;
  const usage = USAGE.get(category);
  const isTelling = tool === 'shell' ? isAboutItself(parseCall(call), usage !== undefined) : usage !== undefined;
  return isTelling ? listNeeded({ ...call, usage }, projectRoot) : undefined;
}

function isAboutItself(commands: readonly SimpleCommand[], isUsage: boolean): boolean {
  const meant = commands.filter((command) => !isPreparing(command));
  if (meant.length === 0 || meant.some(({ program, hidden }) => program === '' || hidden === true)) return false;
  if (meant.some(isProbe)) return false;
  // A check that judged the code was no mistake.
  return (
    isUsage ||
    meant.some((command) => findCheck(command) !== undefined) ||
    meant.every((command) => isDoing(command) && !hasTrait(command, 'http', 'reaches', 'elsewhere'))
  );
}
