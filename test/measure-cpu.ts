/** Processor time of steps. No test compares it with a number of milliseconds, because machines and their load differ. */
import assert from 'node:assert/strict';

/** The processor time of a step in milliseconds: other processes on the machine do not count. */
export function measureCpuMs(step: () => unknown): number {
  const before = process.threadCpuUsage();
  step();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The small input is half of the given size, the large one four times it. */
const LARGER = 8;
/**
 * Time that grows with the input grows 8 times, time that grows with its square 64 times. Between them is room for what a
 * machine adds: an input that no longer fits into a cache costs up to three times as much for each character.
 */
const MAX_GROWTH = 32;
const ROUNDS = 5;
/** Less is measured too roughly: the step is repeated until it took that long. */
const MIN_MS = 2;

/**
 * Fails where `work` takes far more than eight times the time for eight times the input. `size` should be so small that four
 * times as much is still read whole where long inputs are cut. One good round of several is enough: a round may be disturbed.
 */
export function assertLinear(work: (size: number) => unknown, size: number, what = ''): void {
  const smallSize = Math.floor(size / 2);
  work(smallSize);
  const rounds: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const small = measureOnceMs(() => work(smallSize));
    const large = measureOnceMs(() => work(LARGER * smallSize));
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
