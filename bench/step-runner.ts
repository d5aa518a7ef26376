/**
 * A process of its own that runs commands one after another and times each from outside, as an agent runs a hook: stdin
 * written, output piped. It is small on purpose: starting a process copies the page tables of whoever starts it, and
 * from the bench itself, with a store and all calls in memory, that alone costs half as much as the floor.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import type { StepJob, StepResult } from './time-steps.ts';

const { commands, steps, cwd, env } = JSON.parse(readFileSync(0, 'utf8')) as StepJob;
for (const { command, input } of steps) {
  const [file = '', ...args] = commands[command] ?? [];
  const startedNs = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, input });
  const ms = Number(process.hrtime.bigint() - startedNs) / 1e6;
  const result: StepResult = { command, ms, status, stdout: `${stdout}`, stderr: `${stderr}` };
  writeSync(1, `${JSON.stringify(result)}\n`);
}
