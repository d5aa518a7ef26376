/** Steps of the past, replayed, counted and named. Changes nothing. */
import type { Lesson } from '../../base/lesson.ts';
import type { ToProjectId } from '../../base/project-alias.ts';
import type { Settings } from '../../base/settings.ts';
import type { BacktestReport, FalseAlarms } from '../../measure/backtest-report.ts';
import { makeBacktestReport } from '../../measure/make-backtest-report.ts';
import type { ReplayedCall } from '../../measure/replayed-call.ts';
import { findStoredLesson } from './find-stored-lesson.ts';
import type { BacktestHistory, FullBacktest, KnownFalseAlarms } from './full-backtest.ts';
import type { ReplayStep } from './read-sessions.ts';
import { type Replay, replaySessions } from './replay-sessions.ts';

export interface BacktestRequest {
  readonly steps: readonly ReplayStep[];
  readonly settings: Settings;
  readonly history: BacktestHistory;
  readonly isCounted: (call: ReplayedCall) => boolean;
  /** Names of projects, by their id. */
  readonly labels: ReadonlyMap<string, string>;
  /** The lessons of the user's store. */
  readonly stored: readonly Lesson[];
  readonly toProjectId: ToProjectId;
  readonly onProgress: (line: string) => void;
}

export async function runBacktest(request: BacktestRequest): Promise<FullBacktest> {
  const { steps, settings, isCounted, labels, history, onProgress } = request;
  const byAgent = Map.groupBy(steps, ({ agent }) => agent);
  const replay = (of: readonly ReplayStep[], what: string): Promise<Replay> =>
    replaySessions(of, settings, {
      toProjectId: request.toProjectId,
      onProgress: (done, all) => onProgress(`Replaying ${what}${Math.floor((done * 100) / all)} %`),
    });
  const pooled = await replay(steps, '');
  const report = makeBacktestReport(pooled.calls, isCounted);
  const agents: Record<string, BacktestReport> = {};
  if (byAgent.size > 1)
    for (const [agent, own] of byAgent)
      agents[agent] = makeBacktestReport((await replay(own, `${agent} alone `)).calls, isCounted);
  return {
    ...report,
    perProject: report.perProject.map((one) => ({ ...one, name: labels.get(one.projectId) ?? one.projectId })),
    worstFalseAlarms: report.worstFalseAlarms.map((one) => toKnown(one, pooled, request)),
    ...(byAgent.size > 1 ? { agents } : {}),
    history,
  };
}

function toKnown(alarms: FalseAlarms, replay: Replay, { stored, toProjectId }: BacktestRequest): KnownFalseAlarms {
  const lesson = replay.lessons.find(({ slug }) => slug === alarms.lesson);
  const found = lesson && findStoredLesson(lesson, stored, toProjectId);
  return {
    ...alarms,
    summary: lesson?.summary ?? '',
    ...(found === undefined ? {} : { stored: { id: found.id, slug: found.slug, status: found.status } }),
  };
}
