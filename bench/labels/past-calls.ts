/** The calls of a label set in the order of time, each with its place in a transcript and how it ended. */
import type { ReplayStep } from '../../src/loop/replay/read-sessions.ts';
import { toReplayOrder } from '../../src/loop/replay/time-order.ts';
import type { Place } from './label-set.ts';
import { isHidden, isSameReferenceIntent, type ReferenceCall } from './reference.ts';

export interface PastCall extends ReferenceCall {
  readonly step: ReplayStep;
  readonly place: Place;
  /** In the order of time among all calls. */
  readonly index: number;
  readonly session: string;
  readonly context: string;
  readonly projectId: string;
  readonly hasFailed: boolean;
  readonly hasWorked: boolean;
  /** Another command of its line decided the exit code. */
  readonly isHidden: boolean;
  /** The frozen signature of its failure, also of one that the line hid. */
  readonly reference: string | undefined;
}

export interface PastCalls {
  readonly all: readonly PastCall[];
  find(place: Place): PastCall | undefined;
  /** The next call of the same context and reference intent that worked visibly. */
  findFix(call: PastCall): PastCall | undefined;
  /** The calls of the same context between the two. */
  listBetween(call: PastCall, fix: PastCall): readonly PastCall[];
}

const MAX_STEPS_TO_FIX = 12;
const MAX_LINES_AWAY = 3;

export function toPastCalls(steps: readonly ReplayStep[]): PastCalls {
  const asked = toReplayOrder(steps).filter(({ kind }) => kind === 'ask');
  const all = asked.flatMap(({ step }, index) => toPastCall(step, index));
  const byFile = Map.groupBy(all, ({ place }) => toFileKey(place.file));
  const byContext = Map.groupBy(all, ({ context }) => context);
  const listNext = (call: PastCall): readonly PastCall[] => {
    const ofContext = byContext.get(call.context) ?? [];
    const at = ofContext.indexOf(call);
    return ofContext.slice(at + 1, at + 1 + MAX_STEPS_TO_FIX);
  };
  return {
    all,
    find: ({ file, line }) =>
      (byFile.get(toFileKey(file)) ?? [])
        .map((call) => ({ call, away: Math.abs(call.place.line - line) + (call.hasFailed ? 0 : 0.5) }))
        .filter(({ away }) => away <= MAX_LINES_AWAY)
        .sort((a, b) => a.away - b.away)[0]?.call,
    findFix: (call) =>
      listNext(call).find((next) => next.hasWorked && !next.isHidden && isSameReferenceIntent(call, next)),
    listBetween: (call, fix) => {
      const next = listNext(call);
      return next.slice(0, next.indexOf(fix));
    },
  };
}

function toFileKey(path: string): string {
  return path.split('/').slice(-2).join('/');
}

function toPastCall(step: ReplayStep, index: number): readonly PastCall[] {
  const { call, asked } = step;
  const place = step.endedAs?.evidence ?? call?.evidence;
  if (call === undefined || asked === undefined || place === undefined) return [];
  const { outcome } = { ...call, ...step.endedAs };
  const given = { tool: call.tool, command: call.command, path: call.targetPath, parameters: call.parameters };
  return [
    {
      ...given,
      ...{ step, place, index },
      session: place.file,
      context: `${place.file}\n${call.contextId}`,
      projectId: call.projectId,
      hasFailed: outcome === 'failure' || outcome === 'denied',
      hasWorked: outcome === 'success',
      isHidden: isHidden(given),
      reference: (step.failure ?? step.masked)?.reference ?? step.refusal,
    },
  ];
}
