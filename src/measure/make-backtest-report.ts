/** The judged calls of a replay, counted. */

import { findWilsonInterval } from '../base/wilson-interval.ts';
import type {
  BacktestExample,
  BacktestFigures,
  BacktestReport,
  ClassFigures,
  ProjectFigures,
  SignatureFigures,
} from './backtest-report.ts';
import { FAILURE_CLASSES, type FailureClass } from './classify-failure.ts';
import { judgeAims } from './judge-aims.ts';
import { type JudgedCall, judgeReplay, type RepeatsBy } from './judge-replay.ts';
import { listFalseAlarms } from './list-false-alarms.ts';
import type { ReplayedCall } from './replayed-call.ts';

const MAX_EXAMPLES = 20;

/** Calls that are not counted are still the past of those that are. */
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
  const deliveriesPer100Calls = judged.length === 0 ? 0 : toRounded((all.deliveries * 100) / judged.length);
  const others = judged.flatMap(({ deliveries }) => deliveries).filter(({ delivery }) => delivery.class === undefined);
  return {
    sessions: new Set(judged.map(({ call }) => toSession(call))).size,
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
      sessions: new Set(ofProject.map(({ call }) => toSession(call))).size,
      calls: ofProject.length,
      ...count(ofProject, () => true),
    }))
    .sort((a, b) => b.calls - a.calls || (a.projectId < b.projectId ? -1 : 1));
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
          sessions: new Set(group.map(({ call }) => toSession(call))).size,
          repeats: group.filter(({ repeat }) => repeat).length,
          warned: group.filter(({ repeat, warned }) => repeat && warned).length,
        },
      ];
    })
    .sort((a, b) => b.repeats - a.repeats || b.failures - a.failures || (a.signature < b.signature ? -1 : 1));
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

function toSession({ agent, sessionId }: ReplayedCall): string {
  return `${agent}\n${sessionId}`;
}

function toShare(part: number, whole: number): number | null {
  return whole === 0 ? null : toRounded(part / whole);
}

function toRounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
