/**
 * Makes the figures of `oncebitten stats` from the counts of the store: deliveries with their outcome, effect and cost,
 * recurrence of failures, priorities and feedback.
 */

import { type AddedCount, type DeliveryOutcome, isOfFailure } from '../base/model/delivery.ts';
import type { FeedbackSource, FeedbackVerdict } from '../base/model/feedback.ts';
import { DELIVERY_MODES, type DeliveryMode, LEVELS, type Lesson, type Level, toLevel } from '../base/model/lesson.ts';
import { compareTexts, dropAbsent } from '../base/records.ts';
import {
  AFTER_MEASURES,
  type AfterMeasure,
  type DeliveryCell,
  type DeliveryGrouping,
  type FeedbackCount,
  type LatencyFigures,
  type LessonRecurrence,
  type MissCount,
  type Tally,
} from '../base/statistics/delivery-counts.ts';
import { addSums, type Effect, findWilsonInterval, isKnownEffect, type Rate } from '../base/statistics/estimates.ts';
import type { FailureCounts } from '../base/statistics/failure-ledger.ts';
import { toMonday } from '../base/statistics/history.ts';
import { type Arms, type Comparison, compareArms, poolEffect } from './effects.ts';
export interface StatsInput {
  readonly since?: string;
  readonly calls?: FailureCounts;
  readonly added?: readonly AddedCount[];
  readonly cells: Readonly<Record<DeliveryGrouping, readonly DeliveryCell[]>>;
  readonly latency?: LatencyFigures;
  readonly missed: readonly MissCount[];
  readonly feedback: readonly FeedbackCount[];
  readonly recurrences: readonly LessonRecurrence[];
  /** Active lessons. */
  readonly lessons: readonly Pick<Lesson, 'priority'>[];
  /** Slugs of lessons by id, names of projects by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** With fewer calls before or after, nothing is compared. */
const MIN_CALLS = 5;
/** With a larger share of CRITICAL lessons, the level means nothing. */
const MAX_CRITICAL = 0.5;

export function makeStatsReport(input: StatsInput): StatsReport {
  const { since, calls, latency, missed, names } = input;
  const cells = mapCells(input.cells, (cell) => !isOfFailure(cell));
  const cures = input.cells.agent.filter(({ kind }) => kind === 'failure');
  const memory = input.cells.agent.filter(({ kind }) => kind === 'memory');
  const byLesson = toLessons({ ...input, cells });
  const recurrence = sumRecurrences(input.recurrences);
  return {
    ...dropAbsent({ since, calls }),
    ...(input.added === undefined ? {} : { added: toAdded(input.added) }),
    lessons: byLesson.filter(({ shown }) => shown > 0).length,
    totals: sumDeliveries(cells.agent),
    ...(cures.length === 0 ? {} : { cures: sumDeliveries(cures) }),
    ...(memory.length === 0 ? {} : { memory: sumDeliveries(memory) }),
    effects: countEffects(byLesson),
    ...dropAbsent({ latency }),
    missed: { total: missed.reduce((all, { count }) => all + count, 0), reasons: missed },
    ...dropAbsent({ recurrence }),
    priorities: toPriorities(input.lessons),
    feedback: countFeedback(input.feedback),
    by: {
      lesson: byLesson,
      project: group(cells.project, names),
      agent: group(cells.agent, names),
      day: group(cells.day, names).toSorted((a, b) => (a.key < b.key ? 1 : -1)),
      week: group(
        cells.day.map((cell) => ({ ...cell, key: toMonday(cell.key) })),
        names,
      ).toSorted((a, b) => (a.key < b.key ? 1 : -1)),
    },
  };
}

function mapCells(cells: StatsInput['cells'], isMeant: (cell: DeliveryCell) => boolean): StatsInput['cells'] {
  const { project, agent, day } = cells;
  return { project: project.filter(isMeant), agent: agent.filter(isMeant), day: day.filter(isMeant) };
}

function toAdded(kinds: readonly AddedCount[]): AddedTexts {
  const bytes = kinds.reduce((sum, one) => sum + one.bytes, 0);
  return { bytes, tokens: toTokens(bytes), kinds: kinds.map((one) => ({ ...one, tokens: toTokens(one.bytes) })) };
}

function group(cells: readonly DeliveryCell[], names: ReadonlyMap<string, string>): readonly StatsGroup[] {
  return [...Map.groupBy(cells, ({ key }) => key)]
    .map(([key, own]) => ({ key, name: names.get(key) ?? key, ...sumDeliveries(own) }))
    .sort((a, b) => b.shown - a.shown || compareTexts(a.key, b.key));
}

function toLessons({ cells, names, recurrences }: StatsInput): readonly LessonGroup[] {
  const around = new Map(recurrences.map((one) => [one.lessonId, one]));
  const own = cells.agent.map((cell) => ({ ...cell, key: cell.lessonId }));
  return group(own, names).map((one) => {
    const beforeAfter = toBeforeAfter(around.get(one.key));
    return { ...one, ...dropAbsent({ beforeAfter }) };
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

function countFeedback(counts: readonly FeedbackCount[]): StatsReport['feedback'] {
  const of = (from: FeedbackSource, verdict: FeedbackVerdict): number =>
    counts.find((one) => one.from === from && one.verdict === verdict)?.count ?? 0;
  return {
    user: { helpful: of('user', 'helpful'), 'not-helpful': of('user', 'not-helpful') },
    agent: { helpful: of('agent', 'helpful'), 'not-helpful': of('agent', 'not-helpful') },
  };
}

/** Usual for English text and code; each model has its own count. */
const BYTES_PER_TOKEN = 4;

/** Sums cells of deliveries: how many were shown, their verdicts and their cost. */
export function sumDeliveries(cells: readonly DeliveryCell[]): StatsFigures {
  const shown = cells.filter(({ arm }) => arm === 'shown');
  const atCalls = shown.filter(({ kind }) => kind !== 'session-start');
  const bytes = sum(shown, ({ bytes }) => bytes);
  const withheld = cells.filter(({ arm }) => arm === 'holdout');
  const modes = DELIVERY_MODES.map((mode) => [mode, count(atCalls.filter((cell) => cell.mode === mode))] as const);
  const effect = poolEffect([...Map.groupBy(cells, ({ lessonId }) => lessonId).values()].map(toArms));
  const oldVerdicts = sum(cells, (cell) => cell.oldVerdicts ?? 0);
  return {
    shown: count(shown),
    withheld: count(withheld),
    modes: Object.fromEntries(modes) as Record<DeliveryMode, number>,
    atStart: count(shown) - count(atCalls),
    outcomes: countOutcomes(atCalls),
    withheldOutcomes: countOutcomes(withheld),
    falseAlarms: toFalseAlarms(cells),
    bytes,
    tokens: toTokens(bytes),
    ...dropAbsent({ effect }),
    ...(oldVerdicts === 0 ? {} : { oldVerdicts }),
    after: toAfter(cells),
    cameBack: { shown: toCameBack(shown), withheld: toCameBack(withheld) },
  };
}

function toTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** The two arms of the random choice: notes shown at calls, and notes withheld from calls. */
function toArms(cells: readonly DeliveryCell[]): Arms {
  const atCalls = cells.filter(({ kind, mode }) => kind !== 'session-start' && kind !== 'task' && mode === 'note');
  return {
    note: toTally(atCalls.filter(({ arm }) => arm === 'shown')),
    withheld: toTally(atCalls.filter(({ arm }) => arm === 'holdout')),
  };
}

function toTally(cells: readonly DeliveryCell[]): Tally {
  const judged = cells.filter(({ outcome }) => outcome !== undefined && outcome !== 'incomplete');
  return {
    judged: count(judged),
    again: sum(judged, ({ again }) => again),
    failed: sum(judged, ({ failed }) => failed),
  };
}

/** Seconds and tokens are not counts of events, so only their observed variance is used. */
function toAfter(cells: readonly DeliveryCell[]): StatsFigures['after'] {
  const lessons = [...Map.groupBy(cells, ({ lessonId }) => lessonId).values()];
  const compared = AFTER_MEASURES.map((measure) => {
    const sumArm = (own: readonly DeliveryCell[], arm: DeliveryCell['arm']) =>
      addSums(own.filter((cell) => cell.arm === arm).map(({ after }) => after[measure]));
    const arms = lessons.map((own) => ({ shown: sumArm(own, 'shown'), withheld: sumArm(own, 'holdout') }));
    return [measure, compareArms(arms, measure === 'failingAttempts' || measure === 'callsToSuccess')] as const;
  });
  return Object.fromEntries(compared) as StatsFigures['after'];
}

function toCameBack(cells: readonly DeliveryCell[]): Rate {
  return { trials: sum(cells, ({ followed }) => followed), failures: sum(cells, ({ cameBack }) => cameBack) };
}

function countOutcomes(cells: readonly DeliveryCell[]): OutcomeCounts {
  const of = (outcome: DeliveryCell['outcome']): number => count(cells.filter((cell) => cell.outcome === outcome));
  return {
    clean: of('clean'),
    failed_anyway: of('failed_anyway'),
    ignored: of('ignored'),
    incomplete: of('incomplete'),
    open: of(undefined),
  };
}

function toFalseAlarms(cells: readonly DeliveryCell[]): StatsFigures['falseAlarms'] {
  const worked = sum(cells, ({ ownWorked }) => ownWorked);
  const calls = worked + sum(cells, ({ ownFailed }) => ownFailed);
  const interval = findWilsonInterval(worked, calls);
  if (interval === undefined) return { calls, worked };
  return { calls, worked, share: Math.round((worked / calls) * 1000) / 1000, interval };
}

function count(cells: readonly DeliveryCell[]): number {
  return sum(cells, (cell) => cell.count);
}

function sum(cells: readonly DeliveryCell[], read: (cell: DeliveryCell) => number): number {
  return cells.reduce((all, cell) => all + read(cell), 0);
}

/** `open`: not judged yet. */
export type OutcomeCounts = Readonly<Record<DeliveryOutcome | 'open', number>>;

/** Calls that worked although a note was shown or withheld at them, so that there was nothing to warn about. */
interface FalseAlarms {
  /** Calls whose end is known. */
  readonly calls: number;
  readonly worked: number;
  /** Absent without such calls. */
  readonly share?: number;
  /** Wilson's 95 % interval. */
  readonly interval?: readonly [low: number, high: number];
}

interface StatsFigures {
  readonly shown: number;
  readonly withheld: number;
  /** Shown at calls, by delivery mode. */
  readonly modes: Readonly<Record<DeliveryMode, number>>;
  /** Shown at the start of a session: about no call, and never judged. */
  readonly atStart: number;
  /** Verdicts on those shown at calls. */
  readonly outcomes: OutcomeCounts;
  readonly withheldOutcomes: OutcomeCounts;
  readonly falseAlarms: FalseAlarms;
  /** The size of the shown lessons without the text around them; a token counts as four bytes. */
  readonly bytes: number;
  readonly tokens: number;
  /**
   * Shown against withheld at random; of several lessons, each weighs as often as it was withheld. Absent while either
   * arm has fewer than five verdicts.
   */
  readonly effect?: Effect;
  /** Verdicts by the rules of an older version; counted as incomplete. Absent if there are none. */
  readonly oldVerdicts?: number;
  /** Measures after judged notes, shown against withheld. */
  readonly after: Readonly<Record<AfterMeasure, Comparison>>;
  /** Judged notes about a failure, and those after which a later session of the project failed that way. */
  readonly cameBack: { readonly shown: Rate; readonly withheld: Rate };
}

export interface StatsGroup extends StatsFigures {
  /** The id of the lesson or project, the agent, or the Monday of the week. */
  readonly key: string;
  /** The slug, or the name of the project. */
  readonly name: string;
}

interface LessonGroup extends StatsGroup {
  /** A comparison over time. It does not measure prevention, because other things may have changed too. */
  readonly beforeAfter?: BeforeAfter;
}

/** A share with its counts. */
export interface Share extends Rate {
  /** Absent if nothing was counted. */
  readonly share?: number;
  /** Wilson's 95 % interval. */
  readonly interval?: readonly [low: number, high: number];
}

interface BeforeAfter {
  readonly before: Share;
  readonly after: Share;
}

interface Recurrence extends BeforeAfter {
  readonly lessons: number;
}

interface Priorities {
  readonly active: number;
  readonly levels: Readonly<Record<Level, number>>;
  /** More than half are CRITICAL, so the level means nothing. */
  readonly isInflated: boolean;
}

/** A token counts as four bytes. */
interface AddedTexts {
  readonly bytes: number;
  readonly tokens: number;
  readonly kinds: readonly (AddedCount & { readonly tokens: number })[];
}

/** The shape of `oncebitten stats --json`. Times are UTC; shares are from 0 to 1. */
export interface StatsReport {
  readonly since?: string;
  /** Calls and failures, as `start`, `failures` and `backtest` count them; absent for a single lesson. */
  readonly calls?: FailureCounts;
  /** All text added to conversations, by kind; absent for a single lesson. */
  readonly added?: AddedTexts;
  /** Lessons that were shown at least once. */
  readonly lessons: number;
  /** Lessons only. */
  readonly totals: StatsFigures;
  /** Known fixes shown or withheld at failures; absent if there were none. */
  readonly cures?: StatsFigures;
  /** Warnings shown or withheld before calls that failed in earlier sessions; absent if there were none. */
  readonly memory?: StatsFigures;
  /** Lessons by the direction of their effect, if it is certain. */
  readonly effects: { readonly helpful: number; readonly harmful: number; readonly unclear: number };
  /** Absent if no lesson was delivered or withheld. */
  readonly latency?: LatencyFigures;
  readonly missed: { readonly total: number; readonly reasons: readonly MissCount[] };
  readonly recurrence?: Recurrence;
  readonly priorities: Priorities;
  readonly feedback: Readonly<Record<FeedbackSource, Readonly<Record<FeedbackVerdict, number>>>>;
  /** Most shown first; weeks newest first. */
  readonly by: {
    readonly lesson: readonly LessonGroup[];
    readonly project: readonly StatsGroup[];
    readonly agent: readonly StatsGroup[];
    readonly day: readonly StatsGroup[];
    readonly week: readonly StatsGroup[];
  };
}
