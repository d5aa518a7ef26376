/**
 * The main thread's side of the worker: hands events over, restarts the worker when it dies, counts the events that the
 * worker has not finished, and knows when it is done.
 */

import { Worker } from 'node:worker_threads';
import type { AgentEvent } from '../../base/model/event.ts';
import type { Fact } from '../../base/model/fact.ts';
import type { Knowledge } from '../../base/model/knowledge.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { findThreadFile } from '../../loop/home/program-files.ts';
import { NOTHING_SCANNED, type ScanStatus } from '../../loop/scan/scan-counts.ts';
import type { Log, Troubles } from './faults.ts';
import type { MainMessage, ToldEvent, WorkerMessage, WorkerOptions } from './worker-messages.ts';

export interface WorkerHandle {
  readonly takeEvent: (event: AgentEvent, facts: readonly Fact[]) => void;
  /** Resolves when the worker has caught up; undefined if it is not behind. */
  readonly findDelay: () => Promise<void> | undefined;
  readonly takeSegment: (name: string) => void;
  readonly drain: () => void;
  readonly isAlive: () => boolean;
  readonly findScan: () => ScanStatus;
  /** Undefined until the worker has read the store. */
  readonly findKnowledge: () => Knowledge | undefined;
  /** Returns false if there is no worker, it was too slow, or some events did not reach the store. */
  readonly flush: () => Promise<boolean>;
  /** Lets the worker finish its events, then stops it. */
  readonly stop: () => Promise<void>;
  /** Stops the worker at once; its events stay in the journal. */
  readonly end: () => Promise<void>;
}

interface WorkerParts {
  readonly home: DataHome;
  readonly log: Log;
  readonly troubles: Troubles;
  /** Called before each start: the journal segments that this worker has to take from the disk. */
  readonly cutLeftovers: () => readonly string[];
}

/** Delay of the first restart; it grows, so that a broken store is not opened all the time. */
const FIRST_RESTART_MS = 500;
const MAX_RESTART_MS = 30_000;
const PATIENCE_MS = 10_000;
/** After this many workers died while scanning, the next one does not scan, so that live events are stored. */
const MAX_FALLEN = 2;
/** Beyond this number of pending events, clients that can wait have to. */
const MAX_PENDING = 4_000;

export function openWorker({ home, log, troubles, cutLeftovers }: WorkerParts): WorkerHandle {
  const pending = countPending(MAX_PENDING);
  const flushes = new Map<number, (done: boolean) => void>();
  let flushCount = 0;
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;
  let restartMs = FIRST_RESTART_MS;
  let worker: Worker | undefined;
  let scan = NOTHING_SCANNED;
  let knowledge: Knowledge | undefined;
  /** Number of workers that died while scanning. */
  let fallen = 0;

  const take = (message: MainMessage): void => {
    if (message.kind === 'log') log(message.line);
    if (message.kind === 'scan') scan = message.status;
    if (message.kind === 'knowledge') knowledge = message.knowledge;
    if (message.kind === 'taken') pending.remove(message.events);
    if (message.kind === 'flushed') flushes.get(message.number)?.(message.all);
    // Reset the delay only after the store was opened.
    if (message.kind === 'ready') restartMs = FIRST_RESTART_MS;
    if (message.kind === 'trouble') troubles.begin(message.topic, message.text, message.next);
    if (message.kind === 'fine') troubles.end(message.topic);
  };
  const start = (): void => {
    const options: WorkerOptions = { dataDir: home.dir, leftovers: cutLeftovers(), mayScan: fallen < MAX_FALLEN };
    worker = new Worker(findThreadFile('worker'), { workerData: options });
    worker.on('message', take);
    worker.on('error', (error) => log(`worker: ${String(error)}`));
    worker.on('exit', () => {
      for (const settle of flushes.values()) settle(false);
      worker = undefined;
      if (scan.isUnderWay) fallen++;
      scan = { ...scan, isUnderWay: false };
      pending.clear();
      // Until then facts are in the journal only; the next worker finds them there.
      if (!stopping) restart = setTimeout(start, restartMs).unref();
      restartMs = Math.min(restartMs * 2, MAX_RESTART_MS);
    });
  };
  /** Events of one turn of the event loop go in one message, because a message costs as much as an event. */
  let outbox: ToldEvent[] = [];
  const post = (): void => {
    const told = outbox;
    outbox = [];
    if (told.length === 0 || worker === undefined) return;
    pending.add(told.length);
    worker.postMessage({ kind: 'events', told } satisfies WorkerMessage);
  };
  const tell = (message: WorkerMessage): void => {
    post();
    worker?.postMessage(message);
  };
  const takeEvent = (event: AgentEvent, facts: readonly Fact[]): void => {
    if (outbox.length === 0) setImmediate(post);
    outbox.push({ event, facts: facts.filter(isDecision) });
  };
  const leave = async (say: () => void): Promise<void> => {
    stopping = true;
    clearTimeout(restart);
    if (worker === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.once('exit', () => resolve());
    say();
    const timer = setTimeout(() => void worker?.terminate(), PATIENCE_MS);
    await promise;
    clearTimeout(timer);
  };
  start();

  return {
    takeEvent,
    findDelay: pending.findDelay,
    takeSegment: (name) => tell({ kind: 'segment', name }),
    drain: () => tell({ kind: 'drain' }),
    findScan: () => scan,
    findKnowledge: () => knowledge,
    isAlive: () => worker !== undefined,
    flush: () => {
      if (worker === undefined) return Promise.resolve(false);
      const number = flushCount++;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, PATIENCE_MS, false);
      flushes.set(number, resolve);
      tell({ kind: 'flush', number });
      return promise.finally(() => {
        clearTimeout(timer);
        flushes.delete(number);
      });
    },
    stop: () => leave(() => tell({ kind: 'stop' })),
    end: () => leave(() => void worker?.terminate()),
  };
}

/** Facts about deliveries and skipped lessons, which the event itself does not contain. */
function isDecision({ kind }: Fact): boolean {
  return kind === 'delivered' || kind === 'unsaid' || kind === 'briefed' || kind === 'added';
}

/** Counts pending events, and lets callers wait until there are fewer. */
interface Pending {
  add(count: number): void;
  remove(count: number): void;
  /** The worker ended or restarts. */
  clear(): void;
  /** Resolves when half of the maximum is left; undefined if the maximum is not exceeded. */
  findDelay(): Promise<void> | undefined;
}

function countPending(most: number): Pending {
  let pending = 0;
  let waiting: (() => void)[] = [];
  const remove = (count: number): void => {
    pending = Math.max(0, pending - count);
    if (pending > most / 2) return;
    for (const goOn of waiting) goOn();
    waiting = [];
  };
  return {
    add: (count) => {
      pending += count;
    },
    remove,
    clear: () => remove(pending),
    findDelay: () => (pending > most ? new Promise((goOn) => waiting.push(goOn)) : undefined),
  };
}
