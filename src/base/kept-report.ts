/** That an agent wrote a lesson down, or tried to. No text of its own: the transcript has it. */

export const REPORT_FORMS = ['lesson', 'process-knowledge'] as const;
export type ReportForm = (typeof REPORT_FORMS)[number];

export interface KeptReport {
  readonly agent: string;
  readonly sessionId: string;
  readonly projectId: string;
  /** A hash of the block: told again, it is the same report. */
  readonly reportId: string;
  readonly form: ReportForm;
  /** Why it could not be read, in words of ours. Absent for a report. */
  readonly malformed?: string;
  /** The failure that stands behind it. */
  readonly failingCallId?: string;
  readonly file?: string;
  /** Of the transcript: the message it stands in. */
  readonly line?: number;
  readonly at: string;
}

/** Where words alone tell of a mistake, the report stands for the call that failed. */
export function toReportCallId(reportId: string): string {
  return `report-${reportId}`;
}

export interface ReportFilter {
  readonly agent?: string;
  /** From this time on. */
  readonly since?: string;
}

/** Reports of one agent and model, and the failures that it wrote none about. */
export interface ReportCount {
  readonly agent: string;
  /** Of the session; absent where it is not known. */
  readonly model?: string;
  readonly reports: number;
  readonly malformed: number;
  /** Failures that detectors learned from and no report is about. */
  readonly unreported: number;
}
