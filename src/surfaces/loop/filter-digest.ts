/** What of a digest may be taken in. */
import type { LiveCall } from '../../base/call.ts';
import type { Digest } from './digest-events.ts';
import type { Sighted } from './make-away-judge.ts';
import { TAKES_ALL } from './make-capture-filter.ts';

export function filterDigest(digest: Digest, isOurs: (sight: Sighted) => boolean): Digest {
  if (isOurs === TAKES_ALL) return digest;
  const { sights, calls, findings, reports, ends, contextEnds, places } = digest;
  const isOurCall = (call: LiveCall): boolean => isOurs(toSighted(call));
  return {
    sights: sights.filter(isOurs),
    calls: {
      observed: calls.observed.filter(isOurCall),
      hearsay: calls.hearsay.filter(isOurCall),
      beside: calls.beside.filter(isOurCall),
    },
    findings: findings.filter(({ finding, window }) =>
      window
        .filter(({ callId }) => callId === finding.failingCallId || callId === finding.fixingCallId)
        .every(isOurCall),
    ),
    reports: reports.filter(({ file, ...report }) =>
      isOurs({
        ...{ ...report, project: { id: report.projectId } },
        ...(file === undefined ? {} : { transcriptPath: file }),
      }),
    ),
    ends: ends.filter(isOurs),
    contextEnds: contextEnds.filter(isOurs),
    places: places.filter(isOurs),
  };
}

function toSighted({ agent, sessionId, occurredAt, cwd, evidence, projectId }: LiveCall): Sighted {
  return {
    ...{ agent, sessionId, at: occurredAt, project: { id: projectId } },
    ...(cwd === undefined ? {} : { cwd }),
    ...(evidence === undefined ? {} : { transcriptPath: evidence.file }),
  };
}
