/** The reports in a window, each with the words it stands in. Only the agent's own words: what a tool printed is not read. */
import type { LiveCall } from '../../../base/model/call.ts';
import type { SessionMessage, SessionWindow } from '../../detector.ts';
import { findBehind } from './find-behind.ts';
import { parseReports } from './parse-reports.ts';
import { isMalformed, type ParsedReport } from './self-report.ts';

interface SaidReport {
  readonly spoken: SessionMessage;
  readonly report: ParsedReport;
  /** It was not in the window before. */
  readonly isNew: boolean;
}

/** The next window has most of the words again. */
const parsed = new WeakMap<SessionMessage, readonly ParsedReport[]>();

export function findSaid({ spoken, spokenFrom, calls }: SessionWindow): readonly SaidReport[] {
  return spoken.flatMap((words, index) =>
    toReports(words)
      .filter((report) => isMeant(report, words, calls))
      .map((report) => ({ spoken: words, report, isNew: index >= spokenFrom })),
  );
}

/** What is set off as an example or a quotation reports nothing, unless it is about a call that failed here. */
function isMeant(report: ParsedReport, words: SessionMessage, calls: readonly LiveCall[]): boolean {
  if (report.shown === undefined) return true;
  if (isMalformed(report)) return report.shown === 'fenced';
  // Process knowledge need not be about a failure.
  if (report.shown === 'fenced' && report.form === 'process-knowledge') return true;
  return findBehind(report, words, calls).length > 0;
}

function toReports(words: SessionMessage): readonly ParsedReport[] {
  if (words.kind !== 'said') return [];
  const known = parsed.get(words) ?? parseReports(words.text);
  parsed.set(words, known);
  return known;
}
