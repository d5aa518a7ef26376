/** A thread that reads session files for a scan: everything but the store. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeSecretScan } from '../../capture/scan-secrets.ts';
import { makeDigester } from '../loop/digest-events.ts';
import { loadDetectors } from '../loop/load-detectors.ts';
import { digestFile } from './digest-file.ts';
import type { ReaderOptions, ReadResult, ToReader } from './scan-messages.ts';

/** Parts on their way: enough to keep both sides busy, few enough to keep the memory small. */
const MAX_UNTAKEN = 3;

const { trackedTools, detectorPlugins } = workerData as ReaderOptions;
const scan = makeSecretScan({ log: () => {} });
// What is wrong with one is told by whoever scans.
const detectors = loadDetectors(detectorPlugins, () => {});
const makeDigest = () => makeDigester({ trackedTools: () => trackedTools, scan, detectors });
let untaken = 0;
let goOn: (() => void) | undefined;

const send = async (result: ReadResult): Promise<void> => {
  // As text: it is copied faster than objects are.
  parentPort?.postMessage(result.kind === 'part' ? JSON.stringify(result) : result);
  if (result.kind !== 'part' || ++untaken < MAX_UNTAKEN) return;
  await new Promise<void>((done) => {
    goOn = done;
  });
};

parentPort?.on('message', (message: ToReader) => {
  if (message.kind === 'read') void digestFile(message.task, makeDigest, send);
  else {
    untaken--;
    goOn?.();
    goOn = undefined;
  }
});
