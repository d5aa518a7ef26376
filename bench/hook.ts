/**
 * `hook`: the exact installed command with a daemon, in pairs with the cheapest command that could be there instead (a
 * shell that tests for bash and starts it), and with an empty node process, which is what a hook in JavaScript costs.
 */
import { askDaemon } from '../src/surfaces/daemon/ask-daemon.ts';
import { ensureDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { atMost, type BenchReport, mustBeZero } from './bench-report.ts';
import { countLost, type Lost } from './count-lost.ts';
import { FLOOR, type HookRound, runHookRound, toAnswerChecks } from './hook-round.ts';
import { makeBenchLessons } from './make-bench-lessons.ts';
import { makeHookCalls } from './make-hook-calls.ts';
import { toMedianTimes, toRatio } from './round-figures.ts';
import { type BenchHome, withBenchHome, withStore } from './with-bench-home.ts';

const LESSONS = 1000;
const ROUNDS = 5;
const PAIRS = 200;
const WARM_UP_PAIRS = 40;
/** An empty node process takes ten times as long as the floor: every fifth call is enough. */
const REFERENCES = { floor: 1, node: 5 };

export async function run(): Promise<BenchReport> {
  const lessons = makeBenchLessons(LESSONS);
  return withBenchHome(lessons, async (bench) => {
    const calls = makeHookCalls({ ...bench, count: WARM_UP_PAIRS + ROUNDS * PAIRS, lessons });
    const startedAt = new Date().toISOString();
    await ensureDaemon(bench.home);
    await runHookRound(bench, calls.slice(0, WARM_UP_PAIRS), REFERENCES);
    const rounds: HookRound[] = [];
    for (let from = WARM_UP_PAIRS; from < calls.length; from += PAIRS) {
      rounds.push(await runHookRound(bench, calls.slice(from, from + PAIRS), REFERENCES));
    }
    await flush(bench);
    return toReport(rounds, await withStore(bench.home, (store) => countLost(store, calls, startedAt)));
  });
}

async function flush({ home }: BenchHome): Promise<void> {
  const answer = await askDaemon<{ readonly flushed: boolean }>(home, 'flush');
  if (answer?.flushed !== true) throw new Error(`the daemon did not store what it was told: see ${home.logFile}`);
}

function toReport(rounds: readonly HookRound[], lost: Lost): BenchReport {
  const ratioP50 = toRatio(rounds, 'hook', 'floor', 'p50Ms');
  const ratioP95 = toRatio(rounds, 'hook', 'floor', 'p95Ms');
  const ratioNode = toRatio(rounds, 'hook', 'node', 'p50Ms');
  const sum = (pick: (one: HookRound) => number) => rounds.reduce((total, one) => total + pick(one), 0);
  return {
    hook: toMedianTimes(rounds, 'hook'),
    ratioP50,
    ratioP95,
    ratioNode,
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
      ...toAnswerChecks(rounds),
      mustBeZero('deliveries missing from the store', lost.deliveries),
      mustBeZero('sessions without a heartbeat in the store', lost.sessions),
    ],
  };
}
