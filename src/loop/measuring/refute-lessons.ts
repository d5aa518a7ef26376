/** Measure -> promote: finds calls that worked although a lesson fires on them, and updates the lesson. */

import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { isInScope } from '../../base/model/lesson-scope.ts';
import { findLastFailure, listLaterRefutations } from '../../base/model/lesson-trust.ts';
import { makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { isToolName } from '../../base/model/tool.ts';
import type { FailedCall } from '../../base/statistics/failures.ts';
import { dropHidden, type RecordedCall, toRecordedView } from '../../base/triggers/call-view.ts';
import { mayHold } from '../../base/triggers/may-hold.ts';
import { contradicts, findAbsentPath } from '../../distill/gate/contradicts.ts';
import { judgeTriggers } from '../../keep/manifest/compiled-triggers.ts';
import { clearLesson, isRefutable, refuteLesson } from '../../promote/outdated-lessons.ts';

const BY = 'promote/refute-lesson';

type Decide = (lesson: Lesson) => Lesson | undefined;

interface Refuter {
  /** Returns true if a lesson changed. */
  take(calls: readonly LiveCall[]): Promise<boolean>;
}

/** Caches the lessons until one changes, because every call asks. */
export function makeRefuter(store: Store): Refuter {
  let stamp = '';
  let lessons: readonly Lesson[] = [];
  let joined = '';
  let toProjectId: ToProjectId = (id) => id;
  /** The lessons for the place of the last call, because consecutive calls are mostly of one project. */
  let here: { readonly call: LiveCall; readonly of: readonly Lesson[]; readonly found: readonly Meant[] } | undefined;
  const listHere = (call: LiveCall): readonly Meant[] => {
    if (here?.of === lessons && isSamePlace(here.call, call)) return here.found;
    const found = lessons.filter(({ scope }) => isInScope(scope, call, toProjectId)).map(toMeant);
    here = { call, of: lessons, found };
    return here.found;
  };
  const refresh = async (): Promise<void> => {
    const now = await store.readLessonStamp();
    if (now !== stamp) lessons = (await store.listLessons()).filter(isRefutable);
    stamp = now;
    const aliases = await store.listProjectAliases();
    const text = JSON.stringify(aliases);
    if (text !== joined) here = undefined;
    joined = text;
    toProjectId = makeToProjectId(aliases);
  };
  /** Returns the lesson as it is in the store now. */
  const save = async (lesson: Lesson, decide: Decide, reason: string): Promise<Lesson | undefined> => {
    const [after] = await store.updateLessons([lesson.id], ([now]) => {
      const moved = now !== undefined && isRefutable(now) ? decide(now) : undefined;
      return moved === undefined ? [] : [{ lesson: moved, change: { by: BY, reason, at: moved.updatedAt } }];
    });
    if (after === undefined) return undefined;
    lessons = lessons.flatMap((one) => (one.id !== after.id ? [one] : isRefutable(after) ? [after] : []));
    stamp = await store.readLessonStamp();
    return after;
  };
  /** Returns true if the lesson may no longer fire. */
  const hear = async (lesson: Lesson, call: LiveCall): Promise<boolean> => {
    const isAgain = call.outcome === 'failure';
    const { callId, occurredAt: at } = call;
    const failedAt = isAgain ? undefined : await findFailure(store, lesson, at);
    const decide = (one: Lesson): Lesson | undefined =>
      isAgain ? clearLesson(one, at) : refuteLesson(one, { callId, at, failedAt });
    const after = await save(lesson, decide, isAgain ? 'the mistake was made again' : 'a call like it worked');
    return after !== undefined && after.status !== lesson.status;
  };
  return {
    async take(calls) {
      const evidence = calls.filter(isEvidence);
      if (evidence.length === 0) return false;
      await refresh();
      let changed = false;
      for (const call of evidence) {
        const atMs = Date.parse(call.occurredAt);
        for (const meant of listHere(call))
          if (mayCount(meant, call, atMs) && mayMatch(meant, call) && mayMove(meant.lesson, call))
            changed = (await hear(meant.lesson, call)) || changed;
      }
      return changed;
    },
  };
}

/** Number of recent failures to search for the newest one on which the lesson fires. */
const MAX_FAILURES = 20;

/** When the mistake was made after `since`, because calls may arrive out of order. */
async function findFailure(store: Store, lesson: Lesson, since: string): Promise<string | undefined> {
  const { signatureId, scope } = lesson;
  if (signatureId === undefined) return undefined;
  const projectIds = scope.kind === 'project' && scope.id !== undefined ? { projectIds: [scope.id] } : {};
  const failed = await store.listFailedCalls({
    signatures: [signatureId],
    since,
    limit: MAX_FAILURES,
    ...projectIds,
  });
  return failed.find((call) => !call.masked && firesOn(lesson, toFailed(call)))?.at;
}

function toFailed({ tool, rawTool, command }: FailedCall): RecordedCall & Pick<LiveCall, 'outcome'> {
  const what = tool === 'shell' ? { inputSummary: command } : { targetPath: command };
  return { tool: isToolName(tool) ? tool : 'other', rawTool, outcome: 'failure', ...what };
}

/** A call that Oncebitten or the user refused proves nothing. */
function isEvidence({ outcome, masked }: LiveCall): boolean {
  return outcome === 'success' || (outcome === 'failure' && !masked);
}

function isSamePlace(a: LiveCall, b: LiveCall): boolean {
  return a.projectId === b.projectId && a.sessionId === b.sessionId;
}

/** A lesson with the facts that every call needs. */
interface Meant {
  readonly lesson: Lesson;
  readonly absent: string | undefined;
  /** True if its triggers need nothing that a stored call lacks (tool input, earlier calls). */
  readonly isStored: boolean;
  /** Time of the last mistake. */
  readonly failedMs: number;
  /** All refuting calls came later than the last mistake. */
  readonly isInOrder: boolean;
}

function toMeant(lesson: Lesson): Meant {
  const { input, session } = lesson.triggers;
  const { refutedBy = [] } = lesson.validity;
  const failedAt = findLastFailure(lesson);
  return {
    lesson,
    absent: findAbsentPath(lesson),
    isStored: input === undefined && session === undefined,
    failedMs: Date.parse(failedAt),
    isInOrder: listLaterRefutations(refutedBy, failedAt).length === refutedBy.length,
  };
}

/** The cheapest check: other failures and successes before the last mistake prove nothing. */
function mayCount({ lesson, failedMs, isInOrder }: Meant, call: LiveCall, atMs: number): boolean {
  if (call.outcome === 'failure') return call.signature?.id === lesson.signatureId;
  return !isInOrder || !(Number.isNaN(atMs) || atMs <= failedMs);
}

/** Avoids a transaction for a call that cannot change the lesson. */
function mayMove(lesson: Lesson, call: LiveCall): boolean {
  const { callId, occurredAt: at } = call;
  if (call.outcome === 'failure') return firesOn(lesson, call) && clearLesson(lesson, at) !== undefined;
  const isAbout = firesOn(lesson, call) || contradicts(lesson, call);
  return isAbout && refuteLesson(lesson, { callId, at }) !== undefined;
}

/** A cheap text check, because most calls are of other programs and parsing is expensive. */
function mayMatch({ lesson, absent, isStored }: Meant, { tool, command = '' }: LiveCall): boolean {
  const { triggers } = lesson;
  // For a missing path, any tool counts.
  if (absent !== undefined) return tool !== 'shell' || command.includes(absent);
  if (!isStored || (triggers.tools !== undefined && !triggers.tools.includes(tool))) return false;
  return mayHold(triggers, command);
}

/** Conditions on the speaker and the conversation must hold, too: a call that does not show them refutes nothing. */
function firesOn({ triggers }: Lesson, call: RecordedCall & Pick<LiveCall, 'outcome'>): boolean {
  const view = toRecordedView(call);
  return judgeTriggers(triggers, call.outcome === 'success' ? dropHidden(view) : view).holds;
}
