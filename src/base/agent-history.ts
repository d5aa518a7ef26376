/**
 * SEAM: what a coding agent keeps of its past sessions. Facts are data; formats are parsed behind this seam and nowhere
 * else. Pure: the scanner finds and reads the files, a reader makes events of what it is given. Several agents have a
 * history and no hooks that we install: the two seams are apart, joined by the agent's id.
 */
import type { AgentEvent } from './event.ts';

export interface AgentHistory {
  /** `claude-code`: the same id as that of its hooks. */
  readonly agent: string;
  readonly name: string;
  readonly home: AgentHome;
  /** Folders or files in its home; those that do not exist are passed over. */
  readonly places: readonly string[];
  /** The first whose `file` fits a path reads it. */
  readonly formats: readonly SessionFormat[];
  /** Raised when a reader learns to see more: every file of this agent is then read again. */
  readonly version: number;
}

/** A folder that an environment variable names, else one in the user's home. */
export interface AgentHome {
  readonly env: string;
  readonly folder: string;
}

export type SessionFormat = LineFormat | DocumentFormat;

interface FormatFacts {
  /** Which files: tested on the path with forward slashes. */
  readonly file: RegExp;
  /**
   * Is a file with this beginning of the agent's making? Asked only where a person named a folder and no agent; the
   * head is at most 4 KB of text, cut anywhere.
   */
  isOurs(head: string): boolean;
  /** Small files whose text the reader needs, as paths relative to the session's folder (`../.project_root`). */
  readonly beside?: readonly string[];
}

/** A log that grows line by line and is read on from where it was left. */
export interface LineFormat extends FormatFacts {
  readonly kind: 'lines';
  /** Such a file is not added to any more: it is read as a whole. */
  readonly compression?: 'zstd';
  /**
   * A reader for one file. Feed it the lines in order; it may hold a call back until its result arrives.
   * Absence: an empty list for lines that tell of nothing we use.
   * Failure: never throws; a line that is not what the format says is counted in `skipped` under its reason.
   */
  open(file: SessionFile): LineReader;
}

/** A file that is written anew as a whole, and read anew as a whole whenever it changed. */
export interface DocumentFormat extends FormatFacts {
  readonly kind: 'document';
  /** Never throws, whatever the document is. */
  read(document: unknown, file: SessionFile): DocumentRead;
}

export interface SessionFile {
  readonly path: string;
  /** The text of the files beside it, by the path that asked for them; those that exist. */
  readonly beside: Readonly<Record<string, string>>;
  /** Where reading goes on in the middle of a file: what the reader had noted by then. */
  readonly memo?: string;
}

export interface LineReader {
  /** `line` is its 1-based number in the file. */
  read(text: string, line: number): readonly AgentEvent[];
  /**
   * The line of the oldest row that is held back for a later one; undefined when nothing is. A later scan has to
   * start there, or the calls that were under way at the end of this one are lost.
   */
  readonly pendingLine: number | undefined;
  /** What later lines rest on and only earlier ones tell (session, folder, model), as text; undefined for nothing. */
  readonly memo?: string | undefined;
  /** The calls that still wait, as never ended: of a file that nobody writes to any more. They go on waiting. */
  leave?(): readonly AgentEvent[];
  /** Reason -> count of lines that could not be used. A record of an unknown type is one. */
  readonly skipped: ReadonlyMap<string, number>;
}

export interface DocumentRead {
  readonly events: readonly AgentEvent[];
  readonly skipped: ReadonlyMap<string, number>;
}
