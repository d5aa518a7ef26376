/** `hook-cold`: the exact installed command where no daemon runs and none is started, beside an empty node process. */
import { findDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { atMost, type BenchReport, mustBeZero } from './bench-report.ts';
import { countLostFacts } from './count-lost.ts';
import { type HookRound, runHookRound, toAnswerChecks } from './hook-round.ts';
import { makeBenchLessons } from './make-bench-lessons.ts';
import { makeHookCalls } from './make-hook-calls.ts';
import { toMedianTimes, toRatio } from './round-figures.ts';
import { withBenchHome } from './with-bench-home.ts';

const LESSONS = 1000;
const ROUNDS = 5;
const PAIRS = 100;
/** The first writes the compile cache that all later ones use. */
const WARM_UP_PAIRS = 20;
const REFERENCES = { node: 1 };

export async function run(): Promise<BenchReport> {
  const lessons = makeBenchLessons(LESSONS);
  return withBenchHome(lessons, async (bench) => {
    const calls = makeHookCalls({ ...bench, count: WARM_UP_PAIRS + ROUNDS * PAIRS, lessons });
    await runHookRound(bench, calls.slice(0, WARM_UP_PAIRS), REFERENCES);
    const rounds: HookRound[] = [];
    for (let from = WARM_UP_PAIRS; from < calls.length; from += PAIRS) {
      rounds.push(await runHookRound(bench, calls.slice(from, from + PAIRS), REFERENCES));
    }
    const daemons = Number((await findDaemon(bench.home)) !== undefined);
    return toReport(rounds, { daemons, facts: countLostFacts(bench.home.spoolDir, calls) });
  });
}

function toReport(
  rounds: readonly HookRound[],
  trouble: { readonly daemons: number; readonly facts: number },
): BenchReport {
  const ratioNode = toRatio(rounds, 'hook', 'node', 'p50Ms');
  const sum = (pick: (one: HookRound) => number) => rounds.reduce((total, one) => total + pick(one), 0);
  return {
    hook: toMedianTimes(rounds, 'hook'),
    ratioNode,
    ratioNodeP95: toRatio(rounds, 'hook', 'node', 'p95Ms'),
    lessons: LESSONS,
    calls: sum((one) => one.calls),
    delivered: sum((one) => one.delivered),
    rounds: rounds.map((one) => one.times),
    reference: { node: { command: `node empty.cjs (${process.version})`, ...toMedianTimes(rounds, 'node') } },
    checks: [
      atMost('hook p50 / empty node p50', ratioNode, 1.5),
      ...toAnswerChecks(rounds),
      mustBeZero('facts missing from the spool', trouble.facts),
      mustBeZero('daemons that were started', trouble.daemons),
    ],
  };
}
