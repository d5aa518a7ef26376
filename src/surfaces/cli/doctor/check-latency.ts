/** What a hook costs an agent here and now, against what any hook costs: starting a shell that does nothing. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AGENTS } from '../../../agents/agents.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import type { CommandInput } from '../command.ts';
import { type Check, checkThat, type Finding } from './check.ts';
import { runProbe } from './run-probe.ts';

const RUNS = 10;
/** Above this a person feels it. */
const SLOW_MS = 100;

export async function checkLatency(input: CommandInput): Promise<readonly Check[]> {
  const [agent] = AGENTS;
  if (agent === undefined || !existsSync(input.home.hookFile)) return [];
  const isWarm = (await findDaemon(input.home)) !== undefined;
  const probe = { command: 'true', cwd: input.home.dir };
  const check = await checkThat('latency', () =>
    judge(
      toMedian(() => runProbe(agent, probe, input).tookMs),
      toMedian(runNothing),
      isWarm,
    ),
  );
  return [check];
}

function judge(hookMs: number, floorMs: number, isWarm: boolean): Finding {
  const detail = `${hookMs.toFixed(1)} ms ${isWarm ? 'with' : 'without'} the daemon, of which ${floorMs.toFixed(1)} ms any hook costs (median of ${RUNS})`;
  const data = { hookMs, floorMs, runs: RUNS, daemon: isWarm };
  if (hookMs - floorMs <= SLOW_MS) return { state: 'ok', detail, data };
  const next = isWarm ? 'see whether the machine is busy' : 'run: oncebitten daemon start';
  return { state: 'advice', detail, next, data };
}

function runNothing(): number {
  const startedMs = performance.now();
  spawnSync('sh', ['-c', ':'], { input: '' });
  return performance.now() - startedMs;
}

function toMedian(measure: () => number): number {
  const times = Array.from({ length: RUNS }, measure).sort((a, b) => a - b);
  return times[Math.floor(RUNS / 2)] ?? 0;
}
