/**
 * How well signatures group the labelled failures of a set: of two failures of one labelled lesson, do they share a
 * signature; and do two failures that share one belong together? Only failures of one repository are compared, because
 * two labellers may have labelled the same cause in two of them.
 */
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { readSessions } from '../../src/loop/replay/read-sessions.ts';
import { toShare } from '../label-figures.ts';
import type { LabelSet, Place } from './label-set.ts';
import { toPastCalls } from './past-calls.ts';

interface Failure {
  readonly repository: string;
  /** The lesson, or the reason why it is none. */
  readonly group: string;
  readonly isLesson: boolean;
  readonly signature: string;
}

export async function groupFailures(set: LabelSet) {
  const steps = await readSessions(set.files, { trackedTools: DEFAULT_SETTINGS.trackedTools, log: () => {} });
  const past = toPastCalls(steps);
  const toFailure = (place: Place, group: string, isLesson: boolean): readonly Failure[] => {
    const { endedAs, call } = past.find(place)?.step ?? {};
    const signature = (endedAs ?? call)?.signature?.id;
    return signature === undefined
      ? []
      : [{ repository: place.file.split('/').at(-2) ?? '', group, isLesson, signature }];
  };
  const failures = [
    ...set.lessons.flatMap(({ id, evidence }) => evidence.flatMap((place) => toFailure(place, id, true))),
    ...set.others.flatMap((place) => toFailure(place, place.reason, false)),
  ];
  const pairs = [...Map.groupBy(failures, ({ repository }) => repository).values()].flatMap(toPairs);
  const ofLesson = pairs.filter(([a, b]) => a.isLesson && a.group === b.group);
  const sharing = pairs.filter(isSharing);
  const together = ofLesson.filter(isSharing).length;
  const right = sharing.filter(([a, b]) => a.isLesson === b.isLesson && a.group === b.group).length;
  return {
    failures: failures.length,
    pairsOfOneLesson: ofLesson.length,
    sharing: together,
    sharingShare: toShare(together, ofLesson.length),
    pairsThatShare: sharing.length,
    belonging: right,
    belongingShare: toShare(right, sharing.length),
  };
}

type Pair = readonly [Failure, Failure];

function isSharing([a, b]: Pair): boolean {
  return a.signature === b.signature;
}

function toPairs(failures: readonly Failure[]): readonly Pair[] {
  return failures.flatMap((a, i) => failures.slice(i + 1).map((b): Pair => [a, b]));
}
