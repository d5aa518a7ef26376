/**
 * How much the help of a replay was worth: which avoidable failures it reached, how many warnings and cures were right.
 * The same function judges the product and the baselines, so their figures can be compared.
 */

import { toReferenceProgram } from '../../src/measure/frozen-measures.ts';
import type { FindLabel, LabelSet, LessonLabel, Place } from './label-set.ts';
import type { PastCall, PastCalls } from './past-calls.ts';
import { type ReferenceEdit, toReferenceEdit } from './reference.ts';
import { toCredit } from './score-lessons.ts';

/** One delivery of a replay. */
export interface Help {
  /** `warning`: shown before the call. `cure`: shown with the failure of the call. */
  readonly kind: 'warning' | 'cure';
  readonly call: PastCall;
  /** The failed calls that taught it. */
  readonly places: readonly Place[];
  /** The frozen signatures of the failures that taught it. */
  readonly references: readonly string[];
  /** A warning that also fires on this working call is contradicted by it. */
  readonly fires?: (call: PastCall) => boolean;
  readonly cure?: Cure;
}

/** The words of the edit that a cure tells, or what else it says to do. */
export interface Cure extends ReferenceEdit {
  /** The program or tool to run first. */
  readonly first?: string;
  /** What to change inside a quoted text, which is one word for the reference edit. */
  readonly inText?: ReferenceEdit;
  /** The folder to run it in. */
  readonly folder?: string;
  /** The parameter of the tool to change. */
  readonly parameter?: string;
  /** The tool to use instead: the shell, or another one. */
  readonly tool?: 'shell' | 'other';
}

export function judgeHelp(set: LabelSet, past: PastCalls, help: readonly Help[]) {
  return {
    ...judgeReached(set, past, help),
    warnings: judgeWarnings(set, past, help),
    cures: judgeCures(set, past, help),
  };
}

interface Avoidable {
  readonly label: LessonLabel;
  readonly calls: readonly (PastCall | undefined)[];
}

/** Of each label, its failures in later sessions than the first one. Undefined for a call that we did not see. */
function listAvoidable(set: LabelSet, past: PastCalls): readonly Avoidable[] {
  return set.lessons.flatMap((label) => {
    const seen = label.evidence.map((place) => ({ place, call: past.find(place) }));
    const first = seen.flatMap(({ call }) => call ?? []).sort((a, b) => a.index - b.index)[0];
    const later = seen.filter(
      ({ place, call }) => (call?.session ?? place.file) !== (first?.session ?? seen[0]?.place.file),
    );
    return later.length === 0 ? [] : [{ label, calls: later.map(({ call }) => call) }];
  });
}

function judgeReached(set: LabelSet, past: PastCalls, help: readonly Help[]) {
  const bySession = Map.groupBy(help, ({ call }) => call.session);
  const isReachedBy = (kinds: readonly Help['kind'][], label: LessonLabel, call: PastCall | undefined): boolean =>
    call !== undefined &&
    (bySession.get(call.session) ?? []).some(
      (one) =>
        kinds.includes(one.kind) &&
        isInTime(one, call) &&
        isAbout(one, label, set.find) &&
        !isContradicted(one, call, past),
    );
  const avoidable = listAvoidable(set, past);
  const all = avoidable.flatMap(({ label, calls }) => calls.map((call) => ({ label, call })));
  const toMean = (share: (one: Avoidable) => number): number =>
    avoidable.length === 0 ? 0 : avoidable.reduce((sum, one) => sum + share(one), 0) / avoidable.length;
  const isReached = (label: LessonLabel, call: PastCall | undefined) => isReachedBy(['warning', 'cure'], label, call);
  return {
    avoidable: all.length,
    reached: all.filter(({ label, call }) => isReached(label, call)).length,
    reachedBefore: all.filter(({ label, call }) => isReachedBy(['warning'], label, call)).length,
    labelsWithLater: avoidable.length,
    meanPerLabel: toMean(({ label, calls }) => calls.filter((call) => isReached(label, call)).length / calls.length),
  };
}

/** A warning counts for the rest of its session, a cure for the failure that it came with and those after it. */
function isInTime({ call }: Help, failed: PastCall): boolean {
  return call.index <= failed.index;
}

/** Only what earlier sessions taught counts. */
function isAbout({ call, places }: Help, label: LessonLabel, find: FindLabel): boolean {
  return (
    toCredit(
      places.filter(({ file }) => file !== call.session),
      find,
    )?.label === label
  );
}

function isContradicted({ fires, cure }: Help, failed: PastCall, past: PastCalls): boolean {
  const fix = past.findFix(failed);
  if (fix === undefined) return false;
  if (cure !== undefined) return cure.first === undefined && !isConfirmed(cure, failed, fix, past);
  return fires?.(fix) === true;
}

/** The working call makes the edit: all of its words, or the program that the cure names ran before it. */
function isConfirmed(cure: Cure, failed: PastCall, fix: PastCall, past: PastCalls): boolean {
  if (cure.first !== undefined)
    return (
      // The next working call may be the reading itself, because it has the same object.
      fix.tool === cure.first ||
      past.listBetween(failed, fix).some((one) => one.tool === cure.first || toReferenceProgram(one) === cure.first)
    );
  if (cure.inText !== undefined) return isChangedIn(cure.inText, failed, fix);
  if (cure.folder !== undefined) return isMovedTo(cure.folder, failed, fix, past);
  if (cure.parameter !== undefined)
    return failed.tool === fix.tool && failed.parameters?.[cure.parameter] !== fix.parameters?.[cure.parameter];
  if (cure.tool !== undefined) return fix.tool !== failed.tool && (fix.tool === 'shell') === (cure.tool === 'shell');
  const edit = toReferenceEdit(failed, fix);
  const isIn = (some: readonly string[], words: readonly string[]): boolean =>
    some.every((word) => words.includes(word));
  return (
    cure.removed.length + cure.added.length > 0 && isIn(cure.removed, edit.removed) && isIn(cure.added, edit.added)
  );
}

/** The working line has what the cure adds and lacks what it leaves out, and the failed line does not do so already. */
function isChangedIn({ removed, added }: ReferenceEdit, failed: PastCall, fix: PastCall): boolean {
  const [before, after] = [failed, fix].map(({ command = '' }) => command.replaceAll(/\s/g, ''));
  const isDone = (line = ''): boolean =>
    line !== '' &&
    removed.every((text) => !line.includes(text.replaceAll(' ', ''))) &&
    added.every((text) => line.includes(text.replaceAll(' ', '')));
  return isDone(after) && !isDone(before);
}

/** The working call, or a call before it, went to a folder of this name. */
function isMovedTo(folder: string, failed: PastCall, fix: PastCall, past: PastCalls): boolean {
  const name = folder.split('/').at(-1) ?? '';
  const isThere = (path: string): boolean => path.replace(/\/+$/, '').split('/').at(-1) === name;
  const lines = [...past.listBetween(failed, fix), fix].map(({ command = '' }) => command);
  const moves = lines.flatMap((line) => [...line.matchAll(/\bcd\s+["']?([^\s"';&|]+)/g)]);
  const [from, to] = [failed, fix].map(({ step }) => step.call?.cwd ?? '');
  return moves.some(([, path = '']) => isThere(path)) || (from !== to && isThere(to ?? ''));
}

/** A warning is right if the call fails for its cause. A call whose outcome is hidden tells nothing. */
function judgeWarnings(set: LabelSet, past: PastCalls, help: readonly Help[]) {
  const warnings = help.filter(({ kind }) => kind === 'warning');
  const judged = warnings
    .filter(({ call }) => call.hasFailed || (call.hasWorked && !call.isHidden))
    .map((one) => ({ one, isRight: isRightWarning(one, set) }));
  const projects = [...Map.groupBy(judged, ({ one }) => one.call.session.split('/').at(-2)).values()];
  const shares = projects
    .filter((all) => all.length >= MANY)
    .map((all) => all.filter(({ isRight }) => isRight).length / all.length);
  return {
    delivered: warnings.length,
    judged: judged.length,
    right: judged.filter(({ isRight }) => isRight).length,
    per100Calls: past.all.length === 0 ? 0 : (100 * warnings.length) / past.all.length,
    worstProject: Math.min(1, ...shares),
  };
}

/** Deliveries from which a project's share says something. */
const MANY = 10;

function isRightWarning({ call, places, references }: Help, { find }: LabelSet): boolean {
  if (!call.hasFailed) return false;
  if (call.reference !== undefined && references.includes(call.reference)) return true;
  const label = find(call.place)?.lesson;
  return label !== undefined && toCredit(places, find)?.label === label;
}

/** Right: the next working call of the same reference intent makes the very edit. */
function judgeCures(set: LabelSet, past: PastCalls, help: readonly Help[]) {
  const cures = help.filter(({ kind }) => kind === 'cure');
  const followed = cures.flatMap(({ call, cure }) => {
    const fix = past.findFix(call);
    return fix === undefined || cure === undefined ? [] : [{ isRight: isConfirmed(cure, call, fix, past) }];
  });
  const labelled = cures.flatMap(({ call }) => set.find(call.place) ?? []);
  return {
    delivered: cures.length,
    followed: followed.length,
    right: followed.filter(({ isRight }) => isRight).length,
    labelled: labelled.length,
    atNonLessons: labelled.filter(({ lesson }) => lesson === undefined).length,
  };
}
