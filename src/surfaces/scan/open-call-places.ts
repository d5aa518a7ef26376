/**
 * Where the calls of a file stand, noted while it is read. Agents write some files anew (compaction, repair, another file
 * of the same name): what was learned from them before points to lines, and has to follow.
 */
import type { LiveCall } from '../../base/call.ts';
import { type KeptReport, toReportCallId } from '../../base/kept-report.ts';
import type { CallPlace, ReadAnew } from '../../base/read-anew.ts';
import type { TranscriptRead } from '../../capture/read-transcript-file.ts';
import type { Found } from '../loop/digest-events.ts';
import type { ReadTask } from './scan-messages.ts';

export interface CallPlaces {
  note(calls: readonly LiveCall[], found: readonly Found[], reports: readonly KeptReport[]): void;
  /** Undefined when the file is the one that was read before. */
  toAnew(read: TranscriptRead): ReadAnew | undefined;
}

export function openCallPlaces({ path, previous }: Pick<ReadTask, 'path' | 'previous'>): CallPlaces {
  const places = new Map<string, CallPlace>();
  const add = ({ sessionId, callId, evidence }: LiveCall): void => {
    const key = `${sessionId}\n${callId}`;
    if (evidence?.file === path && !places.has(key)) places.set(key, { sessionId, callId, line: evidence.line });
  };
  const addReport = ({ sessionId, reportId, file, line }: KeptReport): void => {
    const callId = toReportCallId(reportId);
    if (file === path && line !== undefined)
      places.set(`${sessionId}\n${callId}`, { sessionId, callId, line, isReport: true });
  };
  return {
    note(calls, found, reports) {
      // A file that was never read cannot have been written anew.
      if (previous === undefined) return;
      for (const call of calls) add(call);
      // Calls that nobody tracks are among these only.
      for (const { window } of found) for (const call of window) add(call);
      for (const report of reports) addReport(report);
    },
    toAnew({ fromStart, state }) {
      const wasRead = previous !== undefined && previous.offset > 0;
      // A newer reader reads the same lines.
      if (!fromStart || !wasRead || previous.parserVersion !== state.parserVersion) return undefined;
      return { agent: state.agent, file: path, calls: [...places.values()] };
    },
  };
}
