/**
 * Finds the copied rows at the beginning of a transcript. `--fork-session` copies the rows of another session under the
 * new session's id without marking them, but they keep their ids and are older than the file, whose age its first queued
 * prompt shows. A call that the older file also reports would count twice. Without that file, the fork has the only
 * record of it.
 */

import type { CopiedRows, SessionFile } from '../../base/contracts/agent-history.ts';
import { findText } from '../wire.ts';
import type { RowWire } from './wire.ts';

export const COPIED_ROWS: CopiedRows = { time: /"timestamp":"([^"]{1,60})"/, id: /"uuid":"([^"]{1,60})"/ };

const QUEUED_ROW = '{"type":"queue-operation"';

export interface Copies {
  /** Called for every line of the file, before its kind is known. */
  seeLine(text: string, line: number): void;
  /** Is the row a copy of one in an older file? */
  isCopy(row: RowWire): boolean;
  /** For a reader that continues here: when the file began, as long as copies may follow. */
  readonly bornAt: string | undefined;
}

/** `noted`: the value of an earlier reader of the same file. */
export function openCopies({ listOlderIds }: SessionFile, noted?: string): Copies {
  /** Undefined: not known yet. */
  let bornAt = noted;
  let firstLine = noted === undefined ? undefined : 1;
  let hasOwn = false;
  let older: ReadonlySet<string> | undefined;
  return {
    seeLine(text, line) {
      firstLine ??= line;
      if (hasOwn || bornAt !== undefined || !text.startsWith(QUEUED_ROW)) return;
      bornAt = COPIED_ROWS.time.exec(text)?.[1];
    },
    isCopy(row) {
      if (hasOwn) return false;
      const at = findText(row, 'timestamp');
      // Copies are at the beginning, before any row of the session's own. A reader that continues later sees none.
      hasOwn = firstLine !== 1 || bornAt === undefined || at === undefined || at >= bornAt;
      if (hasOwn || at === undefined || bornAt === undefined) return false;
      older ??= listOlderIds?.(bornAt, at) ?? new Set();
      return older.has(findText(row, 'uuid') ?? '');
    },
    get bornAt() {
      return hasOwn || firstLine !== 1 ? undefined : bornAt;
    },
  };
}
