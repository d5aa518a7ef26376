/**
 * How much of a scan's time is distilling: the same steps as a scan takes, in one thread, with what detectors and the
 * learning of findings take counted apart.
 */
import { findHistory } from '../src/agents/histories.ts';
import type { Settings } from '../src/base/model/settings.ts';
import { makeSecretScan } from '../src/capture/secrets/scan-secrets.ts';
import { readTranscriptFile } from '../src/capture/transcripts/read-transcript.ts';
import { detectFindings } from '../src/distill/detect-findings.ts';
import { openStore } from '../src/keep/store/open-store.ts';
import { type Digest, makeCallWindows, makeDigester, mergeDigests } from '../src/loop/digest-events.ts';
import { toDataHome } from '../src/loop/home/data-home.ts';
import { makeLoop } from '../src/loop/learn.ts';
import { learnFindings } from '../src/loop/learning/learn-finding.ts';
import { makePastCalls } from '../src/loop/learning/past-calls.ts';
import type { ScanFile } from '../src/loop/scan/scan-files.ts';
import { toShare } from './label-figures.ts';

const BATCH_CALLS = 500;

export async function measureDistilling(files: readonly ScanFile[], dir: string, settings: Settings) {
  const { storeFile, manifestFile, switchesFile } = toDataHome(dir);
  const store = await openStore({ url: '', file: storeFile });
  const loop = makeLoop({ store, settings, manifestFile, switchesFile });
  const scan = makeSecretScan({ log: () => {} });
  const past = makePastCalls(store);
  let detectingMs = 0;
  let learningMs = 0;
  let waiting: Digest[] = [];
  const flush = async (): Promise<void> => {
    const { findings, ...rest } = mergeDigests(waiting);
    waiting = [];
    await loop.takeDigest({ ...rest, findings: [] });
    past.add(rest.calls.observed);
    const startedMs = performance.now();
    for (const found of findings) await learnFindings({ store, past, weights: settings.scoring }, [found]);
    learningMs += performance.now() - startedMs;
  };
  const startedMs = performance.now();
  for (const { agent, path } of files) {
    const history = findHistory(agent);
    if (history === undefined) continue;
    const digest = makeDigester({ trackedTools: () => settings.trackedTools, scan });
    const windows = makeCallWindows();
    await readTranscriptFile({ path, history }, async (events) => {
      const made = await digest(events);
      // Once more, to know what it took.
      const beganMs = performance.now();
      for (const window of windows.add(made.calls.observed)) detectFindings(window);
      detectingMs += performance.now() - beganMs;
      waiting.push(made);
      if (waiting.reduce((sum, { calls }) => sum + calls.observed.length, 0) >= BATCH_CALLS) await flush();
    });
  }
  await flush();
  const allMs = performance.now() - startedMs;
  await store.close();
  const restMs = allMs - 2 * detectingMs - learningMs;
  const toSeconds = (ms: number): number => Math.round(ms) / 1000;
  return {
    detecting: toSeconds(detectingMs),
    learning: toSeconds(learningMs),
    rest: toSeconds(restMs),
    share: toShare(detectingMs + learningMs, restMs),
  };
}
