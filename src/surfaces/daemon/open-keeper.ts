/**
 * Keeps the facts that the daemon receives: in its journal and, through its worker, in the store. While the daemon of
 * another host uses the store, facts go to the shared spool. While the disk is full or read-only, they stay in memory.
 * `worker-main.ts` is the other end of the worker.
 */

import { Worker } from 'node:worker_threads';
import { makeId } from '../../base/ids.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import type { Fact } from '../../base/model/fact.ts';
import type { Knowledge } from '../../base/model/knowledge.ts';
import { JOURNAL_SUFFIX, openBacklog, openJournal, writeSpool } from '../../capture/journal/journal.ts';
import { listBySuffix, spoolSegment } from '../../capture/journal/spool-files.ts';
import type { DaemonFault } from '../../loop/home/daemon-fault.ts';
import { type DataHome, findHost } from '../../loop/home/data-home.ts';
import { findThreadFile } from '../../loop/home/program-files.ts';
import { NOTHING_SCANNED, type ScanStatus } from '../../loop/scan/scan-counts.ts';
import { type Log, type Troubles, toTrouble } from './faults.ts';
import { holdOwnership } from './locks.ts';

export interface Keeper {
  /** Writes facts to disk, or keeps them in memory. Never throws, because our faults must not affect the agent. */
  append(facts: readonly Fact[]): void;
  /** Writes all facts appended during the work with one write. */
  together<T>(work: () => T): T;
  /** Takes the event with its text to the thread that redacts and stores. */
  handOn(event: AgentEvent, facts: readonly Fact[]): void;
  /** Resolves when what was handed on is taken; undefined when nobody need wait. */
  findDelay(): Promise<void> | undefined;
  /** The host whose daemon uses the store, if it is another one. */
  findOwner(): string | undefined;
  /** The daemon's own scans; undefined while another host uses the store. */
  findScan(): ScanStatus | undefined;
  /** What the worker knows from the store, the same object until it changes; undefined while another host uses it. */
  findKnowledge(): Knowledge | undefined;
  /** Returns false if not all facts are in the store. */
  flush(): Promise<boolean>;
  stop(): Promise<void>;
  /** Stops writing, because the data directory was removed or replaced. */
  abandon(): Promise<void>;
}

interface KeeperParts {
  readonly home: DataHome;
  readonly daemonId: string;
  readonly log: Log;
  readonly troubles: Troubles;
  readonly ownerPatienceMs: number;
}

/** Maximum time before a journal segment is closed and handed over. */
const SEGMENT_MS = 250;
/** Segment size while there is no worker to take segments. */
const SEGMENT_BYTES = 1024 * 1024;
const DRAIN_MS = 5_000;

export function openKeeper({ home, daemonId, log, troubles, ownerPatienceMs }: KeeperParts): Keeper {
  const journal = openJournal(home.spoolDir, daemonId);
  const backlog = openBacklog(home.spoolDir);
  let worker: WorkerHandle | undefined;

  /** Segments that no worker knows. The current segment is closed first, because an open one must not be drained. */
  const cutLeftovers = (): readonly string[] => {
    journal.cut();
    return listBySuffix(home.spoolDir, JOURNAL_SUFFIX);
  };
  const ownership = holdOwnership({
    file: home.ownerFile,
    host: findHost(),
    daemonId,
    patienceMs: ownerPatienceMs,
    onGain: () => {
      log('the daemon of this host uses the store');
      worker = openWorker({ home, log, troubles, cutLeftovers });
    },
    onLose: () => {
      log('the daemon of another host uses the store');
      void worker?.end();
      worker = undefined;
    },
  });
  const cut = (): void => {
    if (!worker?.isAlive() && journal.bytes() < SEGMENT_BYTES) return;
    const segment = journal.cut();
    if (segment !== undefined) worker?.takeSegment(segment);
  };
  let held: Fact[] | undefined;
  const append = (facts: readonly Fact[]): void => {
    if (held === undefined) write(facts);
    else held.push(...facts);
  };
  const together = <T>(work: () => T): T => {
    const facts: Fact[] = [];
    held = facts;
    try {
      return work();
    } finally {
      held = undefined;
      write(facts);
    }
  };
  const write = (facts: readonly Fact[]): void => {
    if (facts.length === 0) return;
    try {
      if (ownership.isMine()) journal.append(facts);
      else writeSpool(home.spoolDir, makeId('out', Date.now()), facts);
    } catch (error) {
      backlog.add(facts);
      troubles.begin('capture', ...toTrouble(error, 'events wait in memory'));
    }
  };
  /** Turns segments into spool files for the host that owns the store. */
  const passOn = (): void => {
    if (ownership.isMine()) return;
    journal.cut();
    const ours = listBySuffix(home.spoolDir, JOURNAL_SUFFIX).filter((name) => name.startsWith(daemonId));
    for (const name of ours) spoolSegment(home.spoolDir, name);
  };
  const drain = (): void => {
    try {
      backlog.flush();
      passOn();
      troubles.end('capture');
    } catch (error) {
      troubles.begin('capture', ...toTrouble(error, 'events wait in memory'));
    }
    troubles.save();
    worker?.drain();
  };
  const timers = [
    setInterval(cut, SEGMENT_MS),
    setInterval(drain, DRAIN_MS),
    setInterval(ownership.beat, ownership.beatMs),
  ];
  return {
    append,
    together,
    handOn: (event, facts) => worker?.takeEvent(event, facts),
    findDelay: () => worker?.findDelay(),
    findOwner: ownership.findOwner,
    findScan: () => worker?.findScan(),
    findKnowledge: () => worker?.findKnowledge(),
    flush: async () => {
      cut();
      drain();
      return backlog.size() === 0 && (await worker?.flush()) === true;
    },
    abandon: async () => {
      for (const timer of timers) clearInterval(timer);
      await worker?.end();
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      cut();
      drain();
      await worker?.stop();
      ownership.release();
    },
  };
}

export interface SentEvent {
  readonly event: AgentEvent;
  /** Facts about deliveries; all other facts follow from the event itself. */
  readonly facts: readonly Fact[];
}

/** Messages between the daemon's two threads, handled in order. */
export type WorkerMessage =
  | { readonly kind: 'events'; readonly events: readonly SentEvent[] }
  /** All events of this journal segment were sent; it is removed once they are stored. */
  | { readonly kind: 'segment'; readonly name: string }
  /** Store what waits in the spool. */
  | { readonly kind: 'drain' }
  /** Check the lesson files of repositories for changes. */
  | { readonly kind: 'look' }
  /** Answered with the same number once everything before it is done. */
  | { readonly kind: 'flush'; readonly number: number }
  | { readonly kind: 'stop' };

export type MainMessage =
  /** The store is open and the worker takes events. */
  | { readonly kind: 'ready' }
  /** This many events are finished. */
  | { readonly kind: 'taken'; readonly events: number }
  | { readonly kind: 'flushed'; readonly number: number; readonly all: boolean }
  | { readonly kind: 'trouble'; readonly topic: DaemonFault['topic']; readonly text: string; readonly next: string }
  | { readonly kind: 'fine'; readonly topic: DaemonFault['topic'] }
  /** What the main thread needs from the store; it replaces the previous message. */
  | { readonly kind: 'knowledge'; readonly knowledge: Knowledge }
  /** Status of its own scans. */
  | { readonly kind: 'scan'; readonly status: ScanStatus }
  | { readonly kind: 'log'; readonly line: string };

export interface WorkerOptions {
  readonly dataDir: string;
  /** Journal segments that were on disk when the worker started; it gets no events of them. */
  readonly leftovers: readonly string[];
  /** False after workers died while scanning. */
  readonly mayScan: boolean;
}

interface WorkerHandle {
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

/**
 * The main thread's side of the worker: hands events over, restarts the worker when it dies, counts the events that the
 * worker has not finished, and knows when it is done.
 */
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
  let outbox: SentEvent[] = [];
  const post = (): void => {
    const events = outbox;
    outbox = [];
    if (events.length === 0 || worker === undefined) return;
    pending.add(events.length);
    worker.postMessage({ kind: 'events', events } satisfies WorkerMessage);
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
  return kind === 'delivered' || kind === 'skipped' || kind === 'briefed' || kind === 'added';
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
