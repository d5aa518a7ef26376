/**
 * Builds the Store of `base/contracts/store.ts` on any engine from its parts, and guards every method. The guard makes
 * text storable on its way in, and turns an engine failure into an error that names the store and keeps the cause.
 * `saveCalls` makes its own columns storable, because most of a call in memory is never stored.
 */

import type { Store } from '../../base/contracts/store.ts';
import { toReason, UserError } from '../../base/errors.ts';
import { countAll, countHistory, countSilentSessions, findNewestWrite } from './calls/call-counts.ts';
import { listCalls, listPastCalls } from './calls/calls.ts';
import { countFailures, listFailedCalls } from './calls/failures.ts';
import { countPlaces, listFailureCells } from './calls/recurrence.ts';
import { makeRememberedStore } from './calls/remembered-calls.ts';
import { saveCalls } from './calls/save-calls.ts';
import { listTopSignatures } from './calls/signatures.ts';
import { makeDeliveryStore } from './deliveries/deliveries.ts';
import { makeStatsStore } from './deliveries/delivery-stats.ts';
import { makeMissStore } from './deliveries/misses.ts';
import { listTrials, readTrials } from './deliveries/trials.ts';
import type { Engine } from './engines/engine.ts';
import { makeCureStore } from './lessons/cures.ts';
import { listLessonProjects, moveEvidence } from './lessons/evidence.ts';
import { makeFeedbackStore } from './lessons/feedback.ts';
import { makeEpisodeStore, makeFindingStore, readLessonStamp, saveLearned } from './lessons/findings.ts';
import { makeLessonStore, updateLessons } from './lessons/lessons.ts';
import { makePromotionStore } from './lessons/promotions.ts';
import { makeReportStore } from './lessons/reports.ts';
import { forget, listForgotten } from './maintenance/forget.ts';
import { countRemovable, countRetention, retain } from './maintenance/retention.ts';
import { countRows, readSnapshot } from './maintenance/snapshot.ts';
import { makeLinkStore } from './project-aliases.ts';
import { listProjectSummaries, makeProjectStore } from './projects.ts';
import { makeIdSequence, toStorable } from './row-values.ts';
import { makeScanStateStore } from './scan-state.ts';
import { makeBriefStore } from './session-brief.ts';
import { listSessions, makeSessionStore } from './sessions.ts';

export function makeStore(engine: Engine): Store {
  const ids = makeIdSequence();
  return guardMethods<Store>(engine, {
    ...makeProjectStore(engine),
    listProjectSummaries: () => listProjectSummaries(engine.db),
    ...makeLinkStore(engine),
    listLessonProjects: (lessonIds) => listLessonProjects(engine, lessonIds),
    ...makeSessionStore(engine, ids),
    saveCalls: (calls, how) => saveCalls(engine, ids, calls, how),
    listCalls: (filter) => listCalls(engine.db, filter),
    listPastCalls: (projectId, limit) => listPastCalls(engine.db, projectId, limit),
    ...makeEpisodeStore(engine),
    ...makeFindingStore(engine),
    ...makeCureStore(engine),
    ...makeRememberedStore(engine),
    ...makeReportStore(engine),
    ...makeBriefStore(engine),
    ...makeLessonStore(engine, ids),
    readLessonStamp: () => readLessonStamp(engine.db),
    saveLearned: (learned) => saveLearned(engine, ids, learned),
    moveEvidence: (anew) => moveEvidence(engine, anew),
    updateLessons: (names, change) => updateLessons(engine, ids, names, change),
    ...makePromotionStore(engine, ids),
    ...makeDeliveryStore(engine),
    ...makeFeedbackStore(engine, ids),
    ...makeStatsStore(engine),
    listTrials: (until) => listTrials(engine.db, until),
    readTrials: (question) => readTrials(engine.db, question),
    ...makeMissStore(engine),
    ...makeScanStateStore(engine),
    listFailureCells: (filter) => listFailureCells(engine.db, filter),
    listFailedCalls: (filter) => listFailedCalls(engine.db, filter),
    countHistory: (filter) => countHistory(engine.db, filter),
    countSilentSessions: (filter) => countSilentSessions(engine.db, filter),
    listTopSignatures: (filter) => listTopSignatures(engine.db, filter),
    countPlaces: (filter) => countPlaces(engine.db, filter),
    listSessions: (filter) => listSessions(engine.db, filter),
    forget: (request, how) => forget(engine, ids, request, how),
    listForgotten: () => listForgotten(engine.db),
    retain: (limits, from) => retain(engine, limits, from),
    countRetention: (limits) => countRetention(engine.db, limits),
    countRemovable: () => countRemovable(engine.db),
    findNewestWrite: () => findNewestWrite(engine.db),
    countAll: () => countAll(engine.db),
    countFailures: (filter = {}) => countFailures(engine.db, filter),
    countRows: () => countRows(engine.db),
    readSnapshot: (teller) => readSnapshot(engine.db, teller),
    close: () => engine.db.destroy(),
  });
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/**
 * Guards every method of a store: makes text storable on its way in, and turns a failure of the engine into an error
 * that names the store and keeps the engine's error as its cause. `saveCalls` makes its own columns storable, because
 * most of a call in memory is never stored.
 */
function guardMethods<T extends { [K in keyof T]: Methods[string] }>(engine: Engine, methods: T): T {
  const entries = Object.entries(methods as Methods).map(([name, method]) => [name, guard(engine, name, method)]);
  return Object.fromEntries(entries) as T;
}

function guard(engine: Engine, name: string, method: Methods[string]) {
  return async (...args: never[]) => {
    try {
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
