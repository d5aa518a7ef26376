/** What `start` found and did. */
import type { Lesson } from '../../base/lesson.ts';
import type { StoreCounts } from '../../base/store.ts';
import type { ScanTotals } from '../daemon/scan-sessions.ts';

export interface StartReport {
  /** No sessions here: learned from those that the package brings, kept apart from the user's own. */
  readonly sample: boolean;
  readonly dataDir: string;
  readonly scan: ScanTotals;
  readonly counts: StoreCounts;
  readonly lessons: readonly Lesson[];
  readonly daemon: { readonly pid: number; readonly started: boolean };
}
