/**
 * Judges lessons in hindsight, on the stored calls that they were learned from: how many repeated failures they would
 * have warned of, and on how many calls that worked they would have fired. A back-test is stricter, because it tries a
 * lesson only on later sessions, but it replays every session; this takes a fraction of a second.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { StoredCall } from '../../base/model/call.ts';
import type { Cure } from '../../base/model/cure.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { makeToProjectId, type ToProjectId } from '../../base/model/project.ts';
import { toCallKey } from '../../base/model/session.ts';
import { makeFailureJudge } from '../../base/statistics/failure-ledger.ts';
import { listUnstored } from '../../base/triggers/trigger-parts.ts';
import { isAbout } from '../../match/cure-book.ts';
import { isHit, listFired, toAuditCalls } from '../checks/audit-lessons.ts';

export interface Hindsight {
  /** Stored calls on which the lessons were tried: the newest ones whose text is still stored. */
  readonly calls: number;
  /** Older calls were not tried. */
  readonly isCut: boolean;
  /** How many of these repeated an earlier failure. */
  readonly repeats: number;
  /** Repeats on which a lesson about this failure fires. */
  readonly warned: number;
  /** The other repeats at which the agent would have read a known fix with the error, because an earlier session found it. */
  readonly fixed: number;
  /** Calls that worked, although a lesson fires on them. */
  readonly falseAlarms: number;
  /** The lessons that fire on any of these calls, those that would have warned most often first. */
  readonly lessons: readonly HindsightLesson[];
}

interface HindsightLesson extends Pick<Lesson, 'id' | 'slug' | 'summary'> {
  readonly warned: number;
  readonly falseAlarms: number;
}

/** Maximum number of calls, so that the answer takes a second in the largest stores, too. */
const MAX_CALLS = 20_000;

export async function readHindsight(store: Store): Promise<Hindsight> {
  const stored = await store.listCalls({ limit: MAX_CALLS });
  const lessons = await store.listLessons({ status: 'active' });
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const past = toAuditCalls(stored, stored.length < MAX_CALLS).filter(({ isBlank }) => isBlank !== true);
  const repeated = listRepeats(stored, toProjectId);
  const isFixed = makeIsFixed(await store.listCures(), toProjectId);
  const [warned, falseAlarms] = [new Set<string>(), new Set<string>()];
  const judged = lessons.map((lesson) => {
    // Stored calls lack what this trigger asks for.
    const fired = listUnstored(lesson.triggers).length > 0 ? [] : listFired(lesson, past, toProjectId);
    const right = fired.filter((call) => repeated.has(call.key) && isHit(lesson, call));
    const wrong = fired.filter(hasWorked);
    for (const { key } of right) warned.add(key);
    for (const { key } of wrong) falseAlarms.add(key);
    const { id, slug, summary } = lesson;
    return { id, slug, summary, warned: right.length, falseAlarms: wrong.length };
  });
  return {
    calls: past.length,
    isCut: stored.length === MAX_CALLS,
    repeats: past.filter(({ key }) => repeated.has(key)).length,
    warned: warned.size,
    fixed: stored.filter((call) => repeated.has(toCallKey(call)) && !warned.has(toCallKey(call)) && isFixed(call))
      .length,
    falseAlarms: falseAlarms.size,
    lessons: judged
      .filter((one) => one.warned + one.falseAlarms > 0)
      .sort((a, b) => b.warned - a.warned || a.falseAlarms - b.falseAlarms),
  };
}

function listRepeats(calls: readonly StoredCall[], toProjectId: ToProjectId): ReadonlySet<string> {
  const judge = makeFailureJudge();
  return new Set(
    calls.flatMap((call) => {
      const placed = { ...call, projectId: toProjectId(call.projectId), signatureId: call.signature?.id };
      return judge(placed)?.isRepeat ? [toCallKey(call)] : [];
    }),
  );
}

/** Whether another session of the project had found a fix of this failure before the call. */
function makeIsFixed(cures: readonly Cure[], toProjectId: ToProjectId): (call: StoredCall) => boolean {
  const toKey = (projectId: string, signatureId: string): string => `${toProjectId(projectId)}\n${signatureId}`;
  const known = Map.groupBy(cures, ({ projectId, signatureId }) => toKey(projectId, signatureId));
  return ({ projectId, signature, occurredAt, sessionId, inputSummary }) =>
    (known.get(toKey(projectId, signature?.id ?? '')) ?? []).some(
      (cure) => cure.at < occurredAt && cure.sessionId !== sessionId && isAbout(cure, inputSummary),
    );
}
