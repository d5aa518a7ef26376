/**
 * Measure: failures that nobody warned of although an active lesson about them was there (E1), and why not. What only the
 * hook knows it has told; the rest is found by asking the matcher again. A lesson that was withheld on purpose is no miss.
 */
import type { LiveCall } from '../../base/call.ts';
import type { Delivery } from '../../base/delivery.ts';
import type { Lesson } from '../../base/lesson.ts';
import type { MissedOpportunity, MissReason } from '../../base/missed.ts';
import { makeToProjectId } from '../../base/project-alias.ts';
import type { Settings } from '../../base/settings.ts';
import { listLangTags } from '../../base/skill.ts';
import type { Store } from '../../base/store.ts';
import { scoreLesson } from '../../match/score-lesson.ts';
import { toMeasuredFactor } from '../../measure/to-measured-factor.ts';
import { firesAt } from './fires-at.ts';

export interface MissFinder {
  /** True when a lesson that was thought to be followed was not: it has to speak again. */
  take(calls: readonly LiveCall[]): Promise<boolean>;
}

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
}

/** Remembers which failures have lessons until one changes: this is asked at every failure. */
export function makeMissFinder(parts: Parts): MissFinder {
  const { store } = parts;
  let stamp: string | undefined;
  let bySignature = new Map<string, readonly Lesson[]>();
  const refresh = async (): Promise<void> => {
    const now = await store.readLessonStamp();
    if (now === stamp) return;
    const about = (await store.listLessons({ status: 'active' })).filter(
      ({ signatureId }) => signatureId !== undefined,
    );
    bySignature = Map.groupBy(about, ({ signatureId }) => signatureId ?? '');
    stamp = now;
  };
  return {
    async take(calls) {
      const failures = calls.filter(isTelling);
      if (failures.length === 0) return false;
      await refresh();
      const missed: MissedOpportunity[] = [];
      for (const call of failures)
        for (const lesson of bySignature.get(call.signature?.id ?? '') ?? [])
          missed.push(...(await findMiss(parts, lesson, call)));
      await store.saveMissed(missed);
      return missed.some(({ reason }) => reason === 'quiet');
    },
  };
}

/** That a hidden exit code was a failure is likely, not certain. */
function isTelling({ outcome, masked, signature }: LiveCall): boolean {
  return outcome === 'failure' && !masked && signature !== undefined;
}

async function findMiss(parts: Parts, now: Lesson, call: LiveCall): Promise<readonly MissedOpportunity[]> {
  const { store } = parts;
  const { agent, sessionId, contextId, callId, projectId, occurredAt: at } = call;
  // Learned from this very failure, or from what came later.
  if (now.createdAt >= at || !(await isHere(store, now, call))) return [];
  const lesson = await store.findLessonAt(now.id, at);
  if (lesson?.status !== 'active') return [];
  const told = await store.listDeliveries({ agent, sessionId, lessonId: now.id });
  const before = told.filter(({ kind, deliveredAt }) => kind === 'call' && deliveredAt <= at);
  if (before.some((delivery) => delivery.contextId === contextId || delivery.arm === 'holdout')) return [];
  const reason = await findReason(parts, lesson, call, before);
  return [{ agent, sessionId, contextId, callId, projectId, lessonId: now.id, reason, at }];
}

async function isHere(store: Store, { scope }: Lesson, { projectId, sessionId }: LiveCall): Promise<boolean> {
  if (scope.kind === 'user' || scope.kind === 'team' || scope.id === undefined) return true;
  if (scope.kind === 'session') return scope.id === sessionId;
  if (scope.id === projectId) return true;
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  return toProjectId(scope.id) === toProjectId(projectId);
}

async function findReason(
  parts: Parts,
  lesson: Lesson,
  call: LiveCall,
  before: readonly Delivery[],
): Promise<MissReason> {
  const unsaid = await parts.store.listUnsaid(call);
  const told = unsaid.find(({ lessonId }) => lessonId === lesson.id) ?? unsaid.find(({ lessonId }) => lessonId === '');
  if (told !== undefined) return told.reason;
  if (!firesAt(lesson, call)) return 'trigger';
  if (await isWeak(parts, lesson)) return 'threshold';
  return parts.settings.dedup === 'session' && before.length > 0 ? 'dedup' : 'off';
}

async function isWeak({ store, settings }: Parts, lesson: Lesson): Promise<boolean> {
  const { confidence, priority, needsReview, triggers } = lesson;
  if (needsReview || confidence < settings.minConfidence || priority < settings.minPriority) return true;
  const record = (await store.listTrackRecords()).find(({ lessonId }) => lessonId === lesson.id);
  const measured = record && toMeasuredFactor(record);
  const { parts, total } = scoreLesson({
    ...{ triggers, priority, langs: listLangTags(lesson) },
    ...(measured === undefined ? {} : { measured }),
  });
  return parts.priority < 2 && total < settings.minScore;
}
