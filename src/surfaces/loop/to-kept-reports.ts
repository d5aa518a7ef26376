/** The reports that a window adds, as they are kept: what was written and where, none of the words. */
import type { SessionWindow } from '../../base/detector.ts';
import type { KeptReport } from '../../base/kept-report.ts';
import { findBehind } from '../../distill/self-report/find-behind.ts';
import { findSaid } from '../../distill/self-report/find-said.ts';
import { isMalformed } from '../../distill/self-report/self-report.ts';

/** With the folder it was written in: whether it may be kept rests on it. */
export interface SeenReport extends KeptReport {
  readonly cwd?: string;
}

export function toKeptReports(window: SessionWindow): readonly SeenReport[] {
  return findSaid(window)
    .filter(({ isNew }) => isNew)
    .map(({ spoken, report }) => {
      const { agent, sessionId, contextId, projectId, at, cwd, evidence } = spoken;
      const [behind] = isMalformed(report) ? [] : findBehind(report, spoken, window.calls);
      return {
        ...{
          agent,
          sessionId,
          contextId,
          at,
          projectId,
          reportId: report.id,
          form: report.form,
        },
        ...(isMalformed(report) ? { malformed: report.malformed } : {}),
        ...(behind === undefined ? {} : { failingCallId: behind.call.callId }),
        ...evidence,
        ...(cwd === undefined ? {} : { cwd }),
      };
    });
}
