/** That an agent wrote a lesson down, or tried to. No text of its own: the transcript has it. */

export const REPORT_FORMS = ['lesson', 'process-knowledge'] as const;
export type ReportForm = (typeof REPORT_FORMS)[number];

export interface KeptReport {
  readonly agent: string;
  readonly sessionId: string;
  /** The sub-agent that wrote it; the empty string is the main conversation. */
  readonly contextId: string;
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

/** Reports of one agent and model, asked in one way, and the failures that it wrote none about. */
export interface ReportCount {
  readonly agent: string;
  /** Of the session; absent where it is not known. */
  readonly model?: string;
  /** The version of the protocol that asked the conversation; absent where nothing is known of it. */
  readonly protocol?: number;
  readonly isSubagent: boolean;
  readonly reports: number;
  readonly malformed: number;
  /** Failures that detectors learned from and no report is about. */
  readonly unreported: number;
}

/** A failure that detectors learned from and no report is about. */
export interface UnreportedFailure {
  readonly agent: string;
  readonly sessionId: string;
  readonly contextId: string;
  readonly callId: string;
  readonly protocol?: number;
  /** Its first characters, as long as they are kept. */
  readonly command?: string;
  readonly at: string;
}
