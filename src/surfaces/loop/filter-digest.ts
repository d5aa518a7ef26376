/** What of a digest may be taken in. */
import type { LiveCall } from '../../base/call.ts';
import { type KeptReport, toReportCallId } from '../../base/kept-report.ts';
import type { Digest } from './digest-events.ts';
import type { Sighted } from './make-away-judge.ts';
import { TAKES_ALL } from './make-capture-filter.ts';

export function filterDigest(digest: Digest, isOurs: (sight: Sighted) => boolean): Digest {
  if (isOurs === TAKES_ALL) return digest;
  const { sights, calls, findings, reports, ends, contextEnds, places } = digest;
  const isOurCall = (call: LiveCall): boolean => isOurs(toSighted(call));
  const ourReports = reports.filter(({ file, ...report }) =>
    isOurs({
      ...{ ...report, project: { id: report.projectId } },
      ...(file === undefined ? {} : { transcriptPath: file }),
    }),
  );
  // A draft may rest on a report alone, with no call around it.
  const others = new Set(reports.filter((report) => !ourReports.includes(report)).map(toReportKey));
  return {
    sights: sights.filter(isOurs),
    calls: {
      observed: calls.observed.filter(isOurCall),
      hearsay: calls.hearsay.filter(isOurCall),
      beside: calls.beside.filter(isOurCall),
    },
    findings: findings.filter(
      ({ finding, window }) =>
        !others.has(`${finding.sessionId} ${finding.failingCallId}`) &&
        window
          .filter(({ callId }) => callId === finding.failingCallId || callId === finding.fixingCallId)
          .every(isOurCall),
    ),
    reports: ourReports,
    ends: ends.filter(isOurs),
    contextEnds: contextEnds.filter(isOurs),
    places: places.filter(isOurs),
  };
}

function toReportKey({ sessionId, reportId }: KeptReport): string {
  return `${sessionId} ${toReportCallId(reportId)}`;
}

function toSighted({ agent, sessionId, occurredAt, cwd, evidence, projectId }: LiveCall): Sighted {
  return {
    ...{ agent, sessionId, at: occurredAt, project: { id: projectId } },
    ...(cwd === undefined ? {} : { cwd }),
    ...(evidence === undefined ? {} : { transcriptPath: evidence.file }),
  };
}
