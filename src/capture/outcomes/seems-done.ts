/**
 * A call whose exit code no agent wrote down: a script ran it and printed its output alone. Learning takes it for one that
 * worked if it printed a result and no error, as it does with a command in a pipe. The store keeps that its end is
 * unknown.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { findErrorLine } from '../../base/text/cause-line.ts';

const known = new WeakMap<LiveCall, LiveCall>();

/** The call as learning sees it. */
export function toSeemingEnd(call: LiveCall): LiveCall {
  if (call.outcomeType !== 'no-end' || call.tool !== 'shell') return call;
  const seen = known.get(call) ?? (seemsDone(call) ? { ...call, outcome: 'success' as const } : call);
  known.set(call, seen);
  return seen;
}

function seemsDone({ output = '' }: LiveCall): boolean {
  return output.trim() !== '' && findErrorLine(output) === undefined;
}
