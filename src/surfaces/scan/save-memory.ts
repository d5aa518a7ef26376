/**
 * For a process that is about to make much garbage, and not for long. The part of the heap where objects are born stays as
 * small as it is, in this thread and in those that it starts: left alone it grows to over 100 MB, and nearly all in it is
 * dead. The rest may grow by half before it is cleared. V8's memory saver does more, for half as much time again.
 */
import { setFlagsFromString } from 'node:v8';

/** What a thread that reads is to be limited to. */
export interface ReaderLimits {
  readonly maxOldGenerationSizeMb: number;
  readonly maxYoungGenerationSizeMb: number;
}

/** Half of where objects are born, in megabytes: with less, what dies soon is moved before it does. */
const HALF = 8;
/** Where only one thread reads there is room: moving less is worth three percent of a scan. */
const LARGE_HALF = 16;
/** Enough for the longest line. */
const OLD_MEGABYTES = 256;
/**
 * So often a function has to be called before V8 compiles it for the second time, with all its might: with ten times its
 * own number that takes a third of the time, which is worth six percent of a scan of 450 MB, and what is hot is soon there.
 */
const CALLS_BEFORE_TURBOFAN = 30_000;

/** Once, before the first of so many threads is started. */
export function saveMemory(threads: number): ReaderLimits {
  const half = threads > 1 ? HALF : LARGE_HALF;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--min-semi-space-size=${half}`);
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_TURBOFAN}`);
  return { maxOldGenerationSizeMb: OLD_MEGABYTES, maxYoungGenerationSizeMb: 3 * half };
}
