/**
 * Builds the Store of `base/contracts/store.ts` on any engine from its parts, and guards every method. The guard makes
 * text storable on its way in, and turns an engine failure into an error that names the store and keeps the cause.
 */

import type { Store } from '../../base/contracts/store.ts';
import { toReason, UserError } from '../../base/errors.ts';
import { makeHistoryStore } from './calls/call-counts.ts';
import { makeCallStore } from './calls/calls.ts';
import { makeFailureStore } from './calls/failures.ts';
import { makeKnownFailureStore } from './calls/known-failures.ts';
import { makeRecurrenceStore } from './calls/recurrence.ts';
import { saveCalls } from './calls/save-calls.ts';
import { makeDeliveryStore } from './deliveries/deliveries.ts';
import { makeStatsStore } from './deliveries/delivery-stats.ts';
import { makeMissStore } from './deliveries/misses.ts';
import { makeTrialStore } from './deliveries/trials.ts';
import type { Engine } from './engines/engine.ts';
import { makeEvidenceStore } from './lessons/evidence.ts';
import { makeFeedbackStore } from './lessons/feedback.ts';
import { makeFindingStore } from './lessons/findings.ts';
import { makeLearnPackStore } from './lessons/learn-packs.ts';
import { makeLessonStore } from './lessons/lessons.ts';
import { makePromotionStore } from './lessons/promotions.ts';
import { makeReportStore } from './lessons/reports.ts';
import { makeForgetStore } from './maintenance/forget.ts';
import { makeRetentionStore } from './maintenance/retention.ts';
import { makeSnapshotStore } from './maintenance/snapshot.ts';
import { makeProjectStore } from './projects.ts';
import { makeIdSequence, toStorable } from './row-values.ts';
import { makeBriefStore } from './session-brief.ts';
import { makeSessionStore } from './sessions.ts';

export function makeStore(engine: Engine): Store {
  const ids = makeIdSequence();
  return guardMethods<Store>(engine, {
    ...makeProjectStore(engine),
    ...makeSessionStore(engine, ids),
    ...makeBriefStore(engine),
    ...makeCallStore(engine),
    saveCalls: (calls, how) => saveCalls(engine, ids, calls, how),
    ...makeKnownFailureStore(engine),
    ...makeFailureStore(engine),
    ...makeRecurrenceStore(engine),
    ...makeHistoryStore(engine),
    ...makeLessonStore(engine, ids),
    ...makeFindingStore(engine, ids),
    ...makeReportStore(engine),
    ...makeLearnPackStore(engine),
    ...makeEvidenceStore(engine),
    ...makePromotionStore(engine, ids),
    ...makeFeedbackStore(engine, ids),
    ...makeDeliveryStore(engine),
    ...makeMissStore(engine),
    ...makeTrialStore(engine),
    ...makeStatsStore(engine),
    ...makeForgetStore(engine, ids),
    ...makeRetentionStore(engine),
    ...makeSnapshotStore(engine),
    close: () => engine.db.destroy(),
  });
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

function guardMethods<T extends { [K in keyof T]: Methods[string] }>(engine: Engine, methods: T): T {
  const entries = Object.entries(methods as Methods).map(([name, method]) => [name, guard(engine, name, method)]);
  return Object.fromEntries(entries) as T;
}

function guard(engine: Engine, name: string, method: Methods[string]) {
  return async (...args: never[]) => {
    try {
      // `saveCalls` makes its own columns storable, because most of a call in memory is never stored.
      return await method(...(name === 'saveCalls' ? args : toStorable(args)));
    } catch (cause) {
      // Thrown by the caller's own function inside a method; its message is already complete.
      if (cause instanceof UserError) throw cause;
      throw new UserError({
        subject: engine.name,
        reason: `${name} failed: ${toReason(cause)}`,
        next: engine.advise(cause),
        cause,
      });
    }
  };
}
