/**
 * Keeps the facts that the daemon receives: in its journal and, through its worker, in the store. While the daemon of
 * another host uses the store, facts go to the shared spool. While the disk is full or read-only, they stay in memory.
 */

import { makeId } from '../../base/ids.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import type { Fact } from '../../base/model/fact.ts';
import type { Knowledge } from '../../base/model/knowledge.ts';
import { JOURNAL_SUFFIX, openBacklog, openJournal } from '../../capture/journal/journal.ts';
import { listBySuffix, spoolSegment } from '../../capture/journal/read-spool.ts';
import { writeSpool } from '../../capture/journal/write-spool.ts';
import { type DataHome, findHost } from '../../loop/home/data-home.ts';
import type { ScanStatus } from '../../loop/scan/scan-counts.ts';
import type { Log, Troubles } from './faults.ts';
import { toTrouble } from './faults.ts';
import { holdOwnership } from './locks.ts';
import { openWorker, type WorkerHandle } from './open-worker.ts';

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
  /** What the main thread knows from the store; undefined while another host uses it. */
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
