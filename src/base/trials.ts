/** What became of the deliveries of one lesson at calls, counted by how they were made. Verdicts of `incomplete` are none. */

export interface Tally {
  readonly judged: number;
  /** The failure that the lesson is about came again. */
  readonly again: number;
  /** The call that judged it failed, in whatever way. */
  readonly failed: number;
}

export interface TrialCounts {
  readonly lessonId: string;
  /** Shown at calls, judged or not. */
  readonly shown: number;
  /** Shown as a note: what withheld ones are compared with. */
  readonly note: Tally;
  /** Shown by holding a call back or correcting it. */
  readonly acting: Tally;
  readonly withheld: Tally;
}

export interface Trials extends TrialCounts {
  /** Of all that were shown and judged. `clean`: the failure did not come again, whatever was done. */
  readonly verdicts: { readonly clean: number; readonly ignored: number; readonly failedAnyway: number };
  /** The very calls that it spoke at as a note, or was withheld from: a note comes too late to change them. */
  readonly own: { readonly failed: number; readonly worked: number };
  /** Whether each of the last ones that were shown came to a failure, newest first. */
  readonly recent: readonly boolean[];
}

export const NO_TALLY: Tally = { judged: 0, again: 0, failed: 0 };

export function makeNoTrials(lessonId: string): Trials {
  return {
    ...{ lessonId, shown: 0, note: NO_TALLY, acting: NO_TALLY, withheld: NO_TALLY },
    verdicts: { clean: 0, ignored: 0, failedAnyway: 0 },
    ...{ own: { failed: 0, worked: 0 }, recent: [] },
  };
}
