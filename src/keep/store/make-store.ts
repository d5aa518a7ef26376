/** The Store contract of `src/base/store.ts` on any engine: the parts of it, put together. */
import type { Store } from '../../base/store.ts';
import { countAll, findNewestWrite } from './count-all.ts';
import { countFailures } from './count-failures.ts';
import { countHistory, countSilentSessions } from './count-history.ts';
import { countRecurrence } from './count-recurrence.ts';
import { countRemovable, countRetention } from './count-retention.ts';
import { listTrials, readTrials } from './count-trials.ts';
import type { Engine } from './engine.ts';
import { forget } from './forget.ts';
import { guardMethods } from './guard-methods.ts';
import { makeIdSequence } from './id-sequence.ts';
import { makeLinkStore } from './join-projects.ts';
import { listCalls } from './list-calls.ts';
import { listFailedCalls, listFailures } from './list-failures.ts';
import { listForgotten } from './list-forgotten.ts';
import { listLessonProjects } from './list-lesson-projects.ts';
import { listPastCalls } from './list-past-calls.ts';
import { listProjectSummaries } from './list-project-summaries.ts';
import { listSessions } from './list-sessions.ts';
import { listTopSignatures } from './list-top-signatures.ts';
import { makeBriefStore } from './make-brief-store.ts';
import { makeDeliveryStore } from './make-delivery-store.ts';
import { makeEpisodeStore } from './make-episode-store.ts';
import { makeFeedbackStore } from './make-feedback-store.ts';
import { makeFindingStore } from './make-finding-store.ts';
import { makeLessonStore } from './make-lesson-store.ts';
import { makeMissStore } from './make-miss-store.ts';
import { makeProjectStore } from './make-project-store.ts';
import { makePromotionStore } from './make-promotion-store.ts';
import { makeReportStore } from './make-report-store.ts';
import { makeScanStateStore } from './make-scan-state-store.ts';
import { makeSessionStore } from './make-session-store.ts';
import { makeStatsStore } from './make-stats-store.ts';
import { moveEvidence } from './move-evidence.ts';
import { countRows, readSnapshot } from './read-snapshot.ts';
import { retain } from './retain.ts';
import { saveCalls } from './save-calls.ts';
import { readLessonStamp, saveLearned } from './save-learned.ts';
import { updateLessons } from './update-lessons.ts';

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
    listFailures: (filter) => listFailures(engine.db, filter),
    listFailedCalls: (filter) => listFailedCalls(engine.db, filter),
    countHistory: (filter) => countHistory(engine.db, filter),
    countSilentSessions: (filter) => countSilentSessions(engine.db, filter),
    listTopSignatures: (filter) => listTopSignatures(engine.db, filter),
    countRecurrence: (filter) => countRecurrence(engine.db, filter),
    listSessions: (filter) => listSessions(engine.db, filter),
    forget: (wish, how) => forget(engine, ids, wish, how),
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
