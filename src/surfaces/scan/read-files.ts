/**
 * Session files, read in threads of their own where there is a core for it, and told in their order: what is learned must
 * not depend on which thread was faster. A thread that is ahead waits.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { toReason } from '../../base/errors.ts';
import { makeSecretScan } from '../../capture/scan-secrets.ts';
import { findThreadFile } from '../daemon/find-thread-file.ts';
import { makeDigester } from '../loop/digest-events.ts';
import { loadDetectors } from '../loop/load-detectors.ts';
import { makeProjectFinder } from '../loop/make-project-finder.ts';
import { digestFile } from './digest-file.ts';
import { type ReaderLimits, saveMemory } from './save-memory.ts';
import type { FromReader, ReaderOptions, ReadResult, ReadTask, ToReader } from './scan-messages.ts';

export type OnResult = (task: ReadTask, result: ReadResult) => Promise<void>;

export interface ReadFilesOptions extends ReaderOptions {
  /** To be read in all: a thread costs more than a few megabytes. */
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
  const { bytes, trackedTools, detectorPlugins, log } = options;
  // One core is for this thread, which stores.
  const threads = Math.min(availableParallelism() - 1, tasks.length, MAX_THREADS);
  const limits = bytes >= THREADS_FROM_BYTES ? saveMemory(threads) : undefined;
  if (limits !== undefined && threads > 0)
    return readInThreads(tasks, { threads, limits, trackedTools, detectorPlugins }, onResult);
  const scan = makeSecretScan({ log });
  const detectors = loadDetectors(detectorPlugins, log);
  const findProject = makeProjectFinder();
  const makeDigest = () => makeDigester({ trackedTools: () => trackedTools, scan, detectors, findProject });
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
        const { told, taken } = (await inboxes[number]?.next()) ?? { told: GONE, taken: () => {} };
        // Not before its turn: a text takes less room than what it tells.
        const result: ReadResult = typeof told === 'string' ? JSON.parse(told) : told;
        await onResult(task, result);
        taken();
        isOver = result.kind !== 'part';
      }
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.terminate()));
  }
}

const GONE: ReadResult = { kind: 'failed', reason: 'nobody read it' };

interface Letter {
  readonly told: FromReader[number];
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

/** So many threads die one after another before their first word: no file is at fault. */
const MAX_STILLBORN = 3;
/** The next files are there when the thread is done with one: whoever assigns them may be storing just then. */
const MANY_GIVEN = 8;
/** Of several threads none may have the next ones for long: they are told in their order. */
const FEW_GIVEN = 2;

/** Takes one file after another. When the thread dies, the file it was reading has failed; another takes the next. */
function openReader(
  { limits, ...options }: ThreadOptions,
  maxGiven: number,
  findNext: () => Assignment | undefined,
): Reader {
  let worker: Worker | undefined;
  /** In their order: the first is being read. */
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
    given.shift()?.inbox.add({ told: { kind: 'failed', reason }, taken: () => {} });
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
  const hear = (told: FromReader[number], taken: () => void): void => {
    given[0]?.inbox.add({ told, taken });
    // Only parts come as a text.
    if (typeof told !== 'string') given.shift();
  };
  const start = (): void => {
    let reason = 'the thread that read it ended';
    worker = new Worker(findThreadFile('reader'), { workerData: options, resourceLimits: limits });
    worker.on('message', (message: FromReader) => {
      stillborn = 0;
      const taken = (): void => tell({ kind: 'taken' });
      for (const [i, told] of message.entries()) hear(told, i === message.length - 1 ? taken : () => {});
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
