/**
 * SEAM: the past sessions that a coding agent stores. Formats are parsed behind this seam and nowhere else. Readers are
 * pure: the scanner finds and reads the files, and a reader turns their content into events. Some agents have a history
 * but no hooks that we install, so this seam is separate from `agent-adapter.ts`.
 */
import type { AgentEvent } from '../model/event.ts';
import type { AgentFacts } from './agent-facts.ts';

export interface AgentHistory {
  readonly facts: AgentFacts;
  /** Folders or files in the agent's home; missing ones are skipped. */
  readonly places: readonly string[];
  /** One more file: the variable that names it, and its default folder in the agent's home. */
  readonly file?: { readonly env: string; readonly in: string };
  /** Folders that are not scanned, because they contain many files and no sessions; tested like `file`. */
  readonly closed?: RegExp;
  /** The first format whose `file` matches a path reads it. */
  readonly formats: readonly SessionFormat[];
  /** The sentences with which this agent reports that a hook or a permission rule refused a call. */
  readonly refusals?: readonly RefusalSentence[];
  /** Increased when a reader learns to read more, so that every file of this agent is read again. */
  readonly version: number;
}

export interface RefusalSentence {
  /**
   * The text before the reason. The groups `event` and `command` name the hook's event and command line, if the agent
   * states them.
   */
  readonly before: RegExp;
  /** The text after the reason. */
  readonly after?: RegExp;
}

export type SessionFormat = LineFormat | DocumentFormat | DatabaseFormat | TreeFormat;

interface FormatFacts {
  /** Which files: tested on the path with forward slashes. */
  readonly file: RegExp;
  /**
   * Did this agent write a file that begins so? Asked only if a person named a folder and no agent. The head is at most
   * 4 KB of text, cut anywhere.
   */
  isOurs(head: string): boolean;
  /** Exported files that people keep themselves, so the agent's own folders are not searched for them. */
  readonly isElsewhere?: true;
  /** Small files whose text the reader needs, as paths relative to the session's folder (`../.project_root`). */
  readonly siblingFiles?: readonly string[];
}

/** A log that grows line by line. A scan continues where the last one ended. */
export interface LineFormat extends FormatFacts {
  readonly kind: 'lines';
  /** A compressed file no longer grows, so it is read as a whole. */
  readonly compression?: 'zstd';
  /**
   * Decodes the part of a line that the reader needs: the reader makes the same events of it as of the whole line.
   * Empty for a line without events, which the reader then skips. Absent: UTF-8.
   */
  decode?(bytes: Buffer): string;
  /** For an agent whose file may begin with copies of another file's rows. */
  readonly copies?: CopiedRows;
  /**
   * A reader for one file. Give it the lines in order; it may hold a call back until its result arrives. Returns an
   * empty list for lines without events. Never throws; a line that does not fit the format is counted in `skipped` with
   * its reason.
   */
  open(file: SessionFile): LineReader;
}

/** Finds the time and the id of a row in the text of a file. A copy has the id of its original. */
export interface CopiedRows {
  readonly time: RegExp;
  readonly id: RegExp;
}

/** A file that its agent rewrites as a whole, so it is read again as a whole after every change. */
export interface DocumentFormat extends FormatFacts {
  readonly kind: 'document';
  /** Never throws, whatever the document is. */
  read(document: unknown, file: SessionFile): DocumentRead;
}

/** A database of many sessions. Sessions that changed since the last scan are read again as a whole. */
export interface DatabaseFormat extends FormatFacts {
  readonly kind: 'database';
  /** Table -> columns that the statements need. A database that lacks one is reported as unreadable. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /**
   * Selects the sessions, oldest first: small rows with an `id` and `touched`, the time of the last write in ms.
   * `:since` is the oldest `touched` to return.
   */
  readonly sessions: string;
  /** One statement per level below the session: rows, in order, for the `:id` of the row above. */
  readonly below: readonly string[];
  /** Reason -> statement that counts (as `n`) the rows that are not read. Skipped if it fails. */
  readonly unread?: Readonly<Record<string, string>>;
  /** A reader for one session. */
  open(file: SessionFile): RecordReader;
}

/** A document whose further documents are files in folders. All are read again when one has changed. */
export interface TreeFormat extends FormatFacts {
  readonly kind: 'tree';
  /** For a record of each level, the folder with the records below it, relative to the folder of the first document. */
  readonly below: readonly ((record: unknown) => string | undefined)[];
  open(file: SessionFile): RecordReader;
}

export interface SessionFile {
  readonly path: string;
  /** The text of the existing files beside it, by the path in `FormatFacts.beside`. */
  readonly siblingFiles: Readonly<Record<string, string>>;
  /** For a reader that continues in the middle of a file: the memo of the reader before. */
  readonly memo?: string;
  /**
   * For a format with `copies`: the ids of the rows in the older files of the folder. These files began before `bornAt`
   * and were written to after `since`.
   */
  readonly listOlderIds?: (bornAt: string, since: string) => ReadonlySet<string>;
}

export interface LineReader {
  /** `line` is the 1-based number of the line in the file. */
  read(text: string, line: number): readonly AgentEvent[];
  /**
   * The line of the oldest row that is held back for a later one; undefined if there is none. The next scan must start
   * there, or the calls that were running at the end of this one are lost.
   */
  readonly pendingLine: number | undefined;
  /** The reader needs a module that is not loaded yet: wait for it before the next line. Usually undefined. */
  readonly loading?: Promise<void> | undefined;
  /** Data that later lines need and only earlier lines contain (session, folder, model), as text. */
  readonly memo?: string | undefined;
  /** The waiting calls, as never ended, for a file that is no longer written. They keep waiting. */
  leave?(): readonly AgentEvent[];
  /** Reason -> count of lines that could not be used, such as records of an unknown type. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** Never throws; a record that does not fit the format is counted in `skipped` with its reason. */
export interface RecordReader {
  /** Reads each record before those below it. Depth 0 is the session; `line` is the record's 1-based number in it. */
  read(record: unknown, depth: number, line: number): readonly AgentEvent[];
  /** Events that are known only after the last record. */
  end(): readonly AgentEvent[];
  /** The waiting calls, as never ended. */
  leave(): readonly AgentEvent[];
  readonly skipped: ReadonlyMap<string, number>;
}

export interface DocumentRead {
  readonly events: readonly AgentEvent[];
  /** The waiting calls, as never ended, for a document that is no longer written. */
  readonly left?: readonly AgentEvent[];
  readonly skipped: ReadonlyMap<string, number>;
}
