/** Loaded into a daemon before it starts: SIGUSR2 ends its worker threads, as running out of memory would. */
import { syncBuiltinESMExports } from 'node:module';
import workerThreads, { type WorkerOptions } from 'node:worker_threads';

const { Worker } = workerThreads;
const alive = new Set<InstanceType<typeof Worker>>();

workerThreads.Worker = class extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(file, options);
    alive.add(this);
    this.once('exit', () => alive.delete(this));
  }
};
syncBuiltinESMExports();
process.on('SIGUSR2', () => {
  for (const worker of alive) void worker.terminate();
});
