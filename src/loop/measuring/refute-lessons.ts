/** Measure -> promote: calls that worked although a lesson speaks against them, and what follows for the lesson. */

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
  /** True when a lesson changed. */
  take(calls: readonly LiveCall[]): Promise<boolean>;
}

/** Remembers the lessons until one changes: this is asked at every call. */
export function makeRefuter(store: Store): Refuter {
  let stamp = '';
  let lessons: readonly Lesson[] = [];
  let joined = '';
  let toProjectId: ToProjectId = (id) => id;
  /** Those of the call that was asked about last: most are about other projects, and calls come in rows. */
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
  /** As it is in the store by now. */
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
  /** True when the lesson may no longer speak. */
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
      const telling = calls.filter(isTelling);
      if (telling.length === 0) return false;
      await refresh();
      let changed = false;
      for (const call of telling) {
        const atMs = Date.parse(call.occurredAt);
        for (const meant of listHere(call))
          if (mayCount(meant, call, atMs) && mayMatch(meant, call) && mayMove(meant.lesson, call))
            changed = (await hear(meant.lesson, call)) || changed;
      }
      return changed;
    },
  };
}

/** The newest of these that the lesson speaks at decides. */
const MAX_FAILURES = 20;

/** When the mistake was made since, as far as it is stored: calls are not told in the order in which they were made. */
async function findFailure(store: Store, lesson: Lesson, since: string): Promise<string | undefined> {
  const { signatureId: signature, scope } = lesson;
  if (signature === undefined) return undefined;
  const projectIds = scope.kind === 'project' && scope.id !== undefined ? { projectIds: [scope.id] } : {};
  const failed = await store.listFailedCalls({ signature, since, limit: MAX_FAILURES, ...projectIds });
  return failed.find((call) => !call.masked && firesOn(lesson, toFailed(call)))?.at;
}

function toFailed({ tool, rawTool, command }: FailedCall): RecordedCall & Pick<LiveCall, 'outcome'> {
  const what = tool === 'shell' ? { inputSummary: command } : { targetPath: command };
  return { tool: isToolName(tool) ? tool : 'other', rawTool, outcome: 'failure', ...what };
}

/** A call that we ourselves or the user held back says nothing. */
function isTelling({ outcome, masked }: LiveCall): boolean {
  return outcome === 'success' || (outcome === 'failure' && !masked);
}

function isSamePlace(a: LiveCall, b: LiveCall): boolean {
  return a.projectId === b.projectId && a.sessionId === b.sessionId;
}

/** A lesson with what is asked of it at every call. */
interface Meant {
  readonly lesson: Lesson;
  readonly absent: string | undefined;
  /** What a tool was given and what ran before is not told with a call. */
  readonly isTold: boolean;
  /** When the mistake was made last. */
  readonly failedMs: number;
  /** All that stands against it came later. */
  readonly isInOrder: boolean;
}

function toMeant(lesson: Lesson): Meant {
  const { input, session } = lesson.triggers;
  const { refutedBy = [] } = lesson.validity;
  const failedAt = findLastFailure(lesson);
  return {
    lesson,
    absent: findAbsentPath(lesson),
    isTold: input === undefined && session === undefined,
    failedMs: Date.parse(failedAt),
    isInOrder: listLaterRefutations(refutedBy, failedAt).length === refutedBy.length,
  };
}

/** Asked first, because it costs least: another failure says nothing, nor does what worked before the last one. */
function mayCount({ lesson, failedMs, isInOrder }: Meant, call: LiveCall, atMs: number): boolean {
  if (call.outcome === 'failure') return call.signature?.id === lesson.signatureId;
  return !isInOrder || !(Number.isNaN(atMs) || atMs <= failedMs);
}

/** Nobody is locked out, and nothing read, for what changes nothing. */
function mayMove(lesson: Lesson, call: LiveCall): boolean {
  const { callId, occurredAt: at } = call;
  if (call.outcome === 'failure') return firesOn(lesson, call) && clearLesson(lesson, at) !== undefined;
  const isAbout = firesOn(lesson, call) || contradicts(lesson, call);
  return isAbout && refuteLesson(lesson, { callId, at }) !== undefined;
}

/** Most calls are of other programs, and parsing is what costs. */
function mayMatch({ lesson, absent, isTold }: Meant, { tool, command = '', targetPath = '' }: LiveCall): boolean {
  const { triggers } = lesson;
  // Whatever tool had to do with it.
  if (absent !== undefined) return command.includes(absent) || targetPath.endsWith(absent);
  if (!isTold || (triggers.tools !== undefined && !triggers.tools.includes(tool))) return false;
  return mayHold(triggers, command);
}

/** Conditions on the speaker and the conversation must hold, too: a call that does not show them refutes nothing. */
function firesOn({ triggers }: Lesson, call: RecordedCall & Pick<LiveCall, 'outcome'>): boolean {
  const view = toRecordedView(call);
  return judgeTriggers(triggers, call.outcome === 'success' ? dropHidden(view) : view).holds;
}
