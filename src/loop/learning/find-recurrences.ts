/** Failures that an earlier session of the project has met: proposes lessons about what their calls have in common. */

import type { LiveCall } from '../../base/model/call.ts';
import type { Finding } from '../../base/model/finding.ts';
import { guardFinding } from '../../distill/gate/guard-finding.ts';
import { findMissing, proposeAbsentPath } from '../../distill/propose/paths/absent-path.ts';
import { proposeRecurrence } from '../../distill/propose/recurrence.ts';
import type { Digest, Found } from '../digest-events.ts';
import { holdsInPast, type PastCalls } from './past-calls.ts';

/** `off`: the names of detectors that the user has switched off. */
export async function findRecurrences(
  past: PastCalls,
  { calls, repeatable }: Digest,
  off: readonly string[],
): Promise<readonly Found[]> {
  const recurrences: Found[] = [];
  for (const failing of calls.observed) {
    const finding = await propose(failing);
    if (finding === undefined) continue;
    const window = [failing];
    recurrences.push({ finding: guardFinding(finding, { calls: window, spoken: [], shown: undefined }), window });
  }
  return recurrences;

  async function propose(failing: LiveCall): Promise<Finding | undefined> {
    const isAbsence = !off.includes('absent-path') && findMissing(failing) !== undefined;
    const isRepeatable = !off.includes('recurrence') && repeatable.includes(failing.callId);
    if (!isAbsence && !isRepeatable) return undefined;
    const known = [...(await past.list(failing.projectId)).values()];
    const absence = isAbsence ? proposeAbsentPath(failing, known) : undefined;
    return absence ?? (isRepeatable ? proposeRecurrence(failing, known, holdsInPast) : undefined);
  }
}
