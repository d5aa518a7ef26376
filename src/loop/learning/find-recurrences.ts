/** Failures that an earlier session of the project has met: proposes lessons about what their calls have in common. */

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
  if (repeatable.length === 0) return [];
  const recurrences: Found[] = [];
  for (const failing of calls.observed.filter(({ callId }) => repeatable.includes(callId))) {
    const isAbsence = findMissing(failing) !== undefined;
    if (off.includes(isAbsence ? 'absent-path' : 'recurrence')) continue;
    const known = [...(await past.list(failing.projectId)).values()];
    const finding = isAbsence ? proposeAbsentPath(failing, known) : proposeRecurrence(failing, known, holdsInPast);
    if (finding === undefined) continue;
    const window = [failing];
    recurrences.push({ finding: guardFinding(finding, { calls: window, spoken: [], shown: undefined }), window });
  }
  return recurrences;
}
