/**
 * Runs a back-test: replays past steps, counts the results, and adds the names of projects and of the matching stored
 * lessons to the report. A back-test changes nothing in the user's store.
 */

import type { LearnedForm, Lesson, LessonStatus } from '../../base/model/lesson.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import type { Settings } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import { toMergeKey } from '../../distill/lessons/hash-lesson.ts';
import type { ReplayedCall } from '../../measure/judge-replay.ts';
import {
  type BacktestReport,
  type FalseAlarms,
  makeBacktestReport,
  type ProjectFigures,
} from '../../measure/make-backtest-report.ts';
import type { SessionAnswer } from '../language-models/replay-answers.ts';
import type { ReplayStep } from './read-sessions.ts';
import { type Replay, replaySessions } from './replay-sessions.ts';

interface BacktestRequest {
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
  /** Answers of a model: the sessions are replayed once more with them. */
  readonly answers?: readonly SessionAnswer[];
}

export async function runBacktest(request: BacktestRequest): Promise<FullBacktest> {
  const { steps, settings, isCounted, labels, history, onProgress } = request;
  const byAgent = Map.groupBy(steps, ({ agent }) => agent);
  const replay = (of: readonly ReplayStep[], what: string, answers?: readonly SessionAnswer[]): Promise<Replay> =>
    replaySessions(of, settings, {
      toProjectId: request.toProjectId,
      ...dropAbsent({ answers }),
      onProgress: (done, all) => onProgress(`Replaying ${what}${Math.floor((done * 100) / all)} %`),
    });
  const pooled = await replay(steps, '');
  const report = makeBacktestReport(pooled.calls, isCounted);
  const agents: Record<string, BacktestReport> = {};
  if (byAgent.size > 1)
    for (const [agent, own] of byAgent)
      agents[agent] = makeBacktestReport((await replay(own, `${agent} alone `)).calls, isCounted);
  const { answers } = request;
  const answered = answers && (await replay(steps, 'with answers ', answers));
  return {
    ...report,
    ...(answers === undefined || answered === undefined
      ? {}
      : { withAnswers: toAnswered(answers, answered, makeBacktestReport(answered.calls, isCounted)) }),
    perProject: report.perProject.map((one) => ({ ...one, name: labels.get(one.projectId) ?? one.projectId })),
    worstFalseAlarms: report.worstFalseAlarms.map((one) => toKnown(one, pooled, request)),
    ...(byAgent.size > 1 ? { agents } : {}),
    history,
  };
}

function toAnswered(answers: readonly SessionAnswer[], { lessons }: Replay, report: BacktestReport): AnsweredBacktest {
  const proposed = lessons.filter(({ origin }) => origin.kind === 'model');
  const reasons = Map.groupBy(
    answers.flatMap(({ dropped }) => dropped),
    ({ reason }) => reason,
  );
  return {
    ...report,
    answers: answers.length,
    proposed: answers.reduce((sum, { found, dropped }) => sum + found.length + dropped.length, 0),
    active: proposed.filter(({ status }) => status === 'active').length,
    drafts: proposed.filter(({ status }) => status === 'draft').length,
    dropped: [...reasons].map(([reason, all]) => ({ reason, count: all.length })),
  };
}

/** The report of a replay in which a model answered at the end of each session. */
interface AnsweredBacktest extends BacktestReport {
  readonly answers: number;
  /** Failures that the answers were about. */
  readonly proposed: number;
  /** Lessons of the model at the end of the replay. */
  readonly active: number;
  readonly drafts: number;
  /** Before the gate. */
  readonly dropped: readonly { readonly reason: string; readonly count: number }[];
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

/** The report of a back-test with names of projects and lessons. */
export interface FullBacktest extends BacktestReport {
  readonly perProject: readonly NamedProjectFigures[];
  readonly worstFalseAlarms: readonly KnownFalseAlarms[];
  /** If there are several agents: the report of each, replayed alone. */
  readonly agents?: Readonly<Record<string, BacktestReport>>;
  readonly withAnswers?: AnsweredBacktest;
  readonly history: BacktestHistory;
}

export interface BacktestHistory {
  /** `path`: the given files. `store`: sessions in the store. `places`: the agents' own folders, because the store is empty. */
  readonly source: 'path' | 'store' | 'places';
  /** Sessions without a transcript, replayed from stored calls. */
  readonly storedSessions: number;
  /** Calls left out, because their text was removed. */
  readonly withoutText: number;
  /** Earlier calls are replayed, but not counted. */
  readonly since?: string;
  /** Only this project is counted. */
  readonly project?: string;
}

interface NamedProjectFigures extends ProjectFigures {
  readonly name: string;
}

export interface KnownFalseAlarms extends FalseAlarms {
  readonly summary: string;
  /** The same lesson in the user's store; absent if there is none. */
  readonly stored?: { readonly id: string; readonly slug: string; readonly status: LessonStatus };
}

/** Finds the stored lesson with the same text, or the one that learning would merge it with. */
function findStoredLesson(replayed: Lesson, stored: readonly Lesson[], toProjectId: ToProjectId): Lesson | undefined {
  const toKey = (form: LearnedForm, { origin }: Lesson): string =>
    toMergeKey({ ...form, origin }, form.scope.id && toProjectId(form.scope.id));
  const key = toKey(replayed, replayed);
  const tests: readonly ((lesson: Lesson) => boolean)[] = [
    (lesson) => toKey(lesson, lesson) === key,
    (lesson) => (lesson.learnedAs ?? []).some((form) => toKey(form, lesson) === key),
    ({ contentHash }) => contentHash === replayed.contentHash,
  ];
  // Active lessons before archived ones.
  const inOrder = stored.toSorted((a, b) => Number(a.status === 'archived') - Number(b.status === 'archived'));
  for (const isSame of tests) {
    const found = inOrder.find(isSame);
    if (found !== undefined) return found;
  }
  return undefined;
}
