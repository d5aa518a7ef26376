/** Has a schedule of commands run and timed by a small process of its own (`step-runner.ts` says why). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface StepJob {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Program and arguments by name. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly command: string;
  readonly input: string;
}

export interface StepResult {
  readonly command: string;
  readonly ms: number;
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One result for each step, in order. */
export async function timeSteps(job: StepJob, signal: AbortSignal): Promise<readonly StepResult[]> {
  const runner = spawn(process.execPath, [join(import.meta.dirname, 'step-runner.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal,
  });
  runner.stdin.end(JSON.stringify(job));
  const [output] = await Promise.all([text(runner.stdout), once(runner, 'close')]);
  const results = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StepResult);
  if (results.length !== job.steps.length) throw new Error(`only ${results.length} of ${job.steps.length} steps ran`);
  return results;
}
