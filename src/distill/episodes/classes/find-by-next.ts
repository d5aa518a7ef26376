/** What the calls after a failure say about its class. */

import type { LiveCall } from '../../../base/model/call.ts';
import { findCheck } from '../../../base/shell/intent.ts';
import { parseCall, parseCommand } from '../../../base/shell/parse-command.ts';
import { isDoing, isLooking } from '../../../base/shell/program-kinds.ts';
import { hasTrait, isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { CheckKind } from '../../../base/shell/programs/vocabulary.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import type { FailureClass } from '../../../base/statistics/failures.ts';
import type { Facts } from './failure-facts.ts';

/** The very same words worked in another order. */
export function isReordered({ failed, worked }: Facts): boolean {
  if (failed === undefined || failed.args.length < 2) return false;
  const [line, sorted] = [toWords(failed), toWords(failed).toSorted()].map(String);
  return worked
    .flatMap(parseCall)
    .some(
      (one) =>
        one.program === failed.program && String(toWords(one)) !== line && String(toWords(one).toSorted()) === sorted,
    );
}

function toWords({ args }: SimpleCommand): readonly string[] {
  return args.map(({ value }) => value);
}

/**
 * The same command worked later: because the code had changed, because another command had to run first, or because
 * nothing of it was wrong. Undefined if nobody knows.
 */
export function findByNext(facts: Facts): FailureClass | undefined {
  const { failure, failed, check, worked } = facts;
  const line = parseCommand(failure.command ?? '', { rawTool: failure.rawTool ?? '' }).filter(isWeighty);
  // What stood before the command that failed had worked, and need not run again.
  const start = Math.max(
    line.findIndex(({ text }) => text === failed?.text),
    0,
  );
  const own = line.slice(start).map((one) => toTyped(one, failure.command));
  const before = new Set(line.slice(0, start).map(({ text }) => text));
  const again = worked.map((call) => (call.cwd === failure.cwd ? findAdded(own, call) : undefined));
  const at = again.findIndex((added) => added !== undefined);
  if (at < 0) return undefined;
  if (worked.slice(0, at).some(isEdit)) return 'verdict';
  const ran = worked
    .slice(0, at)
    .flatMap(parseCall)
    .filter((one) => isDoing(one) || mayEdit(one));
  const added = again[at]?.filter((one) => !before.has(one.text) && (!isLooking(one) || mayEdit(one))) ?? [];
  if (added.some((one) => !isEditing(one)) || ran.some((one) => isPreparation(one, check))) return 'command';
  return [...ran, ...added].some(isEditing) ? undefined : 'world';
}

/** What a later line does before all that this one did; undefined if it does something else. */
function findAdded(own: readonly string[], call: LiveCall): readonly SimpleCommand[] | undefined {
  const line = parseCall(call).filter(isWeighty);
  const at = line.length - own.length;
  const isAgain = own.length > 0 && at >= 0 && line.slice(at).every((one, i) => toTyped(one, call.command) === own[i]);
  return isAgain ? line.slice(0, at) : undefined;
}

/** It does more than to wait or to print. */
function isWeighty({ program }: SimpleCommand): boolean {
  return isKnownAs(program, 'moves') || !isKnownAs(program, 'succeeds');
}

/** As typed, with variables and wrappers before it: `sudo x` and `A=1 x` are not `x`. */
function toTyped({ text }: SimpleCommand, command = ''): string {
  const [before] = /[^;&|(\n]*$/.exec(command.slice(0, Math.max(0, command.indexOf(text)))) ?? [''];
  return `${before}${text}`.replaceAll(REDIRECTION, '').trim();
}

const REDIRECTION = /\s*\d?>>?(?:&\d|\s*\S+)/g;

function isEdit({ tool }: LiveCall): boolean {
  return tool === 'edit' || tool === 'write';
}

/** A formatter changes files, and so may git and a script. */
function isEditing(one: SimpleCommand): boolean {
  return findCheck(one) === 'lint' || one.program === 'git' || isKnownAs(one.program, 'interpreter');
}

function mayEdit(one: SimpleCommand): boolean {
  return isEditing(one) && !hasTrait(one, 'reads');
}

/** It may have made what the failed call needs: installs, builds, starts or removes something. */
function isPreparation(one: SimpleCommand, check: CheckKind | undefined): boolean {
  if (isEditing(one) || hasTrait(one, 'shows', 'http')) return false;
  const kind = findCheck(one);
  return kind === undefined || (kind === 'build' && check !== 'build');
}
