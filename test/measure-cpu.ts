/** Processor time of steps. No test compares it with a number of milliseconds, because machines and their load differ. */
import assert from 'node:assert/strict';

/** The processor time of a step in milliseconds: other processes on the machine do not count. */
export function measureCpuMs(step: () => unknown): number {
  const before = process.threadCpuUsage();
  step();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const LARGER = 4;
/** Time that grows with the input grows 4 times, time that grows with its square 16 times. */
const MAX_GROWTH = 8;
const ROUNDS = 15;
/** Less is measured too roughly: the step is repeated until it took that long. */
const MIN_MS = 2;

/**
 * Fails where `work` takes far more than four times the time for four times the size. `size` should be so small that the
 * larger input is still read whole where long ones are cut. One good round of several is enough: a round may be disturbed.
 */
export function assertLinear(work: (size: number) => unknown, size: number, what = ''): void {
  work(size);
  const rounds: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const small = measureOnceMs(() => work(size));
    const large = measureOnceMs(() => work(LARGER * size));
    if (large < MAX_GROWTH * small) return;
    rounds.push(`${small.toFixed(2)} -> ${large.toFixed(2)} ms`);
  }
  assert.fail(`${what} ${LARGER} times the input takes more than ${MAX_GROWTH} times the time: ${rounds.join(', ')}`);
}

function measureOnceMs(step: () => unknown): number {
  for (let times = 1; ; times *= 2) {
    const ms = measureCpuMs(() => {
      for (let n = 0; n < times; n++) step();
    });
    if (ms >= MIN_MS) return ms / times;
  }
}
