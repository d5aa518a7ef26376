/** Entry point of a reader thread: reads and digests session files for a scan, without the store. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeSecretScan } from '../../capture/secrets/scan-secrets.ts';
import { makeDigester } from '../digest-events.ts';
import { loadDetectors } from '../learning/load-detectors.ts';
import { makeProjectFinder } from '../projects/find-project.ts';
import type { FromReader, ReaderOptions, ReadResult, ToReader } from './digest-file.ts';
import { digestFile } from './digest-file.ts';

/** Limit of unprocessed messages: enough to continue while the other side stores, and small enough for memory. */
const MAX_UNTAKEN_CHARS = 2 * 1024 * 1024;
/** Fixed cost counted per message, because many small files may come in a row. */
const MESSAGE_OVERHEAD = 4 * 1024;
/** Parts are batched to this size, because waking the other thread costs more than a part. */
const MESSAGE_CHARS = 128 * 1024;

const options = workerData as ReaderOptions;
const scan = makeSecretScan({ log: () => {} });
// The scanning thread reports broken plugins.
const detectors = loadDetectors(options, () => {});
const findProject = makeProjectFinder();
const makeDigest = () =>
  makeDigester({
    trackedTools: () => options.trackedTools,
    detection: () => options.detection,
    scan,
    detectors,
    findProject,
  });
let message: (string | ReadResult)[] = [];
let chars = 0;
/** Sizes of the messages that were not processed yet. */
const sizes: number[] = [];
let untaken = 0;
let goOn: (() => void) | undefined;
let lastRead = Promise.resolve();

const send = async (result: ReadResult): Promise<void> => {
  const sent = result.kind === 'part' ? JSON.stringify(result) : result;
  message.push(sent);
  chars += typeof sent === 'string' ? sent.length : 0;
  if (result.kind === 'part' && chars < MESSAGE_CHARS) return;
  parentPort?.postMessage(message satisfies FromReader);
  const size = chars + MESSAGE_OVERHEAD;
  sizes.push(size);
  untaken += size;
  message = [];
  chars = 0;
  // One message of any size may be pending while the next is made.
  if (untaken < MAX_UNTAKEN_CHARS || sizes.length < 2) return;
  await new Promise<void>((done) => {
    goOn = done;
  });
};

parentPort?.on('message', (request: ToReader) => {
  if (request.kind === 'read') lastRead = lastRead.then(() => digestFile(request.task, makeDigest, send));
  else {
    untaken -= sizes.shift() ?? 0;
    goOn?.();
    goOn = undefined;
  }
});
