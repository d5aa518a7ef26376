/**
 * Measure: what a session has done of the procedures that it was told. Calls of all its conversations count, those before
 * the delivery too: what a sub-agent did, or what was done already, need not be done again.
 */
import type { DeliveryItems, StoredDelivery } from '../../base/delivery.ts';
import type { Lesson } from '../../base/lesson.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { toGlobRegex } from '../../keep/to-glob-regex.ts';
import {
  judgeItems,
  listItems,
  noteItems,
  type ProcedureItem,
  type ProcedureOutcome,
  type SessionCall,
} from '../../measure/procedure.ts';

interface Parts {
  readonly store: Store;
  readonly settings: Pick<Settings, 'trackedTools'>;
}

/** What the new calls of the session make of it: undefined while something is open. */
export async function judgeProcedure(
  parts: Parts,
  delivery: StoredDelivery,
  lesson: Lesson,
  calls: readonly SessionCall[],
): Promise<'clean' | undefined> {
  const items = listVisible(lesson, parts.settings);
  if (items.length === 0 || delivery.kind === 'session-start') return undefined;
  const { agent, sessionId } = delivery;
  // The first time, what the session did before it was told counts too.
  const before = delivery.items === undefined ? await parts.store.listCalls({ agent, sessionId }) : [];
  const { open } = await note(parts.store, delivery, items, [...before, ...calls]);
  return open.length === 0 ? 'clean' : undefined;
}

/** What is to be said when the session is over. All its calls are looked at: some may have come as facts alone. */
export async function judgeProcedureEnd(
  parts: Parts,
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

/** Calls of tools that nobody tracks are not kept: whether such an item was done cannot be seen. */
function listVisible(lesson: Lesson, { trackedTools }: Pick<Settings, 'trackedTools'>): readonly ProcedureItem[] {
  const isTracked = (...tools: readonly string[]): boolean => tools.every((tool) => trackedTools.includes(tool));
  return listItems(lesson).filter(({ targets }) =>
    targets.every((target) => ('command' in target ? isTracked('shell') : isTracked('shell', 'edit', 'write'))),
  );
}
