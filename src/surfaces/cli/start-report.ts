/** What `start` found and did. */
import type { FailureCounts } from '../../base/failure-ledger.ts';
import type { Lesson } from '../../base/lesson.ts';
import type { Project } from '../../base/session.ts';
import type { StoreCounts } from '../../base/store.ts';
import type { ScanTotals } from '../scan/scan-sessions.ts';

export interface StartReport {
  /** No sessions here: learned from those that the package brings, kept apart from the user's own. */
  readonly sample: boolean;
  /** The user's data directory, and the one that was learned into: the same but for samples. */
  readonly home: string;
  readonly dataDir: string;
  readonly scan: ScanTotals;
  readonly counts: StoreCounts & FailureCounts;
  readonly lessons: readonly Lesson[];
  /** How many of the lessons that we bring are not there yet. */
  readonly starter: number;
  readonly projects: readonly Project[];
  readonly daemon: { readonly pid: number; readonly started: boolean };
}
