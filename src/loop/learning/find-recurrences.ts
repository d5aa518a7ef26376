/** Failures that an earlier session of the project has met: proposes lessons about what their calls have in common. */

import { guardFinding } from '../../distill/gate/guard-finding.ts';
import { proposeRecurrence } from '../../distill/propose/recurrence.ts';
import type { Digest, Found } from '../digest-events.ts';
import { holdsInPast, type PastCalls } from './past-calls.ts';

export async function findRecurrences(past: PastCalls, { calls, repeatable }: Digest): Promise<readonly Found[]> {
  if (repeatable.length === 0) return [];
  const recurrences: Found[] = [];
  for (const failing of calls.observed.filter(({ callId }) => repeatable.includes(callId))) {
    const known = await past.list(failing.projectId);
    const finding = proposeRecurrence(failing, [...known.values()], holdsInPast);
    if (finding === undefined) continue;
    const window = [failing];
    recurrences.push({ finding: guardFinding(finding, { calls: window, spoken: [], shown: undefined }), window });
  }
  return recurrences;
}
