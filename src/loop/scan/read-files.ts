/**
 * Reads session files, in reader threads where the machine has cores for them, and hands over the results in file
 * order. A thread that is ahead waits, because learning must not depend on which thread is faster. Heap limits keep
 * memory small while the threads make much garbage.
 */

import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { toReason } from '../../base/errors.ts';
import { makeSecretScan } from '../../capture/secrets/scan-secrets.ts';
import { makeDigester } from '../digest-events.ts';
import { findThreadFile } from '../home/program-files.ts';
import { loadDetectors } from '../learning/load-detectors.ts';
import { makeProjectFinder } from '../projects/find-project.ts';
import {
  digestFile,
  type FromReader,
  type ReaderOptions,
  type ReadResult,
  type ReadTask,
  type ToReader,
} from './digest-file.ts';

type OnResult = (task: ReadTask, result: ReadResult) => Promise<void>;

interface ReadFilesOptions extends ReaderOptions {
  /** Total bytes to read; a thread does not pay off for a few megabytes. */
  readonly bytes: number;
  readonly log: (line: string) => void;
}

const THREADS_FROM_BYTES = 8 * 1024 * 1024;
/** Each takes about 60 MB, for its own heap and its own compiled code, and a scan should stay under 300 in all. */
const MAX_THREADS = 2;

export async function readFiles(
  tasks: readonly ReadTask[],
  options: ReadFilesOptions,
  onResult: OnResult,
): Promise<void> {
  const { bytes, log, ...reader } = options;
  // Leave one core to this thread, which stores.
  const threads = Math.min(availableParallelism() - 1, tasks.length, MAX_THREADS);
  const limits = bytes >= THREADS_FROM_BYTES ? saveMemory() : undefined;
  if (limits !== undefined && threads > 0) return readInThreads(tasks, { threads, limits, ...reader }, onResult);
  const scan = makeSecretScan({ log });
  const detectors = loadDetectors(options, log);
  const findProject = makeProjectFinder();
  const makeDigest = () =>
    makeDigester({
      trackedTools: () => reader.trackedTools,
      detection: () => reader.detection,
      scan,
      detectors,
      findProject,
    });
  for (const task of tasks) await digestFile(task, makeDigest, (result) => onResult(task, result));
}

interface ThreadOptions extends ReaderOptions {
  readonly limits: ReaderLimits;
}

async function readInThreads(
  tasks: readonly ReadTask[],
  { threads, ...options }: ThreadOptions & { readonly threads: number },
  onResult: OnResult,
): Promise<void> {
  let assigned = 0;
  const inboxes = tasks.map(() => makeInbox());
  const readers = Array.from({ length: threads }, () =>
    openReader(options, threads === 1 ? MANY_GIVEN : FEW_GIVEN, () => {
      const number = assigned++;
      const task = tasks[number];
      return task && { task, inbox: inboxes[number] ?? makeInbox() };
    }),
  );
  try {
    for (const [number, task] of tasks.entries()) {
      for (let isOver = false; !isOver; ) {
        const { answer, taken } = (await inboxes[number]?.next()) ?? { answer: GONE, taken: () => {} };
        // Parse a part only at its turn, because its text needs less memory.
        const result: ReadResult = typeof answer === 'string' ? JSON.parse(answer) : answer;
        await onResult(task, result);
        taken();
        isOver = result.kind !== 'part';
      }
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.terminate()));
  }
}

const GONE: ReadResult = { kind: 'failed', reason: 'no reader took it' };

interface Letter {
  readonly answer: FromReader[number];
  readonly taken: () => void;
}

interface Inbox {
  add(letter: Letter): void;
  next(): Promise<Letter>;
}

function makeInbox(): Inbox {
  const letters: Letter[] = [];
  let waiting: ((letter: Letter) => void) | undefined;
  return {
    add(letter) {
      if (waiting === undefined) letters.push(letter);
      else waiting(letter);
      waiting = undefined;
    },
    next: async () =>
      letters.shift() ??
      new Promise((done) => {
        waiting = done;
      }),
  };
}

interface Assignment {
  readonly task: ReadTask;
  readonly inbox: Inbox;
}

interface Reader {
  terminate(): Promise<unknown>;
}

/** If this many threads die in a row before their first message, the files are not the cause. */
const MAX_STILLBORN = 3;
/** Files assigned ahead, because the assigning thread may be busy storing. */
const MANY_GIVEN = 8;
/** Fewer with several threads, because results are needed in file order. */
const FEW_GIVEN = 2;

/** Reads one file after another. If the thread dies, its current file has failed and a new thread reads the next. */
function openReader(
  { limits, ...options }: ThreadOptions,
  maxGiven: number,
  findNext: () => Assignment | undefined,
): Reader {
  let worker: Worker | undefined;
  /** Assigned files in order; the first one is being read. */
  const given: Assignment[] = [];
  let isClosing = false;
  let stillborn = 0;

  const tell = (message: ToReader): void => worker?.postMessage(message);
  const give = (count: number): void => {
    while (given.length < count) {
      const next = findNext();
      if (next === undefined) return;
      given.push(next);
      tell({ kind: 'read', task: next.task });
    }
  };
  const fail = (reason: string): void =>
    given.shift()?.inbox.add({ answer: { kind: 'failed', reason }, taken: () => {} });
  const bury = (reason: string): void => {
    if (isClosing || given.length === 0) return;
    fail(reason);
    if (++stillborn < MAX_STILLBORN) start();
    else failAll(reason);
  };
  const failAll = (reason: string): void => {
    worker = undefined;
    give(Number.POSITIVE_INFINITY);
    while (given.length > 0) fail(reason);
  };
  const hear = (answer: FromReader[number], taken: () => void): void => {
    given[0]?.inbox.add({ answer, taken });
    // Parts come as text; any other message ends a file.
    if (typeof answer !== 'string') given.shift();
  };
  const start = (): void => {
    let reason = 'the thread that read it ended';
    worker = new Worker(findThreadFile('reader'), { workerData: options, resourceLimits: limits });
    worker.on('message', (message: FromReader) => {
      stillborn = 0;
      const taken = (): void => tell({ kind: 'taken' });
      for (const [i, answer] of message.entries()) hear(answer, i === message.length - 1 ? taken : () => {});
      give(maxGiven);
    });
    worker.on('error', (error) => {
      reason = toReason(error);
    });
    worker.on('exit', () => bury(reason));
    for (const { task } of given) tell({ kind: 'read', task });
    give(maxGiven);
  };
  start();
  return {
    terminate: async () => {
      isClosing = true;
      await worker?.terminate();
    },
  };
}

/** Heap limits of a reader thread. */
interface ReaderLimits {
  readonly maxOldGenerationSizeMb: number;
  readonly maxYoungGenerationSizeMb: number;
}

/** Size of a semi-space in megabytes; with less, short-lived objects are copied before they die. */
const HALF = 8;
/** Enough for the longest line. */
const OLD_MEGABYTES = 256;

/**
 * Keeps a scan under 300 MB, for a process that makes much garbage and not for long; without these flags it takes 375.
 * The part of the heap where objects are born stays as small as it is, in this thread and in those that it starts: left
 * alone it grows to over 100 MB, and nearly all in it is dead. The rest may grow by three tenths before it is cleared.
 * Called once, before the first thread is started.
 */
function saveMemory(): ReaderLimits {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--min-semi-space-size=${HALF}`);
  setFlagsFromString('--heap-growing-percent=30');
  return { maxOldGenerationSizeMb: OLD_MEGABYTES, maxYoungGenerationSizeMb: 3 * HALF };
}
