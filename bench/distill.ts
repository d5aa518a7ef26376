/**
 * `distill`: what is learned from real sessions, against what people said should be learned, and against what followed.
 * Three sets: `dev`, on which the first detectors were built, is printed without checks; `learn` is for building; of
 * `check` only totals are printed, and every look at them is a line of `check-log.md`.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lesson } from '../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../src/base/model/settings.ts';
import { openStore } from '../src/keep/store/open-store.ts';
import { toDataHome } from '../src/loop/home/data-home.ts';
import { readSessions } from '../src/loop/replay/read-sessions.ts';
import { type Replay, replaySessions } from '../src/loop/replay/replay-sessions.ts';
import { listScanFiles, type ScanFile } from '../src/loop/scan/scan-files.ts';
import { type ScanTotals, scanSessions } from '../src/loop/scan/scan-sessions.ts';
import type { BacktestReport, ClassFigures } from '../src/measure/make-backtest-report.ts';
import { makeBacktestReport } from '../src/measure/make-backtest-report.ts';
import type { BenchReport } from './bench-report.ts';
import { findCorpus } from './find-corpus.ts';
import { judgeLabels } from './judge-labels.ts';
import { judgeOwnCalls } from './judge-own-calls.ts';
import { renderLabels, toLabelFigures, toShare } from './label-figures.ts';
import { noteLook } from './labels/check-log.ts';
import { toBaselineTable, toChecks, toGapChecks, toLook, toTable } from './labels/label-report.ts';
import { listSets, readLabelSet } from './labels/label-set.ts';
import { measureSet, type SetFigures, sampleSet } from './labels/measure-set.ts';
import { measureDistilling } from './measure-distilling.ts';
import { findLabels } from './read-labels.ts';

const AGENTS = ['claude-code', 'codex'];

/**
 * `--set learn` measures one set alone; without it all three are measured. `--labels`: of `dev` only the comparison with
 * labels, which takes a few seconds. `--verbose`: with texts of `dev`. `--set learn --sample-cures 40 --seed 1` measures
 * nothing and prints random cures of `learn` for a reader. `--answers [folder]`, or the variable ONCEBITTEN_ANSWERS: also
 * with the answers that a model gave to packs of `learn`.
 */
export async function run(args: readonly string[] = []): Promise<BenchReport> {
  const only = args.includes('--set') ? args[args.indexOf('--set') + 1] : undefined;
  const sets = listSets(args);
  if (args.includes('--sample-cures')) return printSample(only, args);
  const figures: Record<string, SetFigures> = {};
  const answers = findAnswers(args);
  for (const name of sets) figures[name] = await measureSet(readLabelSet(name), name === 'learn' ? answers : undefined);
  if (figures.check !== undefined) noteLook('distill', toLook(figures.check));
  const dev = only === undefined || only === 'dev' ? { dev: await measureDev(args) } : {};
  return {
    ...Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, toTable(one)])),
    ...dev,
    reference: {
      what: 'labels of careful readers; baselines: the very same call failed before, and a crude book of cures',
      ...Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, toBaselineTable(one)])),
    },
    checks: [...Object.entries(figures).flatMap(([name, one]) => toChecks(name, one)), ...toGapChecks(figures)],
  };
}

/** The folder of answers; undefined if there is none. */
function findAnswers(args: readonly string[]): string | undefined {
  const at = args.indexOf('--answers');
  const given = at < 0 ? undefined : args[at + 1];
  const dir = given === undefined || given.startsWith('--') ? process.env.ONCEBITTEN_ANSWERS : given;
  if (at >= 0 && (dir === undefined || !existsSync(dir)))
    throw new Error('there are no answers: set ONCEBITTEN_ANSWERS to the folder of packs and answers');
  return dir === undefined || dir === '' || !existsSync(dir) ? undefined : dir;
}

async function printSample(name: string | undefined, args: readonly string[]): Promise<BenchReport> {
  if (name !== 'learn') throw new Error('cures can be read of the set "learn" only: add --set learn');
  const toNumber = (option: string): number => Number(args[args.indexOf(option) + 1]) || 1;
  const how = { count: toNumber('--sample-cures'), seed: args.includes('--seed') ? toNumber('--seed') : 1 };
  const cures = await sampleSet(readLabelSet(name), how);
  for (const cure of cures) console.log(JSON.stringify(cure));
  return { sampled: cures.length, reference: { what: 'the evidence of each cure' }, checks: [] };
}

async function measureDev(args: readonly string[]) {
  const corpus = findCorpus();
  if (corpus === undefined) throw new Error('there are no sessions: set ONCEBITTEN_CORPUS to a folder of them');
  const files = listScanFiles({ agent: AGENTS, path: corpus, home: corpus, env: {} });
  const { totals, lessons } = await withFolder((dir) => learn(files, dir));
  const judged = await judgeLabels(findLabels(corpus) ?? [], lessons, DEFAULT_SETTINGS.trackedTools);
  if (args.includes('--verbose')) console.log(renderLabels(judged));
  return {
    calls: totals.calls,
    failures: totals.failures,
    findings: totals.findings,
    lessons: { active: totals.lessons, drafts: totals.drafts },
    lessonsPer1000Calls: toShare(lessons.length * 1000, totals.calls),
    labels: toLabelFigures(judged),
    ...(args.includes('--labels') ? {} : await replay(files, args)),
  };
}

interface Learned {
  readonly totals: ScanTotals;
  readonly lessons: readonly Lesson[];
}

async function learn(files: readonly ScanFile[], dir: string): Promise<Learned> {
  const { storeFile, manifestFile, switchesFile } = toDataHome(dir);
  const store = await openStore({ url: '', file: storeFile });
  try {
    const parts = { store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile, files, onProgress: () => {} };
    return { totals: await scanSessions(parts), lessons: await store.listLessons() };
  } finally {
    await store.close();
  }
}

async function replay(files: readonly ScanFile[], args: readonly string[]) {
  const { trackedTools } = DEFAULT_SETTINGS;
  const steps = await readSessions(files, { trackedTools, log: () => {} });
  const reports: Record<string, BacktestReport> = {};
  const pooled = await replaySessions(steps, DEFAULT_SETTINGS);
  reports.pooled = makeBacktestReport(pooled.calls, () => true, 'reference');
  for (const [agent, own] of Map.groupBy(steps, (step) => step.agent))
    reports[agent] = makeBacktestReport((await replaySessions(own, DEFAULT_SETTINGS)).calls, () => true, 'reference');
  if (args.includes('--verbose')) for (const one of reports.pooled.examples) console.log(JSON.stringify(one));
  const ownCalls = judgeOwnCalls(pooled, steps);
  const time = await withFolder((dir) => measureDistilling(files, dir, DEFAULT_SETTINGS));
  return {
    firesAgain: toFiringShare(pooled),
    ownCalls,
    backtest: Object.fromEntries(Object.entries(reports).map(([name, report]) => [name, toShort(report)])),
    seconds: time,
  };
}

/** Of the lessons that may speak, those that did so after they were learned. */
function toFiringShare({ calls, lessons }: Replay): number {
  const fired = new Set(calls.flatMap(({ deliveries }) => deliveries.map(({ lessonId }) => lessonId)));
  const active = lessons.filter(({ status }) => status === 'active');
  return toShare(active.filter(({ id }) => fired.has(id)).length, active.length);
}

function toShort(report: BacktestReport) {
  const { sessions, calls, failures, deliveries, deliveriesPer100Calls, classes, all, learnable, unclassed } = report;
  const groups = Object.entries({ ...classes, all, learnable }).map(([name, one]) => [name, renderClass(one)]);
  return {
    ...{ sessions, calls, failures, masked: report.masked, deliveries, deliveriesPer100Calls, unclassed },
    ...Object.fromEntries(groups),
  };
}

function renderClass(figures: ClassFigures): string {
  const { failures, repeats, warned, recall, recallInterval, deliveries, hits, precision, precisionInterval } = figures;
  const share = (value: number | null, interval: readonly number[] | null): string =>
    value === null ? '-' : `${value} (${interval?.join('-')})`;
  return `${failures} failures, ${repeats} repeats, ${warned} warned: recall ${share(recall, recallInterval)}; ${deliveries} deliveries, ${hits} hits: precision ${share(precision, precisionInterval)}`;
}

async function withFolder<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-distill-'));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
