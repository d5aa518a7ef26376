/**
 * The scan state of each transcript file (how far it was read), and the new positions of calls in a file that was
 * rewritten and read again.
 */

export interface ScanState {
  readonly path: string;
  readonly agent: string;
  /** The end, in bytes, of the last whole line that was read. */
  readonly offset: number;
  /** Lines before `offset`. */
  readonly lines: number;
  /** The memo of the reader, see `LineReader`. */
  readonly memo?: string;
  /** A hash of the last bytes before `offset`. If they differ, the file was rewritten. */
  readonly tail?: string;
  /** A call was running and the file may still have been growing, so it is read once more after it stops changing. */
  readonly isOpen?: true;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** A reader with a higher version reads the file again. */
  readonly parserVersion: number;
}

/** A session file that was rewritten and read again as a whole: the new lines of its calls. */
export interface RewrittenFile {
  readonly agent: string;
  readonly file: string;
  readonly calls: readonly CallPlace[];
}

export interface CallPlace {
  readonly sessionId: string;
  readonly callId: string;
  readonly line: number;
  /** An agent's report, not a call, so its line alone is the evidence. */
  readonly isReport?: true;
}
