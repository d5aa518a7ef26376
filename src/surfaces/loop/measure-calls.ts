/** Measure -> promote: what calls say about the lessons that were shown, or withheld, before them, and what follows from it. */
import type { LiveCall, StoredCall } from '../../base/call.ts';
import type { Delivery, DeliveryOutcome } from '../../base/delivery.ts';
import type { EventOf } from '../../base/event.ts';
import { isAboutDeed } from '../../base/is-about-deed.ts';
import type { Lesson, LessonUpdate } from '../../base/lesson.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import type { Trials } from '../../base/trials.ts';
import { mayWithhold } from '../../measure/decide-holdout.ts';
import { judgeDelivery, type OwnCall, toCame } from '../../measure/judge-delivery.ts';
import { toEffects } from '../../measure/to-effects.ts';
import { DECIDED_BY, decideLesson } from '../../promote/decide-lesson.ts';
import { moveConfidence } from '../../promote/move-confidence.ts';
import { noteWorld, type World } from '../../promote/note-world.ts';
import { firesAt, toPast } from './fires-at.ts';

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
  /** The time of day; a replay has its own. */
  readonly now?: () => number;
}

interface Verdict {
  readonly delivery: Delivery;
  readonly outcome: DeliveryOutcome;
  readonly call: LiveCall;
  /** What it warns of was done, and worked. */
  readonly isRefuting: boolean;
}

/** True when a verdict was given: what the manifest says of a lesson rests on them, also where the lesson stays as it is. */
export async function measureCalls(parts: Parts, calls: readonly LiveCall[]): Promise<boolean> {
  if (calls.length === 0) return false;
  let changed = false;
  const bySession = Map.groupBy(calls, toKey);
  const sessions = [...bySession.values()].flatMap(([first]) => first ?? []);
  const keys = sessions.map(({ agent, sessionId }) => ({ agent, sessionId }));
  const open = Map.groupBy(await parts.store.listDeliveries({ sessions: keys, unsettled: true }), toKey);
  for (const [key, ofSession] of bySession)
    for (const delivery of open.get(key) ?? []) changed = (await judgeOne(parts, delivery, ofSession)) || changed;
  return changed;
}

function toKey({ agent, sessionId }: LiveCall | Delivery): string {
  return `${agent}\n${sessionId}`;
}

/** What can no longer be judged is incomplete: of the session, or of the sub-agent that has come to its end. */
export async function measureEnd(
  store: Store,
  event: EventOf<'session-ended'> | EventOf<'subagent-ended'>,
): Promise<void> {
  const { agent, sessionId, contextId, at } = event;
  const open = await store.listDeliveries({ agent, sessionId, open: true });
  const over = event.kind === 'session-ended' ? open : open.filter((one) => one.contextId === contextId);
  for (const delivery of over) await store.judgeDelivery(delivery.id, 'incomplete', at);
}

async function judgeOne(parts: Parts, delivery: Delivery, calls: readonly LiveCall[]): Promise<boolean> {
  const lesson = await findSpoken(parts.store, delivery);
  if (lesson === undefined) return false;
  const own = await findOwn(parts.store, delivery, calls);
  const past = await findPast(parts.store, lesson, delivery);
  for (const call of calls) {
    const holds = (one: Lesson): boolean => firesAt(one, call, past && toPast(past, call));
    const outcome = judgeDelivery(delivery, lesson, call, holds, own);
    if (outcome === undefined) continue;
    return settle(parts, {
      delivery,
      outcome,
      call,
      isRefuting: outcome === 'clean' && isWorking(call) && holds(lesson),
    });
  }
  return false;
}

function isWorking({ outcome }: LiveCall): boolean {
  return outcome === 'success' || outcome === 'partial';
}

/** As it was when it spoke: somebody may have made another lesson of it since. */
async function findSpoken(store: Store, { lessonId, deliveredAt }: Delivery): Promise<Lesson | undefined> {
  const lesson = await store.findLesson(lessonId);
  if (lesson === undefined || lesson.updatedAt <= deliveredAt) return lesson;
  return (await store.findLessonAt(lessonId, deliveredAt)) ?? lesson;
}

async function findOwn(
  store: Store,
  { agent, sessionId, callId }: Delivery,
  calls: readonly LiveCall[],
): Promise<OwnCall | undefined> {
  return calls.find((call) => call.callId === callId) ?? (await store.listCalls({ agent, sessionId, callId }))[0];
}

/** Only where the lesson asks what was done before. */
async function findPast(
  store: Store,
  { triggers }: Lesson,
  { agent, sessionId }: Delivery,
): Promise<readonly StoredCall[] | undefined> {
  return triggers.session === undefined ? undefined : store.listCalls({ agent, sessionId });
}

/** Only whoever gives the verdict moves the lesson: two readers of one call count once. */
async function settle(parts: Parts, verdict: Verdict): Promise<boolean> {
  const { store } = parts;
  const { delivery, outcome, call } = verdict;
  // By a clock that was ahead for a while nothing would count until then.
  const now = new Date((parts.now ?? Date.now)()).toISOString();
  const at = toEarlier(call.occurredAt, now);
  if (!(await store.judgeDelivery(delivery.id, outcome, at, toCame(outcome, call)))) return false;
  const measured = await readTrials(store, delivery.lessonId, now);
  const world = await readWorld(store, call);
  await store.updateLessons([delivery.lessonId], ([lesson]) =>
    lesson === undefined ? [] : toUpdates(lesson, verdict, { ...measured, world, at }, parts.settings),
  );
  return true;
}

/** Hooks tell the model when a session starts, and no release: calls that come live have neither. */
async function readWorld(store: Store, { agent, sessionId, model, agentVersion }: LiveCall): Promise<World> {
  if (model !== undefined && agentVersion !== undefined) return { agent, sessionId, model, agentVersion };
  const session = await store.findSession(agent, sessionId);
  const known = { model: model ?? session?.model, agentVersion: agentVersion ?? session?.agentVersion };
  return { agent, sessionId, ...known };
}

interface Measured {
  readonly trials: Trials;
  /** What came before was not counted. */
  readonly since: string | undefined;
}

async function readTrials(store: Store, lessonId: string, until: string): Promise<Measured> {
  const lesson = await store.findLesson(lessonId);
  const signatureId = lesson === undefined || isAboutDeed(lesson) ? undefined : lesson.signatureId;
  const since = lesson?.measure?.from;
  const trials = await store.readTrials({
    lessonId,
    ...(signatureId === undefined ? {} : { signatureId }),
    ...(since === undefined ? {} : { since }),
    until,
  });
  return { trials, since };
}

function toEarlier(a: string, b: string): string {
  return Date.parse(a) > Date.parse(b) ? b : a;
}

/** Confidence first, then what follows from all its trials: two changes, because only the second is one to undo. */
function toUpdates(
  before: Lesson,
  { delivery, outcome, isRefuting }: Verdict,
  { trials, since, world, at }: Measured & { readonly world: World; readonly at: string },
  settings: Settings,
): readonly LessonUpdate[] {
  const from = before.measure?.from;
  // What was not said did nothing, what was not heeded prevented nothing, and what was said before was another lesson.
  const counts = delivery.arm === 'shown' && !isRefuting && (from === undefined || delivery.deliveredAt > from);
  const moved = counts ? moveConfidence(before, outcome, settings, at) : undefined;
  const known = moved ?? before;
  const lesson = noteWorld(known, world) ?? known;
  const isWaiting = before.needsReview;
  const evidence = { trials, ...toEffects(trials), isWaiting, mayWithhold: mayWithhold(lesson, settings.holdout) };
  // Somebody else has decided on these trials meanwhile: they count no more.
  const decided = since === from ? decideLesson(lesson, evidence, at) : undefined;
  const reason = `${outcome} after delivery ${delivery.id}: confidence ${before.confidence} -> ${lesson.confidence}`;
  return [
    ...(lesson === before ? [] : [{ lesson, change: { by: 'promote/move-confidence', reason, at } }]),
    ...(decided === undefined
      ? []
      : [{ lesson: decided.lesson, change: { by: DECIDED_BY, reason: decided.reason, at } }]),
  ];
}
