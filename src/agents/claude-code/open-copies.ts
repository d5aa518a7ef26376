/**
 * Which rows at the beginning of a transcript are copies. `--fork-session` copies the rows of another session under the
 * new session's id and does not say so; but they are older than the file, whose age its first queued prompt tells. Told
 * again, every call before the fork would count twice.
 */
import { findText } from '../wire.ts';
import type { RowWire } from './claude-wire.ts';

export interface Copies {
  /** Every line of the file, before it is known what it is. */
  seeLine(text: string, line: number): void;
  isCopy(row: RowWire): boolean;
  /** For a reader that goes on from here: when the file began, as long as copies may follow. */
  readonly bornAt: string | undefined;
}

const QUEUED = '{"type":"queue-operation"';
const TIME = /"timestamp":"([^"]+)"/;

/** `noted` is what an earlier reader of the same file knew. */
export function openCopies(noted?: string): Copies {
  /** Undefined: not known yet. */
  let bornAt = noted;
  let firstLine = noted === undefined ? undefined : 1;
  let hasOwn = false;
  return {
    seeLine(text, line) {
      firstLine ??= line;
      if (hasOwn || bornAt !== undefined || !text.startsWith(QUEUED)) return;
      bornAt = TIME.exec(text)?.[1];
    },
    isCopy(row) {
      // Copies stand at the beginning, before any row of the session's own. Who reads on from later sees none.
      if (hasOwn || firstLine !== 1 || bornAt === undefined) hasOwn = true;
      else hasOwn = (findText(row, 'timestamp') ?? bornAt) >= bornAt;
      return !hasOwn;
    },
    get bornAt() {
      return hasOwn || firstLine !== 1 ? undefined : bornAt;
    },
  };
}
