/** The reports in a window, each with the words it stands in. Only the agent's own words: what a tool printed is not read. */
import type { SessionWindow, Spoken } from '../../base/detector.ts';
import { parseReports } from './parse-reports.ts';
import type { ParsedReport } from './self-report.ts';

export interface SaidReport {
  readonly spoken: Spoken;
  readonly report: ParsedReport;
  /** It was not in the window before. */
  readonly isNew: boolean;
}

/** The next window has most of the words again. */
const parsed = new WeakMap<Spoken, readonly ParsedReport[]>();

export function findSaid({ spoken, spokenFrom }: SessionWindow): readonly SaidReport[] {
  return spoken.flatMap((words, index) =>
    toReports(words).map((report) => ({ spoken: words, report, isNew: index >= spokenFrom })),
  );
}

function toReports(words: Spoken): readonly ParsedReport[] {
  if (words.kind !== 'said') return [];
  const known = parsed.get(words) ?? parseReports(words.text);
  parsed.set(words, known);
  return known;
}
