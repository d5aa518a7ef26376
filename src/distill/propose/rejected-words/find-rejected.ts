/** The word of a failed call that its program refuses, where that can be a lesson at all. */
import type { LiveCall } from '../../../base/model/call.ts';
import { isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { isFailedCommand } from '../../episodes/make-pair-detector.ts';
import { type Culprit, findCulprit, isCulpritIn } from './find-culprit.ts';

/** Programs built for a test of this very session. */
export const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/folders)\//;

export function findRejected(call: LiveCall, commands: readonly SimpleCommand[]): Culprit | undefined {
  const culprit = findCulprit(commands, call.output ?? '');
  if (culprit === undefined || TEMPORARY.test(culprit.command.text)) return undefined;
  return isCulpritIn(culprit, culprit.command) && !isLostPath(culprit) ? culprit : undefined;
}

/** Every machine has `grep` and `head`: without them it is the PATH that was lost, in this very line. */
function isLostPath({ role, command }: Culprit): boolean {
  return role === 'program' && isKnownAs(command.program, 'prepares', 'basic');
}

export function isRejectable(call: LiveCall): boolean {
  if (!isFailedCommand(call)) return false;
  // A pipe may hide the rejected word behind the output of programs that worked.
  return call.masked || (!isVerdict(call.output ?? '') && !isWorld(call.output ?? ''));
}
