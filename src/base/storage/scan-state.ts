/**
 * How far a scan has read each transcript file, and the new positions of calls in a file that was rewritten and read
 * again.
 */

/** How far one transcript file has been read. */
export interface ScanState {
  readonly path: string;
  readonly agent: string;
  /** Bytes up to the end of the last whole line that was read. */
  readonly offset: number;
  /** Lines before `offset`. */
  readonly lines: number;
  /** What the reader had noted by then, see `LineReader`. */
  readonly memo?: string;
  /** A hash of the last bytes before `offset`: others there mean that the file was written anew. */
  readonly tail?: string;
  /** A call was under way, and somebody might still have been writing: once the file is silent, it is read once more. */
  readonly isOpen?: true;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** A reader with a higher version reads the file again. */
  readonly parserVersion: number;
}

/** A session file that was read before, was written anew since, and was read again as a whole: where its calls stand now. */
export interface ReadAnew {
  readonly agent: string;
  readonly file: string;
  readonly calls: readonly CallPlace[];
}

export interface CallPlace {
  readonly sessionId: string;
  readonly callId: string;
  readonly line: number;
  /** What an agent wrote down, not a call: its line alone is the evidence. */
  readonly isReport?: true;
}
