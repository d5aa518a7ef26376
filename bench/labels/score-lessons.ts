/**
 * Which labels a set of lessons earns. A lesson earns at most one label: the one that has most of its labelled evidence,
 * and only if its trigger fires on one of the label's calls. A lesson is wrong if most of its labelled evidence is at
 * calls that are labelled as no lesson.
 */
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toCallView } from '../../src/base/triggers/call-view.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import type { FindLabel, LabelSet, LessonLabel, Place } from './label-set.ts';
import type { PastCall, PastCalls } from './past-calls.ts';

export function scoreLessons(set: LabelSet, lessons: readonly Lesson[], past: PastCalls) {
  const [found, active] = [new Set<string>(), new Set<string>()];
  const wrong: Lesson[] = [];
  let [labelled, silent] = [0, 0];
  for (const lesson of lessons) {
    const credit = toCredit(listPlaces(lesson), set.find);
    if (credit === undefined) continue;
    labelled++;
    if (credit.isWrong) wrong.push(lesson);
    else if (credit.label !== undefined && firesAtLabel(lesson, credit.label, past)) {
      found.add(credit.label.id);
      if (lesson.status === 'active') active.add(credit.label.id);
    } else silent++;
  }
  const pairs = set.lessons.filter(({ byPair }) => byPair);
  return {
    labels: set.lessons.length,
    found: found.size,
    foundActive: active.size,
    pairs: pairs.length,
    foundPairs: pairs.filter(({ id }) => found.has(id)).length,
    lessons: lessons.length,
    active: lessons.filter(({ status }) => status === 'active').length,
    drafts: lessons.filter(({ status }) => status === 'draft').length,
    labelled,
    wrong: wrong.length,
    /** By the detector, and by the reason why the first labelled call of each teaches nothing. */
    wrongByProposer: count(wrong.map(({ origin }) => origin.by)),
    wrongByReason: count(wrong.map((lesson) => findReason(set, lesson))),
    /** Its evidence is right, and its trigger does not fire on the labelled call. */
    silent,
  };
}

function findReason(set: LabelSet, lesson: Lesson): string {
  const reasons = listPlaces(lesson).map((place) => set.find(place)?.reason);
  return reasons.find((reason) => reason !== undefined) ?? '';
}

function count(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

interface Credit {
  readonly label: LessonLabel | undefined;
  readonly isWrong: boolean;
}

/** Undefined where none of the places has a label. */
export function toCredit(places: readonly Place[], find: FindLabel): Credit | undefined {
  const hits = places.flatMap((place) => find(place) ?? []);
  if (hits.length === 0) return undefined;
  const groups = Map.groupBy(hits, ({ lesson }) => lesson);
  const isWrong = (groups.get(undefined)?.length ?? 0) > hits.length / 2;
  groups.delete(undefined);
  const [label] = [...groups].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  return { label: isWrong ? undefined : label, isWrong };
}

/** The failed calls that a lesson was learned from. */
export function listPlaces({ evidence }: Lesson): readonly Place[] {
  return evidence.flatMap(({ file, lines }) =>
    file === undefined || lines === undefined ? [] : [{ file, line: lines[0] }],
  );
}

function firesAtLabel(lesson: Lesson, label: LessonLabel, past: PastCalls): boolean {
  return label.evidence.some((place) => {
    const call = past.find(place);
    return call !== undefined && firesAt(lesson, call);
  });
}

/** A known fix is shown with the error of a call that fails in the same way. */
export function firesAt({ triggers, signatureId }: Lesson, { step, projectId }: PastCall): boolean {
  if (triggers.failure === true) return (step.endedAs ?? step.call)?.signature?.id === signatureId;
  return step.asked !== undefined && judgeTriggers(triggers, toCallView(step.asked, projectId)).holds;
}
