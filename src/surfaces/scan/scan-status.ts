/** What the daemon has read of session files by itself. */
export interface ScanStatus {
  /** Files are being read now. */
  readonly isUnderWay: boolean;
  /** The last time that all session files were looked through, to the end. */
  readonly last?: LastScan;
  /** Calls from files that grew while the daemon ran, and when the last of them were found. */
  readonly grown: { readonly calls: number; readonly at?: string };
}

export interface LastScan {
  readonly at: string;
  readonly seconds: number;
  readonly files: number;
  /** Those that had changed. */
  readonly filesRead: number;
  readonly calls: number;
  readonly unreadable: number;
}

export const NOTHING_SCANNED: ScanStatus = { isUnderWay: false, grown: { calls: 0 } };
