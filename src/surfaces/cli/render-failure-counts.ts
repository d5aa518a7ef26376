/** The sentence about calls and failures that `start`, `stats` and `failures` print alike. */
import type { FailureCounts } from '../../base/failure-ledger.ts';
import { toCount, toNumber } from './to-count.ts';

export function renderFailureCounts({ sessions, calls, failures, repeats, avoidable }: FailureCounts): string {
  const past = `${toCount(failures, 'failed call')} of ${toCount(calls, 'call')} in ${toCount(sessions, 'session')}`;
  if (repeats === 0) return `${past}; none repeated an earlier failure of its project.`;
  const solved = avoidable === 0 ? 'none of these' : `${toNumber(avoidable)} of these`;
  return `${past}; ${toNumber(repeats)} repeated an earlier failure of their project, ${solved} one that had been solved before.`;
}
