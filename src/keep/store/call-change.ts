/** What saving calls changed: whoever counts and links needs both sides. */
import type { CallRow, ToldCallColumns } from './database-schema.ts';

/** One row to write, and the row it takes the place of. */
export interface CallChange {
  readonly known?: CallRow;
  readonly told: ToldCallColumns;
}
