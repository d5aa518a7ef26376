/** The figures of `oncebitten stats`, from what the store counted. */
import type { AddedCount } from '../base/added-text.ts';
import type {
  DeliveryCell,
  DeliveryGrouping,
  FeedbackCount,
  LatencyFigures,
  LessonRecurrence,
  MissCount,
} from '../base/delivery-counts.ts';
import { isKnownEffect, type Rate } from '../base/effect.ts';
import type { FailureCounts } from '../base/failure-ledger.ts';
import type { FeedbackSource, FeedbackVerdict } from '../base/feedback.ts';
import { LEVELS, type Lesson, type Level, toLevel } from '../base/lesson.ts';
import { toMonday } from '../base/sum-history.ts';
import { findWilsonInterval } from '../base/wilson-interval.ts';
import type {
  Added,
  BeforeAfter,
  LessonGroup,
  Priorities,
  Recurrence,
  Share,
  StatsGroup,
  StatsReport,
} from './stats-report.ts';
import { sumDeliveries, toTokens } from './sum-deliveries.ts';

export interface StatsInput {
  readonly since?: string;
  readonly calls?: FailureCounts;
  readonly added?: readonly AddedCount[];
  readonly cells: Readonly<Record<DeliveryGrouping, readonly DeliveryCell[]>>;
  readonly latency?: LatencyFigures;
  readonly missed: readonly MissCount[];
  readonly feedback: readonly FeedbackCount[];
  readonly recurrences: readonly LessonRecurrence[];
  /** Active ones. */
  readonly lessons: readonly Pick<Lesson, 'priority'>[];
  /** Slugs of lessons by id, names of projects by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** With fewer calls before or since there is nothing to compare. */
const MIN_CALLS = 5;
/** More of them are no longer told apart. */
const MAX_CRITICAL = 0.5;

export function makeStatsReport(input: StatsInput): StatsReport {
  const { since, calls, cells, latency, missed, names } = input;
  const byLesson = toLessons(input);
  const recurrence = sumRecurrences(input.recurrences);
  return {
    ...(since === undefined ? {} : { since }),
    ...(calls === undefined ? {} : { calls }),
    ...(input.added === undefined ? {} : { added: toAdded(input.added) }),
    lessons: byLesson.filter(({ shown }) => shown > 0).length,
    totals: sumDeliveries(cells.agent),
    effects: countEffects(byLesson),
    ...(latency === undefined ? {} : { latency }),
    missed: { total: missed.reduce((all, { count }) => all + count, 0), reasons: missed },
    ...(recurrence === undefined ? {} : { recurrence }),
    priorities: toPriorities(input.lessons),
    feedback: countVoices(input.feedback),
    by: {
      lesson: byLesson,
      project: group(cells.project, names),
      agent: group(cells.agent, names),
      week: group(
        cells.day.map((cell) => ({ ...cell, key: toMonday(cell.key) })),
        names,
      ).toSorted((a, b) => (a.key < b.key ? 1 : -1)),
    },
  };
}

function toAdded(kinds: readonly AddedCount[]): Added {
  const bytes = kinds.reduce((sum, one) => sum + one.bytes, 0);
  return { bytes, tokens: toTokens(bytes), kinds: kinds.map((one) => ({ ...one, tokens: toTokens(one.bytes) })) };
}

function group(cells: readonly DeliveryCell[], names: ReadonlyMap<string, string>): readonly StatsGroup[] {
  return [...Map.groupBy(cells, ({ key }) => key)]
    .map(([key, own]) => ({ key, name: names.get(key) ?? key, ...sumDeliveries(own) }))
    .sort((a, b) => b.shown - a.shown || (a.key < b.key ? -1 : 1));
}

function toLessons({ cells, names, recurrences }: StatsInput): readonly LessonGroup[] {
  const around = new Map(recurrences.map((one) => [one.lessonId, one]));
  const own = cells.agent.map((cell) => ({ ...cell, key: cell.lessonId }));
  return group(own, names).map((one) => {
    const beforeAfter = toBeforeAfter(around.get(one.key));
    return { ...one, ...(beforeAfter === undefined ? {} : { beforeAfter }) };
  });
}

function toBeforeAfter(around: LessonRecurrence | undefined): BeforeAfter | undefined {
  if (around === undefined || Math.min(around.before.trials, around.after.trials) < MIN_CALLS) return undefined;
  return { before: toShare(around.before), after: toShare(around.after) };
}

function toShare({ trials, failures }: Rate): Share {
  const interval = findWilsonInterval(failures, trials);
  if (interval === undefined) return { trials, failures };
  return { trials, failures, share: Math.round((failures / trials) * 1000) / 1000, interval };
}

function countEffects(lessons: readonly LessonGroup[]): StatsReport['effects'] {
  const known = lessons.flatMap(({ effect }) => (effect !== undefined && isKnownEffect(effect) ? [effect] : []));
  const helpful = known.filter(({ interval: [low] }) => low > 0).length;
  return { helpful, harmful: known.length - helpful, unclear: lessons.length - known.length };
}

function sumRecurrences(all: readonly LessonRecurrence[]): Recurrence | undefined {
  if (all.length === 0) return undefined;
  const add = (rates: readonly Rate[]): Rate => ({
    trials: rates.reduce((sum, { trials }) => sum + trials, 0),
    failures: rates.reduce((sum, { failures }) => sum + failures, 0),
  });
  return {
    lessons: all.length,
    before: toShare(add(all.map(({ before }) => before))),
    after: toShare(add(all.map(({ after }) => after))),
  };
}

function toPriorities(lessons: StatsInput['lessons']): Priorities {
  const of = (level: Level): number => lessons.filter(({ priority }) => toLevel(priority) === level).length;
  const levels = Object.fromEntries(LEVELS.map((level) => [level, of(level)])) as Record<Level, number>;
  return { active: lessons.length, levels, isInflated: levels.CRITICAL > lessons.length * MAX_CRITICAL };
}

function countVoices(counts: readonly FeedbackCount[]): StatsReport['feedback'] {
  const of = (from: FeedbackSource, verdict: FeedbackVerdict): number =>
    counts.find((one) => one.from === from && one.verdict === verdict)?.count ?? 0;
  return {
    user: { helpful: of('user', 'helpful'), 'not-helpful': of('user', 'not-helpful') },
    agent: { helpful: of('agent', 'helpful'), 'not-helpful': of('agent', 'not-helpful') },
  };
}
