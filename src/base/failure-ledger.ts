/**
 * What counts as a session, a failed call, a repeat and an avoidable failure: one definition for `start`, `stats`,
 * `failures` and `backtest`. Feed it calls in the order of time.
 */
import type { Call } from './call.ts';
import { isHookRun } from './is-hook-run.ts';
import { listIntents } from './to-intent-key.ts';

export type LedgerCall = Pick<
  Call,
  'agent' | 'sessionId' | 'projectId' | 'rawTool' | 'outcome' | 'masked' | 'program' | 'intentKey'
> & { readonly signatureId?: string | undefined };

export interface FailureCounts {
  /** Sessions with at least one call. */
  readonly sessions: number;
  /** Calls of agents. What an agent records about somebody's hooks is counted apart. */
  readonly calls: number;
  /** Failed calls, without those whose command hid the exit code. */
  readonly failures: number;
  /** Failures whose command hid the exit code, known from their text only. */
  readonly masked: number;
  readonly hookFailures: number;
  /** Failed calls whose signature occurred before, in the same session or the same project. */
  readonly repeats: number;
  /** Repeats of a failure after which a call of the same intent had already worked once. */
  readonly avoidable: number;
}

export interface JudgedFailure {
  readonly isRepeat: boolean;
  readonly isAvoidable: boolean;
}

/** An agent's own call that failed, and whose exit code nobody hid. */
export function isFailedCall(call: Pick<LedgerCall, 'outcome' | 'masked' | 'rawTool'>): boolean {
  return call.outcome === 'failure' && !call.masked && !isHookRun(call);
}

export function toSessionKey({ agent, sessionId }: Pick<LedgerCall, 'agent' | 'sessionId'>): string {
  return `${agent}\n${sessionId}`;
}

/** Takes one call after the other; of failed calls it gives what is known about them by then. */
export function makeFailureJudge(): (call: LedgerCall) => JudgedFailure | undefined {
  const projects = new Map<string, string>();
  const seen = new Set<string>();
  const solved = new Set<string>();
  /** By session, then intent: the failures that wait for a call that works. */
  const waiting = new Map<string, Map<string, Set<string>>>();
  const toKeys = (call: LedgerCall, signatureId: string): readonly string[] => {
    const session = toSessionKey(call);
    // A session belongs to the project it began in, wherever it went.
    return [`session\n${session}\n${signatureId}`, `project\n${projects.get(session)}\n${signatureId}`];
  };
  const settle = (call: LedgerCall): void => {
    const ofSession = waiting.get(toSessionKey(call));
    if (ofSession === undefined) return;
    for (const intent of toIntents(call)) {
      for (const key of ofSession.get(intent) ?? []) solved.add(key);
      ofSession.delete(intent);
    }
  };
  const wait = (call: LedgerCall, keys: readonly string[]): void => {
    const session = toSessionKey(call);
    const ofSession = waiting.get(session) ?? new Map<string, Set<string>>();
    waiting.set(session, ofSession);
    for (const intent of toIntents(call)) ofSession.set(intent, new Set([...(ofSession.get(intent) ?? []), ...keys]));
  };
  return (call) => {
    const session = toSessionKey(call);
    if (!projects.has(session)) projects.set(session, call.projectId);
    if (isHookRun(call)) return undefined;
    if (call.outcome === 'success' || call.outcome === 'partial') settle(call);
    if (!isFailedCall(call)) return undefined;
    if (call.signatureId === undefined) return { isRepeat: false, isAvoidable: false };
    const keys = toKeys(call, call.signatureId);
    const judged = {
      isRepeat: keys.some((key) => seen.has(key)),
      isAvoidable: keys.some((key) => solved.has(key)),
    };
    for (const key of keys) seen.add(key);
    wait(call, keys);
    return judged;
  };
}

/** Counts the calls that `isCounted` wants; the others are still the past of those. */
export function makeFailureCounter(isCounted: (call: LedgerCall) => boolean = () => true) {
  const judge = makeFailureJudge();
  const sessions = new Set<string>();
  const counts = { calls: 0, failures: 0, masked: 0, hookFailures: 0, repeats: 0, avoidable: 0 };
  return {
    add(call: LedgerCall): void {
      const judged = judge(call);
      if (!isCounted(call)) return;
      const isFailure = call.outcome === 'failure';
      if (isHookRun(call)) {
        if (isFailure) counts.hookFailures++;
        return;
      }
      sessions.add(toSessionKey(call));
      counts.calls++;
      if (isFailure && call.masked) counts.masked++;
      if (judged === undefined) return;
      counts.failures++;
      if (judged.isRepeat) counts.repeats++;
      if (judged.isAvoidable) counts.avoidable++;
    },
    read: (): FailureCounts => ({ sessions: sessions.size, ...counts }),
  };
}

/** Without an intent only the program tells. */
function toIntents({ intentKey = '', program }: Pick<LedgerCall, 'intentKey' | 'program'>): readonly string[] {
  const intents = listIntents(intentKey);
  return intents.length > 0 || program === undefined ? intents : [`program ${program}`];
}
