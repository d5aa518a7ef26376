/**
 * Judges the calls of a replay, in time order: which failures were repeats, which of them were warned of, and which
 * deliveries were hits. A failure is a repeat if its signature occurred earlier in the session or in an earlier session
 * of the project (`base/statistics/failure-ledger.ts`; a bench counts by its own reference signature instead), and it
 * is warned of if a lesson about the signature was shown at that call or earlier in the session. A delivery is a hit if
 * that very call failed with the lesson's signature, also where the command hid the failure, or was refused like the
 * call that taught the lesson; for class `verdict`, the signature may appear anywhere in the rest of the session.
 */

import { toSessionKey } from '../base/model/session.ts';
import type { JudgedFailure } from '../base/statistics/failure-ledger.ts';
import type { FailureClass } from '../base/statistics/failures.ts';

export interface JudgedCall {
  readonly call: ReplayedCall;
  /** Absent if the call did not fail. */
  readonly repeat?: boolean;
  readonly warned?: boolean;
  /** A repeat of a failure that had already been followed by a success. */
  readonly learnable?: boolean;
  readonly deliveries: readonly { readonly delivery: ReplayedDelivery; readonly hit: boolean }[];
}

/** This many calls later, the same program is used for something else. */
const FIX_STEPS = 8;

/** `reference`: repeats by the frozen signature, so that finer signatures of ours cannot improve a bench. */
export type RepeatsBy = 'signature' | 'reference';

export function judgeReplay(calls: readonly ReplayedCall[], by: RepeatsBy = 'signature'): readonly JudgedCall[] {
  const past = openPast();
  const shown = new Map<string, Set<string>>();
  const isAhead = makeIsAhead(calls);
  const toRepeat = (call: ReplayedCall, reference: string) => {
    if (by === 'reference' || call.judged === undefined) return past.judge(call, reference);
    return { repeat: call.judged.isRepeat, learnable: call.judged.isAvoidable };
  };
  return calls.map((call, index) => {
    const session = toSessionKey(call);
    const known = shown.get(session) ?? new Set();
    shown.set(session, known);
    for (const { references } of call.deliveries) for (const one of references) known.add(one);
    const deliveries = call.deliveries.map((delivery) => ({ delivery, hit: isHit(delivery, call, index, isAhead) }));
    const { failure } = call;
    const judged =
      failure === undefined ? {} : { ...toRepeat(call, failure.reference), warned: known.has(failure.reference) };
    past.add(call);
    return { call, ...judged, deliveries };
  });
}

type IsAhead = (session: string, reference: string, index: number) => boolean;

function isHit(delivery: ReplayedDelivery, call: ReplayedCall, index: number, isAhead: IsAhead): boolean {
  if (delivery.class === 'verdict')
    return delivery.references.some((reference) => isAhead(toSessionKey(call), reference, index));
  const came = delivery.class === undefined ? call.refusal : (call.failure ?? call.masked)?.reference;
  return came !== undefined && delivery.references.includes(came);
}

/** Does the signature occur in the session at this call or after it? */
function makeIsAhead(calls: readonly ReplayedCall[]): IsAhead {
  const last = new Map<string, number>();
  for (const [index, call] of calls.entries()) {
    if (call.failure !== undefined) last.set(`${toSessionKey(call)}\n${call.failure.reference}`, index);
  }
  return (session, reference, index) => (last.get(`${session}\n${reference}`) ?? -1) >= index;
}

interface Open {
  readonly program: string;
  readonly keys: readonly string[];
  steps: number;
}

/** The signatures seen so far, and those that were followed by a success. */
function openPast() {
  const seen = new Set<string>();
  const fixedAt = new Map<string, string>();
  const open = new Map<string, Open[]>();
  /** The project that each session began in; all failures of the session belong to it. */
  const begun = new Map<string, string>();
  const toKeys = (call: ReplayedCall, reference: string): readonly string[] => [
    `session\n${toSessionKey(call)}\n${reference}`,
    `project\n${begun.get(toSessionKey(call)) ?? call.projectId}\n${reference}`,
  ];
  const close = (call: ReplayedCall): void => {
    const session = toSessionKey(call);
    const waiting = (open.get(session) ?? []).filter((one) => ++one.steps <= FIX_STEPS);
    const isFixed = ({ program }: Open): boolean => call.worked && program === call.program;
    for (const one of waiting.filter(isFixed))
      for (const key of one.keys) if (!fixedAt.has(key)) fixedAt.set(key, call.endedAt);
    open.set(
      session,
      waiting.filter((one) => !isFixed(one)),
    );
  };
  return {
    judge(call: ReplayedCall, reference: string): { readonly repeat: boolean; readonly learnable: boolean } {
      const keys = toKeys(call, reference);
      const repeat = keys.some((key) => seen.has(key));
      return { repeat, learnable: repeat && keys.some((key) => (fixedAt.get(key) ?? '~') < call.at) };
    },
    add(call: ReplayedCall): void {
      close(call);
      if (!begun.has(toSessionKey(call))) begun.set(toSessionKey(call), call.projectId);
      if (call.failure === undefined) return;
      const keys = toKeys(call, call.failure.reference);
      for (const key of keys) seen.add(key);
      open.get(toSessionKey(call))?.push({ program: call.program, keys, steps: 0 });
    },
  };
}

/** A past call in a replay: how it ended, and which lessons would have been shown at it. */
export interface ReplayedCall {
  readonly agent: string;
  readonly sessionId: string;
  /** The project of the call; joined ids are resolved. */
  readonly projectId: string;
  readonly callId: string;
  readonly at: string;
  /** When its outcome was known. */
  readonly endedAt: string;
  /** The program by the reference signature. */
  readonly program: string;
  /** The call worked, so it may be the fix of an earlier failure of the same program. */
  readonly worked: boolean;
  readonly failure?: ReplayedFailure;
  /** By the ledger that all reports share; absent if the call did not fail. */
  readonly judged?: JudgedFailure;
  /** A failure that its command hid, known only from its text. It is not a repeat, but a delivery can hit it. */
  readonly masked?: ReplayedFailure;
  /** The call was refused. That is not a failure, but a lesson may have been learned from a similar refusal. */
  readonly refusal?: string;
  readonly deliveries: readonly ReplayedDelivery[];
  /** A redacted, short description for examples. */
  readonly what: string;
}

export interface ReplayedFailure {
  readonly class: FailureClass;
  /** The reference signature. */
  readonly reference: string;
}

export interface ReplayedDelivery {
  readonly lessonId: string;
  readonly slug: string;
  /** The class of the failure that taught the lesson; absent if something else taught it. */
  readonly class?: FailureClass;
  /** The reference signatures of the failures or refusals that the lesson was learned from by then. */
  readonly references: readonly string[];
}
