/** The main thread's side of the worker: hands events over, starts it again when it dies, and knows when it is done. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AgentEvent } from '../../base/event.ts';
import type { Fact } from '../../base/fact.ts';
import { JOURNAL_SUFFIX } from '../../capture/open-journal.ts';
import { listBySuffix } from '../../capture/read-spool.ts';
import type { DataHome } from '../data-home.ts';
import type { Log } from './open-log.ts';
import type { MainMessage, WorkerMessage, WorkerOptions } from './worker-messages.ts';

export interface WorkerHandle {
  readonly takeEvent: (event: AgentEvent, facts: readonly Fact[]) => void;
  readonly takeSegment: (name: string) => void;
  readonly drain: () => void;
  /** False when there is no worker, or it did not get that far in time. */
  readonly flush: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

const RESTART_MS = 30_000;
const PATIENCE_MS = 10_000;

export function openWorker(home: DataHome, log: Log): WorkerHandle {
  const flushes = new Map<number, (done: boolean) => void>();
  let flushCount = 0;
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;
  let worker = start();

  function start(): Worker | undefined {
    const leftovers = listBySuffix(home.spoolDir, JOURNAL_SUFFIX);
    const options: WorkerOptions = { dataDir: home.dir, leftovers };
    const started = new Worker(findWorkerFile(), { workerData: options });
    started.on('message', (message: MainMessage) => {
      if (message.kind === 'log') log(message.line);
      else flushes.get(message.number)?.(true);
    });
    started.on('error', (error) => log(`worker: ${String(error)}`));
    started.on('exit', () => {
      for (const settle of flushes.values()) settle(false);
      worker = undefined;
      // Until then facts are in the journal only; the next worker finds them there.
      if (!stopping) restart = setTimeout(() => (worker = start()), RESTART_MS).unref();
    });
    return started;
  }

  const tell = (message: WorkerMessage): void => worker?.postMessage(message);

  return {
    takeEvent: (event, facts) => tell({ kind: 'event', event, facts }),
    takeSegment: (name) => tell({ kind: 'segment', name }),
    drain: () => tell({ kind: 'drain' }),
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
    stop: async () => {
      stopping = true;
      clearTimeout(restart);
      if (worker === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      worker.once('exit', () => resolve());
      tell({ kind: 'stop' });
      const timer = setTimeout(() => void worker?.terminate(), PATIENCE_MS);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** Beside the bundle, or the source when run from source. */
function findWorkerFile(): string {
  const built = join(import.meta.dirname, 'worker.mjs');
  return existsSync(built) ? built : join(import.meta.dirname, 'worker-main.ts');
}
