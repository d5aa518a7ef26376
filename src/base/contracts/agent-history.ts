/**
 * SEAM: what a coding agent keeps of its past sessions. Facts are data; formats are parsed behind this seam and nowhere
 * else. Pure: the scanner finds and reads the files, a reader makes events of what it is given. Several agents have a
 * history and no hooks that we install: the seams are apart, joined by the agent's facts.
 */
import type { AgentEvent } from '../model/event.ts';
import type { AgentFacts } from './agent-facts.ts';

export interface AgentHistory {
  readonly facts: AgentFacts;
  /** Folders or files in its home; those that do not exist are passed over. */
  readonly places: readonly string[];
  /** One more file, whatever it is called: the variable that names it, and the folder in its home where it is else. */
  readonly file?: { readonly env: string; readonly in: string };
  /** Folders that are not looked into, by their path with forward slashes: many files and no session. */
  readonly closed?: RegExp;
  /** The first whose `file` fits a path reads it. */
  readonly formats: readonly SessionFormat[];
  /** How this agent says that a hook or a permission rule refused a call. */
  readonly refusals?: readonly RefusalSentence[];
  /** Raised when a reader learns to see more: every file of this agent is then read again. */
  readonly version: number;
}

export interface RefusalSentence {
  /** Up to the reason; the groups `event` and `command` name the hook's event and command line where the agent says them. */
  readonly before: RegExp;
  /** What the agent adds behind the reason. */
  readonly after?: RegExp;
}

export type SessionFormat = LineFormat | DocumentFormat | DatabaseFormat | TreeFormat;

interface FormatFacts {
  /** Which files: tested on the path with forward slashes. */
  readonly file: RegExp;
  /**
   * Is a file with this beginning of the agent's making? Asked only where a person named a folder and no agent; the
   * head is at most 4 KB of text, cut anywhere.
   */
  isOurs(head: string): boolean;
  /** People keep such files themselves: they are never looked for in the agent's own places. */
  readonly isElsewhere?: true;
  /** Small files whose text the reader needs, as paths relative to the session's folder (`../.project_root`). */
  readonly beside?: readonly string[];
}

/** A log that grows line by line and is read on from where it was left. */
export interface LineFormat extends FormatFacts {
  readonly kind: 'lines';
  /** Such a file is not added to any more: it is read as a whole. */
  readonly compression?: 'zstd';
  /**
   * The bytes of a line as text, where not all of it has to be decoded: the reader makes the same events of what is
   * given here as of the whole. Empty for a line that tells nothing: the reader does not look for that once more. UTF-8
   * where it is left out.
   */
  decode?(bytes: Buffer): string;
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

/** A database of many sessions. Those that were touched since the last read are read again, each as a whole. */
export interface DatabaseFormat extends FormatFacts {
  readonly kind: 'database';
  /** Table -> columns that the statements rest on. A database that lacks one is reported, not guessed at. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /**
   * The sessions, oldest first: small rows with an `id` and `touched`, the time in ms of what was written last.
   * `:since` is the oldest touch that is of interest.
   */
  readonly sessions: string;
  /** What lies below a record, level by level: statements that give rows in order for `:id` of the row above. */
  readonly below: readonly string[];
  /** Reason -> statement that counts (as `n`) what is there and not read. Passed over where it cannot be run. */
  readonly unread?: Readonly<Record<string, string>>;
  /** A reader for one session. */
  open(file: SessionFile): RecordReader;
}

/** A document whose further documents lie in folders, one file each. All are read anew when one has changed. */
export interface TreeFormat extends FormatFacts {
  readonly kind: 'tree';
  /** For a record of each level, the folder with those below it, relative to the folder of the first document. */
  readonly below: readonly ((record: unknown) => string | undefined)[];
  open(file: SessionFile): RecordReader;
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
  /** The reader needs a part of itself that is not loaded yet: wait before the next line. Undefined as a rule. */
  readonly loading?: Promise<void> | undefined;
  /** What later lines rest on and only earlier ones tell (session, folder, model), as text; undefined for nothing. */
  readonly memo?: string | undefined;
  /** The calls that still wait, as never ended: of a file that nobody writes to any more. They go on waiting. */
  leave?(): readonly AgentEvent[];
  /** Reason -> count of lines that could not be used. A record of an unknown type is one. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** Failure: never throws; what is not what the format says is counted in `skipped` under its reason. */
export interface RecordReader {
  /** Each record before those below it. Depth 0 is the session; `line` is the record's 1-based number in it. */
  read(record: unknown, depth: number, line: number): readonly AgentEvent[];
  /** What is known only after the last record. */
  end(): readonly AgentEvent[];
  /** The calls that still wait, as never ended. */
  leave(): readonly AgentEvent[];
  readonly skipped: ReadonlyMap<string, number>;
}

export interface DocumentRead {
  readonly events: readonly AgentEvent[];
  /** The calls that still wait, as never ended: told where nobody writes to the document any more. */
  readonly left?: readonly AgentEvent[];
  readonly skipped: ReadonlyMap<string, number>;
}
