/**
 * Defines what counts as a session, a failed call, a repeat and an avoidable failure, for `start`, `stats`, `failures`
 * and `backtest`. Give it the calls in the order of time.
 */

import type { Call } from '../model/call.ts';
import { hasWorked } from '../model/event.ts';
import { toSessionKey } from '../model/session.ts';
import { isHookRun } from '../model/tool.ts';
import { listIntents } from '../shell/intent.ts';
import { addSums, type MeanFigure, NO_SUMS, type Sums, toMean } from './estimates.ts';

export type LedgerCall = Pick<Call, 'agent' | 'sessionId' | 'projectId' | 'rawTool' | 'outcome' | 'masked'> & {
  readonly [K in 'program' | 'intentKey' | 'tokens']?: Call[K] | undefined;
} & {
  readonly signatureId?: string | undefined;
  readonly contextId?: string | undefined;
  /** The start of the call, and its end where that is known. */
  readonly at?: string | undefined;
  readonly durationMs?: number | undefined;
};

export interface FailureCounts {
  /** Sessions with at least one call. */
  readonly sessions: number;
  /** Calls of agents. Runs of the user's hooks are counted separately. */
  readonly calls: number;
  /** Failed calls, without those whose command hid the exit code. */
  readonly failures: number;
  /** Failures whose command hid the exit code, known only from their text. */
  readonly masked: number;
  readonly hookFailures: number;
  /** Failed calls whose signature occurred before, in the same session or the same project. */
  readonly repeats: number;
  /** Repeats of a failure after which a call of the same intent had already worked. */
  readonly avoidable: number;
  /** The days with failed calls, oldest first. */
  readonly days: readonly FailureDay[];
  readonly cost: FailureCost;
}

/** The counts, and by signature what it took to get past a failure. */
export interface FailureLedger {
  readonly counts: FailureCounts;
  readonly fixes: ReadonlyMap<string, FixCost>;
}

interface FailureDay {
  /** `2026-01-31`, in UTC. */
  readonly day: string;
  readonly failures: number;
  readonly repeats: number;
}

/**
 * The cost from each failed call until a call of the same intent in the same context worked; consecutive failures of
 * one intent count as one.
 */
interface FailureCost {
  /** Failures that began such a sequence, and those that reached its end. */
  readonly begun: number;
  readonly solved: number;
  /** The calls until then, including the one that worked. */
  readonly calls: MeanFigure;
  readonly seconds: MeanFigure;
  /** Tokens that the model read uncached and wrote, if the agent records them. */
  readonly tokens: MeanFigure;
}

export interface JudgedFailure {
  readonly isRepeat: boolean;
  readonly isAvoidable: boolean;
}

/** An agent's own call that failed without hiding its exit code. */
export function isFailedCall(call: Pick<LedgerCall, 'outcome' | 'masked' | 'rawTool'>): boolean {
  return call.outcome === 'failure' && !call.masked && !isHookRun(call);
}

/** Takes one call after the other and returns, for failed calls, what is known about them by then. */
export function makeFailureJudge(): (call: LedgerCall) => JudgedFailure | undefined {
  const projects = new Map<string, string>();
  const seen = new Set<string>();
  const solved = new Set<string>();
  /** By session, then intent: failures that wait for a call that works. */
  const waiting = new Map<string, Map<string, Set<string>>>();
  const toKeys = (call: LedgerCall, signatureId: string): readonly string[] => {
    const session = toSessionKey(call);
    // A session belongs to the project it began in, wherever it went later.
    return [`session\n${session}\n${signatureId}`, `project\n${projects.get(session)}\n${signatureId}`];
  };
  const settle = (call: LedgerCall): void => {
    const ofSession = waiting.get(toSessionKey(call));
    if (ofSession === undefined) return;
    for (const intent of listIntentsOrProgram(call)) {
      for (const key of ofSession.get(intent) ?? []) solved.add(key);
      ofSession.delete(intent);
    }
  };
  const wait = (call: LedgerCall, keys: readonly string[]): void => {
    const session = toSessionKey(call);
    const ofSession = waiting.get(session) ?? new Map<string, Set<string>>();
    waiting.set(session, ofSession);
    for (const intent of listIntentsOrProgram(call))
      ofSession.set(intent, new Set([...(ofSession.get(intent) ?? []), ...keys]));
  };
  return (call) => {
    const session = toSessionKey(call);
    if (!projects.has(session)) projects.set(session, call.projectId);
    if (isHookRun(call)) return undefined;
    if (hasWorked(call)) settle(call);
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

/** What it took to get past the failures of one signature: the calls until one of the same intent worked. */
export interface FixCost {
  readonly begun: number;
  readonly solved: number;
  readonly calls: Sums;
}

const ALL_CALLS = (): boolean => true;

/**
 * Counts the calls that `isCounted` selects; the others still count as their past. Of the failed ones it counts those
 * that `isOfKind` selects, too.
 */
export function makeFailureCounter(
  isCounted: (call: LedgerCall) => boolean = ALL_CALLS,
  isOfKind: (call: LedgerCall) => boolean = ALL_CALLS,
) {
  const judge = makeFailureJudge();
  const sessions = new Set<string>();
  const counts = { calls: 0, failures: 0, masked: 0, hookFailures: 0, repeats: 0, avoidable: 0 };
  const days = new Map<string, { failures: number; repeats: number }>();
  const costs = openCosts();
  const addDay = ({ at = '' }: LedgerCall, { isRepeat }: JudgedFailure): void => {
    const day = days.get(at.slice(0, DAY_CHARS)) ?? { failures: 0, repeats: 0 };
    days.set(at.slice(0, DAY_CHARS), day);
    day.failures++;
    if (isRepeat) day.repeats++;
  };
  return {
    add(call: LedgerCall): void {
      const judged = judge(call);
      const isWanted = isCounted(call);
      const isMeant = isWanted && isOfKind(call);
      costs.add(call, isMeant);
      if (!isWanted) return;
      const isFailure = call.outcome === 'failure' && isMeant;
      if (isHookRun(call)) {
        if (isFailure) counts.hookFailures++;
        return;
      }
      sessions.add(toSessionKey(call));
      counts.calls++;
      if (isFailure && call.masked) counts.masked++;
      if (judged === undefined || !isMeant) return;
      counts.failures++;
      if (judged.isRepeat) counts.repeats++;
      if (judged.isAvoidable) counts.avoidable++;
      addDay(call, judged);
    },
    read: (): FailureCounts => ({
      sessions: sessions.size,
      ...counts,
      days: [...days].map(([day, some]) => ({ day, ...some })).filter(({ day }) => day !== ''),
      cost: costs.read(),
    }),
    /** By signature. */
    readFixes: (): ReadonlyMap<string, FixCost> => costs.readFixes(),
  };
}

const DAY_CHARS = 'yyyy-mm-dd'.length;

/** The progress of a context, and the starts of its open failures. */
interface Way {
  calls: number;
  tokens: number;
  hasTokens: boolean;
  readonly open: Map<string, Start>;
}

interface Start {
  readonly atMs: number;
  readonly calls: number;
  readonly tokens: number;
  readonly signatureId: string;
}

/** Adds one call to its context. */
function walk(ways: Map<string, Way>, call: LedgerCall): Way {
  const key = `${toSessionKey(call)}\n${call.contextId ?? ''}`;
  const way = ways.get(key) ?? { calls: 0, tokens: 0, hasTokens: false, open: new Map() };
  ways.set(key, way);
  way.calls++;
  way.hasTokens ||= call.tokens !== undefined;
  way.tokens += (call.tokens?.input ?? 0) + (call.tokens?.output ?? 0);
  return way;
}

/** A failure that nobody returned to for hours was not worked on all that time. */
const LONGEST_MS = 4 * 60 * 60_000;

const NO_FIX: FixCost = { begun: 0, solved: 0, calls: NO_SUMS };

function openCosts() {
  const ways = new Map<string, Way>();
  let [begun, solved] = [0, 0];
  let [calls, seconds, tokens] = [NO_SUMS, NO_SUMS, NO_SUMS];
  const toSums = (value: number): Sums => ({ n: 1, sum: value, squares: value * value });
  const fixes = new Map<string, FixCost>();
  const solve = (way: Way, from: Start, atMs: number): void => {
    solved++;
    const needed = toSums(way.calls - from.calls);
    calls = addSums([calls, needed]);
    const fix = fixes.get(from.signatureId) ?? NO_FIX;
    fixes.set(from.signatureId, { ...fix, solved: fix.solved + 1, calls: addSums([fix.calls, needed]) });
    if (atMs - from.atMs <= LONGEST_MS) seconds = addSums([seconds, toSums(Math.max(0, atMs - from.atMs) / 1000)]);
    if (way.hasTokens) tokens = addSums([tokens, toSums(way.tokens - from.tokens)]);
  };
  return {
    add(call: LedgerCall, isCounted: boolean): void {
      if (isHookRun(call)) return;
      const way = walk(ways, call);
      const endMs = Date.parse(call.at ?? '') + (call.durationMs ?? 0);
      const intents = listIntentsOrProgram(call);
      if (hasWorked(call)) {
        const from = intents.map((intent) => way.open.get(intent)).find((one) => one !== undefined);
        if (from !== undefined) solve(way, from, endMs);
        for (const intent of intents) way.open.delete(intent);
      }
      if (!isFailedCall(call) || !isCounted || intents.some((intent) => way.open.has(intent))) return;
      begun++;
      const { signatureId = '' } = call;
      const fix = fixes.get(signatureId) ?? NO_FIX;
      fixes.set(signatureId, { ...fix, begun: fix.begun + 1 });
      const start = { atMs: endMs, calls: way.calls, tokens: way.tokens, signatureId };
      for (const intent of intents) way.open.set(intent, start);
    },
    read: (): FailureCost => ({
      ...{ begun, solved },
      ...{ calls: toMean(calls), seconds: toMean(seconds), tokens: toMean(tokens) },
    }),
    readFixes: () => fixes,
  };
}

/** The intents of a call; its program for a call that was stored without an intent key. */
function listIntentsOrProgram({
  intentKey = '',
  program,
}: Pick<LedgerCall, 'intentKey' | 'program'>): readonly string[] {
  const intents = listIntents(intentKey);
  return intents.length > 0 || program === undefined ? intents : [`program ${program}`];
}
