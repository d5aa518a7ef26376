/** A thread that reads session files for a scan: everything but the store. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeSecretScan } from '../../capture/scan-secrets.ts';
import { makeDigester } from '../loop/digest-events.ts';
import { loadDetectors } from '../loop/load-detectors.ts';
import { makeProjectFinder } from '../loop/make-project-finder.ts';
import { digestFile } from './digest-file.ts';
import type { FromReader, ReaderOptions, ReadResult, ToReader } from './scan-messages.ts';

/** Messages on their way: enough to keep both sides busy, few enough to keep the memory small. */
const MAX_UNTAKEN = 3;
/** Waking the other thread for every part costs both of them more than the part. */
const MESSAGE_CHARS = 128 * 1024;

const { trackedTools, detectorPlugins } = workerData as ReaderOptions;
const scan = makeSecretScan({ log: () => {} });
// What is wrong with one is told by whoever scans.
const detectors = loadDetectors(detectorPlugins, () => {});
const findProject = makeProjectFinder();
const makeDigest = () => makeDigester({ trackedTools: () => trackedTools, scan, detectors, findProject });
let message: (string | ReadResult)[] = [];
let chars = 0;
let untaken = 0;
let goOn: (() => void) | undefined;
let lastRead = Promise.resolve();

const send = async (result: ReadResult): Promise<void> => {
  const told = result.kind === 'part' ? JSON.stringify(result) : result;
  message.push(told);
  chars += typeof told === 'string' ? told.length : 0;
  if (result.kind === 'part' && chars < MESSAGE_CHARS) return;
  parentPort?.postMessage(message satisfies FromReader);
  message = [];
  chars = 0;
  if (++untaken < MAX_UNTAKEN) return;
  await new Promise<void>((done) => {
    goOn = done;
  });
};

parentPort?.on('message', (told: ToReader) => {
  if (told.kind === 'read') lastRead = lastRead.then(() => digestFile(told.task, makeDigest, send));
  else {
    untaken--;
    goOn?.();
    goOn = undefined;
  }
});
