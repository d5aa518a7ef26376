/**
 * Finds missed opportunities: failures before which no agent was told an active lesson about them, and why. The hook has
 * recorded the reasons that only it knows; the rest follows from asking `may-fire.ts` again. A lesson that was withheld on
 * purpose is not missed, and neither is one that a file of the project contains. Of a lesson that is about no failure, the
 * deed itself is the mistake.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { CallSkip, Delivery, MissedOpportunity, MissReason } from '../../base/model/delivery.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { isAboutAction } from '../../base/model/lesson-trust.ts';
import { findSilence, type Silence, toFiring, type Weight } from '../../base/model/may-fire.ts';
import { makeToProjectId, type ProjectAlias } from '../../base/model/project.ts';
import { toSessionKey } from '../../base/model/session.ts';
import type { Settings } from '../../base/model/settings.ts';
import { listWeighingLangs } from '../../base/model/skill.ts';
import { listFiring } from '../../keep/manifest/compile-manifest.ts';
import { scoreLesson } from '../../match/match-lessons.ts';
import { findMeasuredFactor } from '../../measure/delivery-share.ts';
import { isProcedure } from '../../measure/procedure.ts';
import { findStacks } from '../compile-lessons.ts';
import { firesAt } from '../learning/past-calls.ts';
import { listStanding } from '../promoted-lessons.ts';

interface MissFinder {
  /** Returns true if a lesson that was quiet, because agents followed it, was not followed: it must fire again. */
  take(calls: readonly LiveCall[]): Promise<boolean>;
}

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
}

/** The active lessons. */
interface Known {
  readonly bySignature: ReadonlyMap<string, readonly Lesson[]>;
  /** Ids of lessons about a deed, which name no failure. */
  readonly aboutDeeds: ReadonlySet<string>;
}

/** One failure with all lessons about it. */
interface Case {
  readonly call: LiveCall;
  readonly lessons: readonly Lesson[];
  /** Earlier deliveries, shown or withheld, in any conversation of the session. */
  readonly before: readonly Delivery[];
  readonly skipped: readonly CallSkip[];
}

/** Caches which failures have lessons until a lesson changes, because every call asks. */
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
      for (const [, ofSession] of Map.groupBy(done, toSessionKey))
        missed.push(...(await findInSession(parts, known, ofSession)));
      await store.saveMissed(missed);
      return missed.some(({ reason }) => reason === 'quiet');
    },
  };
}

function toKnown(active: readonly Lesson[]): Known {
  const about = active.filter((lesson) => !isAboutAction(lesson));
  return {
    bySignature: Map.groupBy(about, ({ signatureId }) => signatureId ?? ''),
    // A procedure fires on an occasion, which is not a mistake that could be missed.
    aboutDeeds: new Set(active.filter((lesson) => isAboutAction(lesson) && !isProcedure(lesson)).map(({ id }) => id)),
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
  const failures = calls.filter((call) => isCertainFailure(call) && bySignature.has(call.signature?.id ?? ''));
  if (failures.length === 0 && aboutDeeds.size === 0) return [];
  const [{ agent, sessionId } = { agent: '', sessionId: '' }] = calls;
  const skipped = await parts.store.listSkipped({ agent, sessionId });
  const deliveries = failures.length === 0 ? [] : await parts.store.listDeliveries({ agent, sessionId });
  const missed = findDeeds(calls, skipped, aboutDeeds);
  for (const call of failures) {
    const lessons = bySignature.get(call.signature?.id ?? '') ?? [];
    const before = deliveries.filter(({ kind, deliveredAt }) => kind === 'call' && deliveredAt <= call.occurredAt);
    const own = skipped.filter(({ callId }) => callId === call.callId);
    missed.push(...(await findMisses(parts, { call, lessons, before, skipped: own })));
  }
  return missed;
}

/** A masked failure is only likely, so it does not count. */
function isCertainFailure({ outcome, masked, signature }: LiveCall): boolean {
  return outcome === 'failure' && !masked && signature !== undefined;
}

/** Deeds that a quiet lesson warns of; the hook recorded that the lesson matched. */
function findDeeds(
  calls: readonly LiveCall[],
  skipped: readonly CallSkip[],
  aboutDeeds: ReadonlySet<string>,
): MissedOpportunity[] {
  const quiet = skipped.filter(({ reason, lessonId }) => reason === 'quiet' && aboutDeeds.has(lessonId));
  return quiet.flatMap(({ callId, lessonId }) => {
    const call = calls.find((one) => one.callId === callId);
    return call === undefined ? [] : [toMissed(call, lessonId, 'quiet')];
  });
}

async function findMisses(parts: Parts, one: Case): Promise<readonly MissedOpportunity[]> {
  const { call, lessons, before } = one;
  const aliases = await parts.store.listProjectAliases();
  const toProjectId = makeToProjectId(aliases);
  const here = toProjectId(call.projectId);
  const ids = new Set(lessons.map(({ id }) => id));
  const standing = await listStanding(
    parts.store,
    ({ lessonId, at, projectId }) => ids.has(lessonId) && at <= call.occurredAt && toProjectId(projectId) === here,
  );
  const heard = before.filter((delivery) => delivery.contextId === call.contextId || delivery.arm === 'holdout');
  // A lesson that a file of this project contains was read by the agent.
  const warned = new Set([...standing, ...heard].map(({ lessonId }) => lessonId));
  const isWarned = lessons.some(({ id }) => warned.has(id));
  // Leave out lessons that were learned from this failure or later.
  const earlier = lessons.filter(({ createdAt }) => createdAt < call.occurredAt);
  const asThen = await Promise.all(earlier.map(({ id }) => parts.store.findLessonAt(id, call.occurredAt)));
  const then = asThen.filter((lesson) => lesson !== undefined);
  const firing = listFiring({ lessons: then, aliases, settings: parts.settings, now: call.occurredAt });
  const missed: MissedOpportunity[] = [];
  for (const lesson of then.filter(({ id }) => !warned.has(id))) {
    // The compiler leaves out a lesson that a more specific one covers.
    const { notIn = [] } = firing.find(({ lesson: { id } }) => id === lesson.id) ?? { notIn: [here] };
    const found = await findReason(parts, lesson, one, { aliases, notIn });
    const noted = findNotedReason(lesson, one);
    // Another lesson warned the agent. But a quiet lesson was thought to be followed and was not: it must fire again.
    if (found === undefined || (isWarned && noted !== 'quiet')) continue;
    missed.push(toMissed(call, lesson.id, noted ?? found));
  }
  return missed;
}

function toMissed(call: LiveCall, lessonId: string, reason: MissReason): MissedOpportunity {
  const { agent, sessionId, contextId, callId, projectId, occurredAt: at } = call;
  return { agent, sessionId, contextId, callId, projectId, lessonId, reason, at };
}

/** The recorded reason for this lesson, or for all lessons. */
function findNotedReason({ id }: Lesson, { skipped }: Case): MissReason | undefined {
  const noted = skipped.find(({ lessonId }) => lessonId === id) ?? skipped.find(({ lessonId }) => lessonId === '');
  return noted?.reason;
}

/** Undefined: the lesson did not apply there and then, so nothing was missed. */
const REASONS: Readonly<Record<Silence, MissReason | undefined>> = {
  archived: undefined,
  draft: undefined,
  'not valid yet': undefined,
  'no longer valid': undefined,
  'another project': undefined,
  'another session': undefined,
  covered: undefined,
  withheld: undefined,
  'in review': 'threshold',
  'low priority': 'threshold',
  'low confidence': 'threshold',
  'low score': 'threshold',
  trigger: 'trigger',
  'told before': 'dedup',
  paused: 'off',
  muted: 'muted',
  quiet: 'quiet',
};

async function findReason(
  parts: Parts,
  lesson: Lesson,
  { call, before }: Case,
  { aliases, notIn }: { readonly aliases: readonly ProjectAlias[]; readonly notIn: readonly string[] },
): Promise<MissReason | undefined> {
  const { settings } = parts;
  const holds = firesAt(lesson, call);
  const silence = findSilence(lesson, {
    at: call.occurredAt,
    settings,
    place: call,
    toProjectId: makeToProjectId(aliases),
    notIn,
    holds,
    weight: holds ? await weigh(parts, lesson, call, aliases) : undefined,
    isShownBefore: settings.dedup === 'session' && before.some(({ lessonId }) => lessonId === lesson.id),
  });
  return silence === undefined ? 'off' : REASONS[silence];
}

/** The score that the hook would have given the lesson. What was said in the session is not stored, so no keyword counts. */
async function weigh(
  { store }: Parts,
  lesson: Lesson,
  { projectId }: LiveCall,
  aliases: readonly ProjectAlias[],
): Promise<Weight> {
  const { triggers, priority } = toFiring(lesson);
  const langs = listWeighingLangs(lesson);
  const stacks = langs.length === 0 ? {} : await findStacks(store, [lesson], aliases);
  const record = (await store.listTrackRecords()).find(({ lessonId }) => lessonId === lesson.id);
  const measured = findMeasuredFactor(lesson, record);
  const scored = { triggers, priority, langs, ...(measured === undefined ? {} : { measured }) };
  return scoreLesson(scored, stacks[makeToProjectId(aliases)(projectId)]);
}
