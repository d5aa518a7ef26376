/**
 * Counts the judged calls of a replay into the back-test report: repeated failures, warnings, hits, false alarms, and
 * whether the figures reach their aims. The aims are rows of a table, so a changed bound changes only here.
 */

import { toSessionKey } from '../base/model/session.ts';
import { compareTexts } from '../base/records.ts';
import { findWilsonInterval, toThousandths } from '../base/statistics/estimates.ts';
import { FAILURE_CLASSES, type FailureClass } from '../base/statistics/failures.ts';
import { type JudgedCall, judgeReplay, type RepeatsBy, type ReplayedCall } from './judge-replay.ts';

const MAX_EXAMPLES = 20;

/** Calls that are not counted still count as the past of the others. */
export function makeBacktestReport(
  calls: readonly ReplayedCall[],
  isCounted: (call: ReplayedCall) => boolean = () => true,
  by: RepeatsBy = 'signature',
): BacktestReport {
  const judged = judgeReplay(calls, by).filter(({ call }) => isCounted(call));
  return {
    ...toFigures(judged),
    perProject: toProjects(judged),
    perSignature: toSignatures(judged),
    examples: toExamples(judged),
    worstFalseAlarms: listFalseAlarms(judged),
  };
}

function toFigures(judged: readonly JudgedCall[]): BacktestFigures {
  const all = count(judged, () => true);
  const counted = FAILURE_CLASSES.map((one) => [one, count(judged, (found) => found === one)] as const);
  const classes = Object.fromEntries(counted) as Record<FailureClass, ClassFigures>;
  const deliveriesPer100Calls = judged.length === 0 ? 0 : toThousandths((all.deliveries * 100) / judged.length);
  const others = judged.flatMap(({ deliveries }) => deliveries).filter(({ delivery }) => delivery.class === undefined);
  return {
    sessions: new Set(judged.map(({ call }) => toSessionKey(call))).size,
    calls: judged.length,
    failures: all.failures,
    deliveries: all.deliveries,
    deliveriesPer100Calls,
    classes,
    aims: judgeAims({ calls: judged.length, classes, deliveriesPer100Calls }),
    all,
    learnable: count(judged, () => true, true),
    masked: toMasked(judged),
    unclassed: { deliveries: others.length, hits: others.filter(({ hit }) => hit).length },
  };
}

function toMasked(judged: readonly JudgedCall[]): BacktestFigures['masked'] {
  const hidden = judged.flatMap(({ call }) => (call.masked === undefined ? [] : [{ ...call, masked: call.masked }]));
  const isHit = (call: (typeof hidden)[number]): boolean =>
    call.deliveries.some(({ references }) => references.includes(call.masked.reference));
  return { failures: hidden.length, hits: hidden.filter(isHit).length };
}

function count(
  judged: readonly JudgedCall[],
  isWanted: (found: FailureClass | undefined) => boolean,
  isLearnable = false,
): ClassFigures {
  const failed = judged.filter(({ call }) => call.failure !== undefined && isWanted(call.failure.class));
  const repeats = failed.filter(({ repeat, learnable }) => (isLearnable ? learnable : repeat));
  const warned = repeats.filter((one) => one.warned === true).length;
  const shown = judged.flatMap(({ deliveries }) => deliveries).filter(({ delivery }) => isWanted(delivery.class));
  const hits = shown.filter(({ hit }) => hit).length;
  return {
    failures: failed.length,
    repeats: repeats.length,
    warned,
    deliveries: shown.length,
    hits,
    recall: toShare(warned, repeats.length),
    recallInterval: findWilsonInterval(warned, repeats.length) ?? null,
    precision: toShare(hits, shown.length),
    precisionInterval: findWilsonInterval(hits, shown.length) ?? null,
  };
}

function toProjects(judged: readonly JudgedCall[]): readonly ProjectFigures[] {
  return [...Map.groupBy(judged, ({ call }) => call.projectId)]
    .map(([projectId, ofProject]) => ({
      projectId,
      sessions: new Set(ofProject.map(({ call }) => toSessionKey(call))).size,
      calls: ofProject.length,
      ...count(ofProject, () => true),
    }))
    .sort((a, b) => b.calls - a.calls || compareTexts(a.projectId, b.projectId));
}

function toSignatures(judged: readonly JudgedCall[]): readonly SignatureFigures[] {
  const groups = Map.groupBy(judged, ({ call }) => call.failure && `${call.failure.class}\n${call.failure.reference}`);
  return [...groups.values()]
    .flatMap((group): readonly SignatureFigures[] => {
      const failure = group[0]?.call.failure;
      if (failure === undefined) return [];
      return [
        {
          signature: failure.reference,
          class: failure.class,
          failures: group.length,
          sessions: new Set(group.map(({ call }) => toSessionKey(call))).size,
          repeats: group.filter(({ repeat }) => repeat).length,
          warned: group.filter(({ repeat, warned }) => repeat && warned).length,
        },
      ];
    })
    .sort((a, b) => b.repeats - a.repeats || b.failures - a.failures || compareTexts(a.signature, b.signature));
}

function toExamples(judged: readonly JudgedCall[]): readonly BacktestExample[] {
  const shown = judged.flatMap(({ call, deliveries }) =>
    deliveries.map(({ delivery, hit }): BacktestExample => {
      const kind = hit ? 'hit' : 'false-alarm';
      const found = delivery.class === undefined ? {} : { class: delivery.class };
      return { kind, ...found, ...toPlace(call), lesson: delivery.slug };
    }),
  );
  const missed = judged
    .filter(({ repeat, warned }) => repeat && !warned)
    .map(({ call }): BacktestExample => ({ kind: 'missed', ...toPlace(call) }));
  const commands = missed.filter((one) => one.class === 'command');
  const firstOf = (list: readonly BacktestExample[]) => list.slice(0, MAX_EXAMPLES);
  const byKind = (kind: BacktestExample['kind']) => shown.filter((one) => one.kind === kind);
  return [...firstOf(byKind('hit')), ...firstOf(byKind('false-alarm')), ...firstOf(commands)];
}

function toPlace({ agent, sessionId, callId, at, what, failure }: ReplayedCall) {
  const failed = failure === undefined ? {} : { class: failure.class, signature: failure.reference };
  return { agent, sessionId, callId, at, what, ...failed };
}

function toShare(part: number, whole: number): number | null {
  return whole === 0 ? null : toThousandths(part / whole);
}

const SHARES = [
  { of: 'command', figure: 'precision', atLeast: 0.6 },
  { of: 'command', figure: 'recall', atLeast: 0.35 },
  { of: 'verdict', figure: 'precision', atLeast: 0.3 },
  { of: 'verdict', figure: 'recall', atLeast: 0.3 },
] as const;
const MAX_PER_100_CALLS = 1;

type Figures = Pick<BacktestFigures, 'calls' | 'deliveriesPer100Calls'> & {
  readonly classes: Readonly<Record<'command' | 'verdict', Pick<ClassFigures, 'precision' | 'recall'>>>;
};

/** The targets of a back-test and whether they are reached, one row each. */
export function judgeAims({ calls, classes, deliveriesPer100Calls }: Figures): readonly Target[] {
  const shares = SHARES.map((aim): Target => {
    const value = classes[aim.of][aim.figure];
    return { ...aim, value, isMet: value === null ? null : value >= aim.atLeast };
  });
  const value = calls === 0 ? null : deliveriesPer100Calls;
  const isMet = value === null ? null : value <= MAX_PER_100_CALLS;
  return [...shares, { of: 'all', figure: 'deliveriesPer100Calls', atMost: MAX_PER_100_CALLS, value, isMet }];
}

const MAX_LESSONS = 20;

/** Lessons of a replay with false alarms, most false alarms first. */
function listFalseAlarms(judged: readonly JudgedCall[]): readonly FalseAlarms[] {
  const shown = judged.flatMap(({ call, deliveries }) => deliveries.map((one) => ({ ...one, call })));
  return [...Map.groupBy(shown, ({ delivery }) => delivery.slug)]
    .flatMap(([lesson, all]): readonly FalseAlarms[] => {
      const wrong = all.filter(({ hit }) => !hit);
      const last = wrong.at(-1);
      if (last === undefined) return [];
      const { agent, sessionId, callId, at, what } = last.call;
      const found = last.delivery.class;
      return [
        {
          lesson,
          ...(found === undefined ? {} : { class: found }),
          ...{ deliveries: all.length, hits: all.length - wrong.length, falseAlarms: wrong.length },
          example: { agent, sessionId, callId, at, what },
        },
      ];
    })
    .sort((a, b) => b.falseAlarms - a.falseAlarms || a.hits - b.hits || compareTexts(a.lesson, b.lesson))
    .slice(0, MAX_LESSONS);
}

/** The result of a replay: how many failures repeated an earlier one, how many were warned of, and the noise. */
export interface BacktestReport extends BacktestFigures {
  readonly perProject: readonly ProjectFigures[];
  readonly perSignature: readonly SignatureFigures[];
  readonly examples: readonly BacktestExample[];
  readonly worstFalseAlarms: readonly FalseAlarms[];
}

interface BacktestFigures {
  readonly sessions: number;
  readonly calls: number;
  readonly failures: number;
  readonly deliveries: number;
  readonly deliveriesPer100Calls: number;
  readonly classes: Readonly<Record<FailureClass, ClassFigures>>;
  /** The targets for these figures. */
  readonly aims: readonly Target[];
  /** All repeats and deliveries, of any class. */
  readonly all: ClassFigures;
  /** Only avoidable repeats: a call of the same intent had already worked after the failure. */
  readonly learnable: ClassFigures;
  /** Failures that their commands hid, and deliveries that hit one of them; neither is counted above. */
  readonly masked: { readonly failures: number; readonly hits: number };
  /** Deliveries of lessons that something else than a failure taught, so they have no class. */
  readonly unclassed: { readonly deliveries: number; readonly hits: number };
}

/** The target of one figure. */
export interface Target {
  /** The class of failures; `all`: any class. */
  readonly of: 'command' | 'verdict' | 'all';
  readonly figure: 'precision' | 'recall' | 'deliveriesPer100Calls';
  /** Exactly one of these two is present. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Null without a denominator. */
  readonly value: number | null;
  /** Null if it cannot be decided. */
  readonly isMet: boolean | null;
}

export type Interval = readonly [low: number, high: number];

export interface ClassFigures {
  readonly failures: number;
  /** Failures whose signature occurred earlier in the session or in an earlier session of the project. */
  readonly repeats: number;
  /** Repeats with a lesson about the signature shown at or before them in their session. */
  readonly warned: number;
  readonly deliveries: number;
  readonly hits: number;
  /** `warned / repeats`; null without a denominator. */
  readonly recall: number | null;
  readonly recallInterval: Interval | null;
  /** `hits / deliveries`. */
  readonly precision: number | null;
  readonly precisionInterval: Interval | null;
}

export interface ProjectFigures extends ClassFigures {
  readonly projectId: string;
  readonly sessions: number;
  readonly calls: number;
}

interface SignatureFigures {
  readonly signature: string;
  readonly class: FailureClass;
  readonly failures: number;
  readonly sessions: number;
  readonly repeats: number;
  readonly warned: number;
}

interface BacktestExample {
  /** `hit`: shown at a call that failed. `false-alarm`: at one that did not. `missed`: a repeat without a warning. */
  readonly kind: 'hit' | 'false-alarm' | 'missed';
  readonly class?: FailureClass;
  readonly agent: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly at: string;
  readonly what: string;
  readonly signature?: string;
  readonly lesson?: string;
}

/** A lesson with false alarms. */
export interface FalseAlarms {
  /** The lesson's name in the replay. */
  readonly lesson: string;
  readonly class?: FailureClass;
  readonly deliveries: number;
  readonly hits: number;
  readonly falseAlarms: number;
  /** The last false alarm. */
  readonly example: Pick<BacktestExample, 'agent' | 'sessionId' | 'callId' | 'at' | 'what'>;
}
