/** The next call of the window that got past the mistake: it worked, or what it did was to judge the code. */

import type { LiveCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import { isProbe } from '../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isJudged } from './is-verdict.ts';
import type { FailureWindow } from './make-finding.ts';

export interface Later {
  readonly index: number;
  readonly call: LiveCall;
  readonly command: SimpleCommand;
  readonly signals: readonly 'fix-confirmed'[];
}

export function findLater(
  { calls, index, commandsOf }: FailureWindow,
  maxSteps: number,
  isWanted: (command: SimpleCommand, call: LiveCall) => boolean,
): Later | undefined {
  for (let at = index + 1; at <= index + maxSteps && at < calls.length; at++) {
    const call = calls[at];
    if (call === undefined || !hasRun(call)) continue;
    const command = commandsOf(at).find((one) => !isProbe(one) && isWanted(one, call));
    if (command !== undefined)
      return { index: at, call, command, signals: call.outcome === 'failure' ? [] : ['fix-confirmed'] };
  }
  return undefined;
}

export function hasRun(call: LiveCall): boolean {
  if (hasWorked(call)) return true;
  return isJudged(call);
}
