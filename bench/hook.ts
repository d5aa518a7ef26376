/**
 * `hook`: the exact installed command with a daemon, in pairs with the cheapest command that could be there instead (a
 * shell that tests for bash and starts it), and with an empty node process, which is what a hook in JavaScript costs.
 * For Claude Code before a call (PreToolUse), after one that worked (PostToolUse in the background, and PostToolBatch) and
 * after one that failed with a known fix (PostToolUseFailure); for every other agent that runs commands at the event that
 * takes a note about a call.
 */
import { ADAPTERS } from '../src/agents/hooks.ts';
import { INSTALLS } from '../src/agents/installs.ts';
import type { AgentAdapter } from '../src/base/contracts/agent-adapter.ts';
import { askDaemon } from '../src/surfaces/daemon/ask-daemon.ts';
import { ensureDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { atMost, type BenchReport, type Check, mustBeZero } from './bench-report.ts';
import { countLost, type Lost } from './count-lost.ts';
import { type BenchHook, FLOOR, type HookRound, runHookRound, toAnswerChecks } from './hook-round.ts';
import { makeAgentCalls } from './make-agent-calls.ts';
import { makeBenchLessons } from './make-bench-lessons.ts';
import {
  type EndedCallsInput,
  makeBatchCalls,
  makeBenchCures,
  makeDoneCalls,
  makeFailedCalls,
} from './make-cure-calls.ts';
import { type HookCall, makeHookCalls } from './make-hook-calls.ts';
import { toMedianTimes, toRatio } from './round-figures.ts';
import { type BenchHome, withBenchHome, withStore } from './with-bench-home.ts';

const LESSONS = 1000;
const ROUNDS = 5;
const PAIRS = 200;
const WARM_UP_PAIRS = 40;
const CURES = 1000;
/** The events after a call have fewer pairs: only their ratio to the floor is wanted. */
const AFTER_PAIRS = 100;
const AFTER_ROUNDS = 3;
/** An empty node process takes ten times as long as the floor: every fifth call is enough. */
const REFERENCES = { floor: 1, node: 5 };

export async function run(): Promise<BenchReport> {
  const lessons = makeBenchLessons(LESSONS);
  return withBenchHome(
    lessons,
    async (bench) => {
      const calls = makeHookCalls({ ...bench, count: WARM_UP_PAIRS + ROUNDS * PAIRS, lessons });
      const startedAt = new Date().toISOString();
      await ensureDaemon(bench.home);
      await runHookRound(bench, calls.slice(0, WARM_UP_PAIRS), REFERENCES);
      const rounds: HookRound[] = [];
      for (let from = WARM_UP_PAIRS; from < calls.length; from += PAIRS) {
        rounds.push(await runHookRound(bench, calls.slice(from, from + PAIRS), REFERENCES));
      }
      const after = {
        done: await runAfter(bench, 'PostToolUse', makeDoneCalls),
        batch: await runAfter(bench, 'PostToolBatch', makeBatchCalls),
        failed: await runAfter(bench, 'PostToolUseFailure', makeFailedCalls),
      };
      const others: Record<string, After> = {};
      for (const agent of listOthers()) others[agent.facts.id] = await runOther(bench, agent, calls);
      await flush(bench);
      const told = { 'claude-code': [...calls, ...Object.values(after).flatMap((one) => one.calls)] };
      for (const [id, one] of Object.entries(others)) Object.assign(told, { [id]: one.calls });
      const lost = await withStore(bench.home, async (store) => {
        const all: Lost[] = [];
        for (const [id, own] of Object.entries(told)) {
          const { sessions, deliveries } = await countLost(store, own, startedAt, id);
          // The heartbeat of a session comes with the calls that begin.
          all.push({ deliveries, sessions: startsCalls(id, bench.place.cwd) ? sessions : 0 });
        }
        const sum = (pick: (one: Lost) => number) => all.reduce((total, one) => total + pick(one), 0);
        return { sessions: sum((one) => one.sessions), deliveries: sum((one) => one.deliveries) };
      });
      return toReport(rounds, after, others, lost);
    },
    (cwd) => makeBenchCures(CURES, cwd),
  );
}

interface After {
  readonly calls: readonly HookCall[];
  readonly rounds: readonly HookRound[];
}

const AFTER_CALLS = WARM_UP_PAIRS + AFTER_ROUNDS * AFTER_PAIRS;

function runAfter(
  bench: BenchHome,
  event: string,
  make: (input: EndedCallsInput) => readonly HookCall[],
): Promise<After> {
  const calls = make({ ...bench, count: AFTER_CALLS });
  return runRounds(bench, calls, { floor: 1 }, { agent: 'claude-code', event });
}

async function runRounds(
  bench: BenchHome,
  calls: readonly HookCall[],
  references: Readonly<Record<string, number>>,
  hook: BenchHook,
): Promise<After> {
  await runHookRound(bench, calls.slice(0, WARM_UP_PAIRS), references, hook);
  const rounds: HookRound[] = [];
  for (let from = WARM_UP_PAIRS; from < calls.length; from += AFTER_PAIRS)
    rounds.push(await runHookRound(bench, calls.slice(from, from + AFTER_PAIRS), references, hook));
  return { calls, rounds };
}

function startsCalls(agentId: string, cwd: string): boolean {
  return ADAPTERS.find(({ facts }) => facts.id === agentId)?.writeProbe('', cwd).to === 'call-started';
}

/** A program in the agent's own process has a bench of its own. */
function listOthers(): readonly AgentAdapter[] {
  const commands = INSTALLS.filter(({ hooks }) => hooks.program === undefined).map(({ facts }) => facts);
  return ADAPTERS.filter(({ facts }) => commands.includes(facts) && facts.id !== 'claude-code');
}

function runOther(bench: BenchHome, agent: AgentAdapter, calls: readonly HookCall[]): Promise<After> {
  const own = makeAgentCalls(agent, calls.slice(0, AFTER_CALLS), bench.place.cwd);
  const { eventName: event } = agent.writeProbe('', bench.place.cwd);
  return runRounds(bench, own, REFERENCES, { agent: agent.facts.id, event, silence: agent.silence });
}

async function flush({ home }: BenchHome): Promise<void> {
  const answer = await askDaemon<{ readonly flushed: boolean }>(home, 'flush');
  if (answer?.flushed !== true) throw new Error(`the daemon did not store what it was told: see ${home.logFile}`);
}

function toReport(
  rounds: readonly HookRound[],
  after: Readonly<Record<'done' | 'batch' | 'failed', After>>,
  others: Readonly<Record<string, After>>,
  lost: Lost,
): BenchReport {
  const ratioP50 = toRatio(rounds, 'hook', 'floor', 'p50Ms');
  const ratioP95 = toRatio(rounds, 'hook', 'floor', 'p95Ms');
  const ratioNode = toRatio(rounds, 'hook', 'node', 'p50Ms');
  const toFigures = ({ rounds: own }: After) => ({
    ...toMedianTimes(own, 'hook'),
    ratioP50: toRatio(own, 'hook', 'floor', 'p50Ms'),
    ratioP95: toRatio(own, 'hook', 'floor', 'p95Ms'),
  });
  const [done, batch, failed] = [toFigures(after.done), toFigures(after.batch), toFigures(after.failed)];
  const agents = Object.entries(others).map(([id, one]) => ({
    ...{ id, ...toFigures(one), ratioNode: toRatio(one.rounds, 'hook', 'node', 'p50Ms') },
  }));
  // An agent waits before the call and after the batch; the hook after the call runs beside it.
  const total = (ratioP50 + batch.ratioP50) / 2;
  const sum = (pick: (one: HookRound) => number) => rounds.reduce((total, one) => total + pick(one), 0);
  return {
    hook: toMedianTimes(rounds, 'hook'),
    ratioP50,
    ratioP95,
    ratioNode,
    after: { done, batch, failed, cures: CURES },
    agents: Object.fromEntries(agents.map(({ id, ...figures }) => [id, figures])),
    successfulCall: { perTwoFloors: total, withBackground: (ratioP50 + batch.ratioP50 + done.ratioP50) / 3 },
    lessons: LESSONS,
    calls: sum((one) => one.calls),
    delivered: sum((one) => one.delivered),
    rounds: rounds.map((one) => one.times),
    reference: {
      floor: { command: `sh -c '${FLOOR}'`, ...toMedianTimes(rounds, 'floor') },
      node: { command: `node empty.cjs (${process.version})`, ...toMedianTimes(rounds, 'node') },
    },
    checks: [
      atMost('hook p50 / floor p50', ratioP50, 2.5),
      atMost('hook p95 / floor p95', ratioP95, 2.5),
      atMost('hook p50 / empty node p50', ratioNode, 0.4),
      atMost('after a call that worked, p50 / floor p50', done.ratioP50, 2.5),
      atMost('after a call that worked, p95 / floor p95', done.ratioP95, 2.5),
      atMost('after a batch that worked, p50 / floor p50', batch.ratioP50, 2.5),
      atMost('after a batch that worked, p95 / floor p95', batch.ratioP95, 2.5),
      atMost('known fix at a failure, p50 / floor p50', failed.ratioP50, 2.5),
      atMost('known fix at a failure, p95 / floor p95', failed.ratioP95, 2.5),
      atMost('successful call (before it and after its batch) / two floors', total, 2.5),
      ...agents.flatMap(({ id, ratioP50: p50, ratioP95: p95, ratioNode: node }): readonly Check[] => [
        atMost(`${id}: hook p50 / floor p50`, p50, 2.5),
        atMost(`${id}: hook p95 / floor p95`, p95, 2.5),
        atMost(`${id}: hook p50 / empty node p50`, node, 0.4),
      ]),
      ...toAnswerChecks([...rounds, ...Object.values({ ...after, ...others }).flatMap((one) => one.rounds)]),
      mustBeZero('deliveries missing from the store', lost.deliveries),
      mustBeZero('sessions without a heartbeat in the store', lost.sessions),
    ],
  };
}
