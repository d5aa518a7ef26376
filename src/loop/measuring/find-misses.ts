/**
 * Measure: failures that nobody warned of although an active lesson about them was there (E1), and why not. What only the
 * hook knows it has told; the rest is found by asking the matcher again. A lesson that was withheld on purpose is no miss,
 * and neither is one that stands in a file of the project. Of a lesson that knows no failure the deed itself is the mistake.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Delivery, MissedOpportunity, MissReason, UnsaidOf } from '../../base/model/delivery.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { isAboutDeed, isVouchedFor } from '../../base/model/lesson-trust.ts';
import { makeToProjectId } from '../../base/model/project.ts';
import type { Settings } from '../../base/model/settings.ts';
import { listLangTags } from '../../base/model/skill.ts';
import { scoreLesson } from '../../match/match-lessons.ts';
import { toMeasuredFactor } from '../../measure/delivery-share.ts';
import { isProcedure } from '../../measure/procedure.ts';
import { firesAt } from '../learning/past-calls.ts';
import { listStanding } from '../promoted-lessons.ts';

interface MissFinder {
  /** True when a lesson that was thought to be followed was not: it has to speak again. */
  take(calls: readonly LiveCall[]): Promise<boolean>;
}

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
}

/** Active ones. */
interface Known {
  readonly bySignature: ReadonlyMap<string, readonly Lesson[]>;
  /** The ids of those that know no failure. */
  readonly aboutDeeds: ReadonlySet<string>;
}

/** What is known of one session. */
interface Heard {
  readonly deliveries: readonly Delivery[];
  readonly unsaid: readonly UnsaidOf[];
}

/** One failure, and all lessons about it. */
interface Case {
  readonly call: LiveCall;
  readonly lessons: readonly Lesson[];
  /** What was said, or withheld, before it: in any conversation of the session. */
  readonly before: readonly Delivery[];
  readonly unsaid: readonly UnsaidOf[];
}

/** Remembers which failures have lessons until one changes: this is asked at every call. */
export function makeMissFinder(parts: Parts): MissFinder {
  const { store } = parts;
  let stamp: string | undefined;
  let known: Known = { bySignature: new Map(), aboutDeeds: new Set() };
  const refresh = async (): Promise<void> => {
    const now = await store.readLessonStamp();
    if (now === stamp) return;
    known = toKnown(await store.listLessons({ status: 'active' }));
    stamp = now;
  };
  return {
    async take(calls) {
      const done = calls.filter(isDone);
      if (done.length === 0) return false;
      await refresh();
      const missed: MissedOpportunity[] = [];
      for (const [, ofSession] of Map.groupBy(done, ({ agent, sessionId }) => `${agent}\n${sessionId}`))
        missed.push(...(await findInSession(parts, known, ofSession)));
      await store.saveMissed(missed);
      return missed.some(({ reason }) => reason === 'quiet');
    },
  };
}

function toKnown(active: readonly Lesson[]): Known {
  const about = active.filter((lesson) => !isAboutDeed(lesson));
  return {
    bySignature: Map.groupBy(about, ({ signatureId }) => signatureId ?? ''),
    // What a procedure fires on is an occasion, no mistake that somebody could have warned of.
    aboutDeeds: new Set(active.filter((lesson) => isAboutDeed(lesson) && !isProcedure(lesson)).map(({ id }) => id)),
  };
}

function isDone({ outcome }: LiveCall): boolean {
  return outcome !== 'cancelled' && outcome !== 'denied';
}

async function findInSession(
  parts: Parts,
  { bySignature, aboutDeeds }: Known,
  calls: readonly LiveCall[],
): Promise<readonly MissedOpportunity[]> {
  const failures = calls.filter((call) => isTelling(call) && bySignature.has(call.signature?.id ?? ''));
  if (failures.length === 0 && aboutDeeds.size === 0) return [];
  const [{ agent, sessionId } = { agent: '', sessionId: '' }] = calls;
  const unsaid = await parts.store.listUnsaid({ agent, sessionId });
  const deliveries = failures.length === 0 ? [] : await parts.store.listDeliveries({ agent, sessionId });
  const missed = findDeeds(calls, unsaid, aboutDeeds);
  for (const call of failures) {
    const lessons = bySignature.get(call.signature?.id ?? '') ?? [];
    missed.push(...(await findMisses(parts, toCase(call, lessons, { deliveries, unsaid }))));
  }
  return missed;
}

/** That a hidden exit code was a failure is likely, not certain. */
function isTelling({ outcome, masked, signature }: LiveCall): boolean {
  return outcome === 'failure' && !masked && signature !== undefined;
}

function toCase(call: LiveCall, lessons: readonly Lesson[], { deliveries, unsaid }: Heard): Case {
  const before = deliveries.filter(({ kind, deliveredAt }) => kind === 'call' && deliveredAt <= call.occurredAt);
  return { call, lessons, before, unsaid: unsaid.filter(({ callId }) => callId === call.callId) };
}

/** What a quiet lesson warns of was done: the hook has told that it would have spoken. */
function findDeeds(
  calls: readonly LiveCall[],
  unsaid: readonly UnsaidOf[],
  aboutDeeds: ReadonlySet<string>,
): MissedOpportunity[] {
  const quiet = unsaid.filter(({ reason, lessonId }) => reason === 'quiet' && aboutDeeds.has(lessonId));
  return quiet.flatMap(({ callId, lessonId }) => {
    const call = calls.find((one) => one.callId === callId);
    return call === undefined ? [] : [toMissed(call, lessonId, 'quiet')];
  });
}

async function findMisses(parts: Parts, one: Case): Promise<readonly MissedOpportunity[]> {
  const { call, lessons, before } = one;
  const isHere = await makeIsHere(parts.store, call);
  const standing = await listStandingIds(parts.store, one);
  const said = before.filter((delivery) => delivery.contextId === call.contextId || delivery.arm === 'holdout');
  const warned = new Set([...standing, ...said.map(({ lessonId }) => lessonId)]);
  const isWarned = lessons.some(({ id }) => warned.has(id));
  const missed: MissedOpportunity[] = [];
  for (const now of lessons) {
    // Learned from this very failure, or from what came later.
    if (warned.has(now.id) || now.createdAt >= call.occurredAt || !isHere(now)) continue;
    const lesson = await parts.store.findLessonAt(now.id, call.occurredAt);
    if (lesson?.status !== 'active') continue;
    const told = findToldReason(lesson, one);
    // With another one whoever failed was warned. But what is thought to be followed was not: it has to speak again.
    if (isWarned && told !== 'quiet') continue;
    missed.push(toMissed(call, now.id, told ?? (await findReason(parts, lesson, one))));
  }
  return missed;
}

function toMissed(call: LiveCall, lessonId: string, reason: MissReason): MissedOpportunity {
  const { agent, sessionId, contextId, callId, projectId, occurredAt: at } = call;
  return { agent, sessionId, contextId, callId, projectId, lessonId, reason, at };
}

async function makeIsHere(store: Store, { projectId, sessionId }: LiveCall): Promise<(lesson: Lesson) => boolean> {
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  return ({ scope }) => {
    if (scope.kind === 'user' || scope.kind === 'team' || scope.id === undefined) return true;
    if (scope.kind === 'session') return scope.id === sessionId;
    return toProjectId(scope.id) === toProjectId(projectId);
  };
}

/** The lessons that the agent reads in a file of this project. */
async function listStandingIds(store: Store, { call, lessons }: Case): Promise<readonly string[]> {
  const ids = new Set(lessons.map(({ id }) => id));
  const standing = await listStanding(store, ({ lessonId, at }) => ids.has(lessonId) && at <= call.occurredAt);
  if (standing.length === 0) return [];
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const here = toProjectId(call.projectId);
  return standing.filter(({ projectId }) => toProjectId(projectId) === here).map(({ lessonId }) => lessonId);
}

/** Of this lesson, or of all. */
function findToldReason({ id }: Lesson, { unsaid }: Case): MissReason | undefined {
  const told = unsaid.find(({ lessonId }) => lessonId === id) ?? unsaid.find(({ lessonId }) => lessonId === '');
  return told?.reason;
}

async function findReason(parts: Parts, lesson: Lesson, { call, before }: Case): Promise<MissReason> {
  if (!firesAt(lesson, call)) return 'trigger';
  if (await isWeak(parts, lesson)) return 'threshold';
  const isElsewhere = before.some(({ lessonId }) => lessonId === lesson.id);
  return parts.settings.dedup === 'session' && isElsewhere ? 'dedup' : 'off';
}

async function isWeak({ store, settings }: Parts, lesson: Lesson): Promise<boolean> {
  const { confidence, priority, needsReview, triggers } = lesson;
  if (needsReview || priority < settings.minPriority) return true;
  if (isVouchedFor(lesson)) return false;
  if (confidence < settings.minConfidence) return true;
  const record = (await store.listTrackRecords()).find(({ lessonId }) => lessonId === lesson.id);
  const measured = record && toMeasuredFactor(record);
  const { parts, total } = scoreLesson({
    ...{ triggers, priority, langs: listLangTags(lesson) },
    ...(measured === undefined ? {} : { measured }),
  });
  return parts.priority < 2 && total < settings.minScore;
}
