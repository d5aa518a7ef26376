/**
 * Measure -> promote: judges deliveries, shown or withheld, by the later calls and the end of their session, and
 * changes the lessons according to the verdicts. For a procedure the calls of all conversations of the session count,
 * also those before the delivery, because a step that a sub-agent did, or that was already done, need not be done
 * again.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall, StoredCall } from '../../base/model/call.ts';
import {
  type Attempt,
  type AttemptSummary,
  type AttemptVerdict,
  type Delivery,
  type DeliveryItems,
  type DeliveryOutcome,
  isOfFailure,
  type StoredDelivery,
  toAttemptRule,
} from '../../base/model/delivery.ts';
import { type EventOf, hasWorked } from '../../base/model/event.ts';
import type { Lesson, LessonUpdate } from '../../base/model/lesson.ts';
import { isAboutAction } from '../../base/model/lesson-trust.ts';
import { toSessionKey } from '../../base/model/session.ts';
import type { Settings } from '../../base/model/settings.ts';
import { compareTexts, dropAbsent } from '../../base/records.ts';
import type { Trials } from '../../base/statistics/delivery-counts.ts';
import { toGlobRegex } from '../../keep/manifest/compiled-triggers.ts';
import { mayWithhold } from '../../measure/delivery-share.ts';
import { toEffects } from '../../measure/effects.ts';
import { judgeCure, judgeDelivery, type OwnCall, toEndMs } from '../../measure/judge-delivery.ts';
import {
  isProcedure,
  judgeItems,
  listItems,
  noteItems,
  type ProcedureItem,
  type ProcedureOutcome,
  type SessionCall,
} from '../../measure/procedure.ts';
import { moveConfidence } from '../../promote/confidence.ts';
import { DECIDED_BY, decideLesson } from '../../promote/decide-lesson.ts';
import { type Circumstances, noteCircumstances } from '../../promote/outdated-lessons.ts';
import { firesAt, toPast } from '../learning/past-calls.ts';

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
  /** The current time; a replay passes its own. */
  readonly now?: () => number;
}

/** The verdict of all calls so far on a delivery, and the verdict before the last of them. */
interface Verdict {
  readonly delivery: StoredDelivery;
  readonly before?: AttemptSummary;
  readonly after: AttemptSummary;
  /** The call that decided, or the end of the session. */
  readonly call: Pick<LiveCall, 'agent' | 'sessionId' | 'model' | 'agentVersion'>;
}

/** Returns true if a verdict was given, because the manifest depends on verdicts even if no lesson changes. */
export async function measureCalls(parts: Parts, calls: readonly LiveCall[]): Promise<boolean> {
  if (calls.length === 0) return false;
  let changed = false;
  const bySession = Map.groupBy(calls, toSessionKey);
  const sessions = [...bySession.values()].flatMap(([first]) => first ?? []);
  const keys = sessions.map(({ agent, sessionId }) => ({ agent, sessionId }));
  const delivered = Map.groupBy(await parts.store.listDeliveries({ sessions: keys }), toSessionKey);
  for (const [key, ofSession] of bySession)
    for (const delivery of delivered.get(key) ?? []) changed = (await judgeOne(parts, delivery, ofSession)) || changed;
  return changed;
}

/**
 * Closes the open deliveries of an ended session or sub-agent as incomplete. Procedures wait for the end of the session,
 * because another conversation may do the rest. Returns true if a verdict was given.
 */
export async function measureEnd(
  parts: Parts,
  event: EventOf<'session-ended'> | EventOf<'subagent-ended'>,
): Promise<boolean> {
  const { agent, sessionId, contextId, at } = event;
  const isEnd = event.kind === 'session-ended';
  let changed = false;
  for (const delivery of await parts.store.listDeliveries({ agent, sessionId }))
    if (isUnsettled(delivery) && (isEnd || delivery.contextId === contextId))
      changed = (await endDelivery(parts, delivery, at, isEnd)) || changed;
  return changed;
}

/** Closes deliveries of sessions that have ended without an end event, as `Store.closeDeliveries` does. */
export async function measureSilent(parts: Parts, silentBefore: string, at: string): Promise<boolean> {
  let changed = false;
  for (const delivery of await parts.store.listDeliveries({ open: true })) {
    const { deliveredAt } = delivery;
    const session = await parts.store.findSession(delivery.agent, delivery.sessionId);
    const isSilent = deliveredAt < silentBefore && (session?.lastSeenAt ?? deliveredAt) < silentBefore;
    if (isSilent || (session?.endedAt ?? '') >= deliveredAt)
      changed = (await endDelivery(parts, delivery, at, true)) || changed;
  }
  return changed;
}

function isUnsettled({ outcome }: Delivery): boolean {
  return outcome === undefined || outcome === 'incomplete';
}

async function endDelivery(parts: Parts, delivery: StoredDelivery, at: string, isEnd: boolean): Promise<boolean> {
  const lesson = await findSpoken(parts.store, delivery);
  const isOfProcedure = lesson !== undefined && isProcedure(lesson);
  if (isOfProcedure && !isEnd) return false;
  const outcome = isOfProcedure ? await judgeProcedureEnd(parts, delivery, lesson) : 'incomplete';
  if (outcome !== 'incomplete') return settleProcedure(parts, delivery, outcome, { ...delivery, occurredAt: at });
  await parts.store.judgeDelivery(delivery.id, 'incomplete', at);
  return false;
}

/** Judges which items of a procedure the new calls of the session have done. */
async function judgeItemsDone(
  parts: Parts,
  delivery: StoredDelivery,
  lesson: Lesson,
  calls: readonly LiveCall[],
): Promise<boolean> {
  const call = calls.at(-1);
  if (call === undefined || !isUnsettled(delivery)) return false;
  const outcome = await judgeProcedure(parts, delivery, lesson, calls);
  return outcome !== undefined && settleProcedure(parts, delivery, outcome, call);
}

async function settleProcedure(
  parts: Parts,
  delivery: StoredDelivery,
  outcome: AttemptVerdict,
  call: Verdict['call'] & Pick<LiveCall, 'occurredAt'>,
): Promise<boolean> {
  // A time from a clock that was ahead would make nothing count until then.
  const outcomeAt = toEarlier(call.occurredAt, toNow(parts));
  const came = { again: outcome !== 'clean', failed: false };
  if (!(await parts.store.judgeDelivery(delivery.id, outcome, outcomeAt, came))) return false;
  const after = { outcome, outcomeAt, ...came, isEarned: outcome === 'clean', failingAttempts: 0 };
  return settle(parts, { delivery, after, call });
}

async function judgeOne(parts: Parts, delivery: StoredDelivery, ofSession: readonly LiveCall[]): Promise<boolean> {
  const calls = ofSession.filter(({ contextId }) => contextId === delivery.contextId);
  if (isOfFailure(delivery)) return judgeCureDelivery(parts, delivery, calls);
  if (delivery.kind !== 'call' || (calls.length === 0 && !isUnsettled(delivery))) return false;
  const lesson = await findSpoken(parts.store, delivery);
  if (lesson === undefined) return false;
  if (isProcedure(lesson)) return judgeItemsDone(parts, delivery, lesson, ofSession);
  if (calls.length === 0) return false;
  const own = await findOwn(parts.store, delivery, calls);
  const past = await findPast(parts.store, lesson, delivery);
  const found = calls.flatMap((call) => {
    const holds = (one: Lesson): boolean => firesAt(one, call, past && toPast(past, call));
    const verdict = judgeDelivery(delivery, lesson, call, holds, own);
    if (verdict === undefined) return [];
    const isRefuting = hasWorked(own) || (hasWorked(call) && holds(lesson));
    return [{ call, attempt: toAttempt(call, verdict, isRefuting) }];
  });
  const [first] = found;
  if (first === undefined && !isBeforeSuccess(delivery, calls)) return false;
  const rule = toAttemptRule(delivery.mode, isAboutAction(lesson));
  const attempts = found.map(({ attempt }) => attempt);
  const judged = await parts.store.saveAttempts(delivery.id, attempts, { rule, now: toNow(parts) });
  if (first === undefined || judged === undefined) return false;
  const decisive = found.find(({ attempt }) => attempt.at === judged.after.outcomeAt) ?? first;
  return settle(parts, { delivery, ...judged, call: decisive.call });
}

/** A cure is no lesson: nothing but its deliveries remembers whether it helped. */
async function judgeCureDelivery(parts: Parts, delivery: StoredDelivery, calls: readonly LiveCall[]): Promise<boolean> {
  if (calls.length === 0) return false;
  const own = await findOwn(parts.store, delivery, calls);
  const attempts = calls.flatMap((call) => {
    const verdict = judgeCure(delivery, call, own);
    return verdict === undefined ? [] : [toAttempt(call, verdict, false)];
  });
  if (attempts.length === 0 && !isBeforeSuccess(delivery, calls)) return false;
  const judged = await parts.store.saveAttempts(delivery.id, attempts, { rule: 'every', now: toNow(parts) });
  return judged !== undefined && judged.before?.outcome !== judged.after.outcome;
}

function toNow({ now = Date.now }: Parts): string {
  return new Date(now()).toISOString();
}

function toAttempt(call: LiveCall, verdict: AttemptVerdict, isRefuting: boolean): Attempt {
  return {
    callId: call.callId,
    at: new Date(toEndMs(call)).toISOString(),
    verdict,
    outcome: hasWorked(call) ? 'worked' : 'failed',
    ...(isRefuting ? { isRefuting } : {}),
  };
}

/** Calls that arrive late may lie between delivery and success; they count as calls until success. */
function isBeforeSuccess({ successAt }: StoredDelivery, calls: readonly LiveCall[]): boolean {
  return successAt !== undefined && calls.some(({ occurredAt }) => occurredAt <= successAt);
}

/** The lesson as it was when it was delivered, because it may have been edited since. */
async function findSpoken(store: Store, { lessonId, deliveredAt }: Delivery): Promise<Lesson | undefined> {
  const lesson = await store.findLesson(lessonId);
  if (lesson === undefined || lesson.updatedAt <= deliveredAt) return lesson;
  return (await store.findLessonAt(lessonId, deliveredAt)) ?? lesson;
}

async function findOwn(
  store: Store,
  { agent, sessionId, contextId, callId, deliveredAt }: Delivery,
  calls: readonly LiveCall[],
): Promise<OwnCall | undefined> {
  if (callId === '') {
    // The agent gives its hooks no ids of calls: it is the last call that had begun.
    const all = [...(await store.listCalls({ agent, sessionId, contextId })), ...calls];
    const begun = all.filter((call) => call.contextId === contextId && call.occurredAt <= deliveredAt);
    return begun.toSorted((a, b) => compareTexts(a.occurredAt, b.occurredAt)).at(-1);
  }
  return calls.find((call) => call.callId === callId) ?? (await store.listCalls({ agent, sessionId, callId }))[0];
}

/** Read only if the lesson has conditions on earlier calls. */
async function findPast(
  store: Store,
  { triggers }: Lesson,
  { agent, sessionId }: Delivery,
): Promise<readonly StoredCall[] | undefined> {
  return triggers.session === undefined ? undefined : store.listCalls({ agent, sessionId });
}

/** Only the process that changes the verdict changes the lesson, so that two readers of one call count once. */
async function settle(parts: Parts, verdict: Verdict): Promise<boolean> {
  const { store } = parts;
  const { delivery, before, after, call } = verdict;
  if (before !== undefined && toWeight(before) === toWeight(after) && before.failed === after.failed) return false;
  const now = toNow(parts);
  const at = toEarlier(after.outcomeAt, now);
  const measured = await readTrials(store, delivery.lessonId, now);
  const world = await readWorld(store, call);
  await store.updateLessons([delivery.lessonId], ([lesson]) =>
    lesson === undefined ? [] : toUpdates(lesson, verdict, { ...measured, world, at }, parts.settings),
  );
  return true;
}

/** The outcome by which confidence moves; a clean outcome without evidence for the lesson moves nothing. */
function toWeight(summary: AttemptSummary | undefined): DeliveryOutcome {
  if (summary === undefined || (summary.outcome === 'clean' && !summary.isEarned)) return 'incomplete';
  return summary.outcome;
}

/** Live calls have neither model nor release, so both come from the session. */
async function readWorld(
  store: Store,
  { agent, sessionId, model, agentVersion }: Verdict['call'],
): Promise<Circumstances> {
  if (model !== undefined && agentVersion !== undefined) return { agent, sessionId, model, agentVersion };
  const session = await store.findSession(agent, sessionId);
  const known = { model: model ?? session?.model, agentVersion: agentVersion ?? session?.agentVersion };
  return { agent, sessionId, ...known };
}

interface Measured {
  readonly trials: Trials;
  /** Only later deliveries were counted. */
  readonly since: string | undefined;
}

async function readTrials(store: Store, lessonId: string, until: string): Promise<Measured> {
  const lesson = await store.findLesson(lessonId);
  const signatureId = lesson === undefined || isAboutAction(lesson) ? undefined : lesson.signatureId;
  const since = lesson?.measure?.from;
  const trials = await store.readTrials({
    lessonId,
    ...dropAbsent({ signatureId, since }),
    until,
  });
  return { trials, since };
}

function toEarlier(a: string, b: string): string {
  return Date.parse(a) > Date.parse(b) ? b : a;
}

/** First the confidence, then the decision on all trials: two changes, because only the second can be undone. */
function toUpdates(
  before: Lesson,
  verdict: Verdict,
  { trials, since, world, at }: Measured & { readonly world: Circumstances; readonly at: string },
  settings: Settings,
): readonly LessonUpdate[] {
  const { delivery } = verdict;
  const from = before.measure?.from;
  // A withheld delivery did nothing, and one before `from` was of an earlier form of the lesson.
  const counts = delivery.arm === 'shown' && (from === undefined || delivery.deliveredAt > from);
  // An older version moved the confidence by its own verdict, so only the difference counts now.
  const was = verdict.before === undefined ? (delivery.oldOutcome ?? 'incomplete') : toWeight(verdict.before);
  const is = toWeight(verdict.after);
  const moved = counts ? moveConfidence(before, is, settings, at, was) : undefined;
  const known = moved ?? before;
  const lesson = noteCircumstances(known, world) ?? known;
  const isWaiting = before.needsReview;
  const evidence = {
    trials,
    ...toEffects(trials),
    isWaiting,
    isProcedure: isProcedure(lesson),
    mayWithhold: mayWithhold(lesson, settings.holdout),
  };
  // Another process has decided on these trials meanwhile, so they no longer count.
  const decided = since === from ? decideLesson(lesson, evidence, at) : undefined;
  const { outcome } = verdict.after;
  const reason = `${outcome} after delivery ${delivery.id}${was === 'incomplete' ? '' : ` (was ${was})`}: confidence ${before.confidence} -> ${lesson.confidence}`;
  return [
    ...(lesson === before ? [] : [{ lesson, change: { by: 'promote/move-confidence', reason, at } }]),
    ...(decided === undefined
      ? []
      : [{ lesson: decided.lesson, change: { by: DECIDED_BY, reason: decided.reason, at } }]),
  ];
}

interface ProcedureParts {
  readonly store: Store;
  readonly settings: Pick<Settings, 'trackedTools'>;
}

/**
 * Judges what a session has done of a delivered procedure. Calls of all its conversations count, even those before the
 * delivery, because a finished step need not be repeated. Undefined while an item is open.
 */
async function judgeProcedure(
  parts: ProcedureParts,
  delivery: StoredDelivery,
  lesson: Lesson,
  calls: readonly SessionCall[],
): Promise<'clean' | undefined> {
  const items = listVisible(lesson, parts.settings);
  if (items.length === 0 || delivery.kind === 'session-start') return undefined;
  const { agent, sessionId } = delivery;
  // The first time, calls before the delivery count, too.
  const before = delivery.items === undefined ? await parts.store.listCalls({ agent, sessionId }) : [];
  const { open } = await note(parts.store, delivery, items, [...before, ...calls]);
  return open.length === 0 ? 'clean' : undefined;
}

/** The final verdict at the end of the session, from all its calls, because some came as facts without text. */
async function judgeProcedureEnd(
  parts: ProcedureParts,
  delivery: StoredDelivery,
  lesson: Lesson,
): Promise<ProcedureOutcome> {
  const items = listVisible(lesson, parts.settings);
  if (items.length === 0 || delivery.kind === 'session-start') return 'incomplete';
  const { agent, sessionId, callId, deliveredAt } = delivery;
  const calls = await parts.store.listCalls({ agent, sessionId });
  const hasSeenCalls = calls.some((call) => call.callId !== callId && call.occurredAt > deliveredAt);
  return judgeItems(await note(parts.store, delivery, items, calls), hasSeenCalls);
}

async function note(
  store: Store,
  { id, items: known }: StoredDelivery,
  items: readonly ProcedureItem[],
  calls: readonly SessionCall[],
): Promise<DeliveryItems> {
  const noted = noteItems(items, known, calls, toGlobRegex);
  if (JSON.stringify(noted) !== JSON.stringify(known)) await store.saveDeliveryItems(id, noted);
  return noted;
}

/** Items about untracked tools are left out, because calls of these tools are not stored. */
function listVisible(lesson: Lesson, { trackedTools }: Pick<Settings, 'trackedTools'>): readonly ProcedureItem[] {
  const isTracked = (...tools: readonly string[]): boolean => tools.every((tool) => trackedTools.includes(tool));
  return listItems(lesson).filter(({ targets }) =>
    targets.every((target) => ('command' in target ? isTracked('shell') : isTracked('shell', 'edit', 'write'))),
  );
}
