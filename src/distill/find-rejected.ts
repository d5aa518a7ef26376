/** The word of a failed call that its program refuses, where that can be a lesson at all. */
import type { LiveCall } from '../base/call.ts';
import { isPreparing } from '../base/is-looking.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import type { Culprit } from './culprit/culprit.ts';
import { findCulprit } from './culprit/find-culprit.ts';
import { isCulpritIn } from './culprit/to-triggers.ts';
import { isVerdict, isWorld } from './is-verdict.ts';
import { isFailedCommand } from './make-pair-detector.ts';

const BASIC = new Set(
  'ls cat head tail grep egrep find sort uniq wc cut tr sed awk tee diff basename dirname date rm mv cp mkdir touch'.split(
    ' ',
  ),
);
/** Programs built for a test of this very session. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/folders)\//;

export function findRejected(call: LiveCall, commands: readonly SimpleCommand[]): Culprit | undefined {
  const culprit = findCulprit(commands, call.output ?? '');
  if (culprit === undefined || TEMPORARY.test(culprit.command.text)) return undefined;
  return isCulpritIn(culprit, culprit.command) && !isLostPath(culprit) ? culprit : undefined;
}

/** Every machine has `grep` and `head`: without them it is the PATH that was lost, in this very line. */
function isLostPath({ role, command }: Culprit): boolean {
  return role === 'program' && (isPreparing(command) || BASIC.has(command.program));
}

export function isRejectable(call: LiveCall): boolean {
  if (!isFailedCommand(call)) return false;
  // A pipe may hide the rejected word behind the output of programs that worked.
  return call.masked || (!isVerdict(call.output ?? '') && !isWorld(call.output ?? ''));
}
