/** What `start` found and did. */
import type { FailureCounts } from '../../base/failure-ledger.ts';
import type { Lesson } from '../../base/lesson.ts';
import type { Project } from '../../base/session.ts';
import type { StoreCounts } from '../../base/store.ts';
import type { ScanTotals } from '../scan/scan-sessions.ts';

export interface StartReport {
  /** Neither session files nor recorded calls are here: learned from the package's samples, kept apart from the user's own. */
  readonly sample: boolean;
  /** Session files that were found: the user's own, or the samples. */
  readonly files: number;
  /** The user's data directory, and the one that was learned into: the same but for samples. */
  readonly home: string;
  readonly dataDir: string;
  readonly scan: ScanTotals;
  readonly counts: StoreCounts & FailureCounts;
  readonly lessons: readonly Lesson[];
  /** How many of the lessons that we bring are not there yet. */
  readonly starter: number;
  readonly projects: readonly Project[];
  /** Where agents already have our hooks: settings files, or "as a plugin". */
  readonly hookedIn: readonly string[];
  readonly daemon: { readonly pid: number; readonly started: boolean };
}
