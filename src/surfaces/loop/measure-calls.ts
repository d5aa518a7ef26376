/** Measure -> promote: what calls say about the lessons that were shown before them, and what follows from it. */
import type { LiveCall } from '../../base/call.ts';
import type { Delivery, DeliveryOutcome } from '../../base/delivery.ts';
import type { EventOf } from '../../base/event.ts';
import type { Lesson } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { checkTriggers } from '../../match/check-triggers.ts';
import { judgeDelivery } from '../../measure/judge-delivery.ts';
import { moveConfidence } from '../../promote/move-confidence.ts';

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
}

/** True when a lesson changed. */
export async function measureCalls(parts: Parts, calls: readonly LiveCall[]): Promise<boolean> {
  let changed = false;
  for (const [, ofSession] of Map.groupBy(calls, (call) => `${call.agent}\n${call.sessionId}`)) {
    const [{ agent, sessionId } = { agent: '', sessionId: '' }] = ofSession;
    for (const delivery of await parts.store.listDeliveries({ agent, sessionId, open: true })) {
      changed = (await judgeOne(parts, delivery, ofSession)) || changed;
    }
  }
  return changed;
}

/** What can no longer be judged is incomplete. */
export async function measureSessionEnd(store: Store, event: EventOf<'session-ended'>): Promise<void> {
  const open = await store.listDeliveries({ agent: event.agent, sessionId: event.sessionId, open: true });
  for (const delivery of open) await store.judgeDelivery(delivery.id, 'incomplete', event.at);
}

async function judgeOne(parts: Parts, delivery: Delivery, calls: readonly LiveCall[]): Promise<boolean> {
  const lesson = await parts.store.findLesson(delivery.lessonId);
  if (lesson === undefined) return false;
  for (const call of calls) {
    const outcome = judgeDelivery(delivery, lesson, call, firesOn);
    if (outcome !== undefined) return settle(parts, delivery, outcome, call.occurredAt);
  }
  return false;
}

/** Only whoever gives the verdict moves the lesson: two readers of one call count once. */
async function settle(parts: Parts, delivery: Delivery, outcome: DeliveryOutcome, at: string): Promise<boolean> {
  if (!(await parts.store.judgeDelivery(delivery.id, outcome, at))) return false;
  const saved = await parts.store.updateLessons([delivery.lessonId], ([lesson]) => {
    const moved = lesson && moveConfidence(lesson, outcome, parts.settings, at);
    if (moved === undefined) return [];
    const reason = `${outcome} after delivery ${delivery.id}: confidence ${lesson?.confidence} -> ${moved.confidence}`;
    return [{ lesson: moved, change: { by: 'promote/move-confidence', reason, at } }];
  });
  return saved.length > 0;
}

/** What was said when the lesson spoke still holds for what came of it. */
function firesOn(lesson: Lesson, call: LiveCall): boolean {
  const { tool, projectId, sessionId } = call;
  const commands = parseCommand(call.command ?? '');
  return checkTriggers(lesson.triggers, {}, { tool, commands, projectId, sessionId }, { callOnly: true }).holds;
}
