/** `match`: calls of the shapes that agents make against more and more lessons, in this process, the parsing included. */
import { DEFAULT_SETTINGS } from '../src/base/model/settings.ts';
import { toCallView } from '../src/base/triggers/call-view.ts';
import { compileManifest } from '../src/keep/manifest/compile-manifest.ts';
import { type Manifest, openManifest } from '../src/match/manifest.ts';
import { findCandidates, matchLessons } from '../src/match/match-lessons.ts';
import { atMost, type BenchReport } from './bench-report.ts';
import { type BenchCall, makeMatchCalls } from './make-match-calls.ts';
import { makeMatchLessons, TEAM_PROJECTS, toProjectId } from './make-match-lessons.ts';
import { toMedian, toQuantile } from './quantiles.ts';

const SIZES = [100, 1_000, 10_000, 100_000];
const CALLS = 10_000;
const ROUNDS = 7;
/** The first lessons are the same in all sizes. */
const MISTAKES = 20;
const MICROS = 1000;

interface Located {
  readonly event: BenchCall['event'];
  readonly projectId: string;
}

interface Size {
  readonly lessons: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly candidatesPerCall: number;
  readonly callsWithMatchPercent: number;
}

export async function run(): Promise<BenchReport> {
  const calls = makeMatchCalls(CALLS, makeMatchLessons(SIZES[0] ?? 0, TEAM_PROJECTS).slice(0, MISTAKES));
  const sizes = measure(SIZES, TEAM_PROJECTS, calls);
  const alone = measure(
    SIZES.filter((_, i, { length }) => i === 0 || i === length - 1),
    1,
    calls,
  );
  return {
    ...toFigures(sizes),
    // Every lesson is in reach of every call: no bound, for nobody has so many in one place.
    oneProject: { ...toFigures(alone), 'largest / smallest': toRatio(alone) },
    projects: TEAM_PROJECTS,
    calls: CALLS,
    rounds: ROUNDS,
    reference: { what: 'parsing the calls alone', ...timeParsing(calls) },
    checks: [
      atMost('p99 at 100,000 lessons, us', sizes.at(-1)?.p99Us ?? Number.NaN, MICROS),
      atMost('median at 100,000 / median at 100', toRatio(sizes), 4),
    ],
  };
}

/** Sizes take turns within a round, so that whatever else the machine does meets them all. */
function measure(counts: readonly number[], projects: number, calls: readonly BenchCall[]): readonly Size[] {
  const located = calls.map(({ event, session }): Located => ({ event, projectId: toProjectId(session % projects) }));
  const manifests = counts.map((count) => ({ count, manifest: makeManifest(count, projects) }));
  for (const { manifest } of manifests) timeCalls(manifest, located);
  const rounds = Array.from({ length: ROUNDS }, () => manifests.map(({ manifest }) => timeCalls(manifest, located)));
  return manifests.map(({ count, manifest }, i): Size => {
    const over = (q: number) => toMedian(rounds.map((round) => toQuantile(round[i] ?? [], q)));
    return { lessons: count, p50Us: over(0.5), p99Us: over(0.99), ...describe(manifest, located) };
  });
}

function toFigures(sizes: readonly Size[]) {
  return Object.fromEntries(sizes.map(({ lessons, ...figures }) => [lessons, figures]));
}

function toRatio(sizes: readonly Size[]): number {
  return toRounded((sizes.at(-1)?.p50Us ?? Number.NaN) / (sizes[0]?.p50Us ?? Number.NaN));
}

function makeManifest(count: number, projects: number): Manifest {
  const lessons = makeMatchLessons(count, projects);
  const generatedAt = new Date(0).toISOString();
  const bytes = compileManifest({ lessons, settings: DEFAULT_SETTINGS, generatedAt });
  const manifest = openManifest(bytes);
  if (manifest?.header.count !== count) throw new Error(`the manifest of ${count} lessons is not whole`);
  return manifest;
}

/** Microseconds of each call. */
function timeCalls(manifest: Manifest, calls: readonly Located[]): readonly number[] {
  return calls.map(({ event, projectId }) => {
    const startedMs = performance.now();
    matchLessons(manifest, toCallView(event, projectId));
    return (performance.now() - startedMs) * MICROS;
  });
}

function timeParsing(calls: readonly BenchCall[]) {
  const times = calls.map(({ event }) => {
    const startedMs = performance.now();
    toCallView(event, '');
    return (performance.now() - startedMs) * MICROS;
  });
  return { p50Us: toQuantile(times, 0.5), p99Us: toQuantile(times, 0.99) };
}

function describe(manifest: Manifest, calls: readonly Located[]) {
  let candidates = 0;
  let matched = 0;
  for (const { event, projectId } of calls) {
    const call = toCallView(event, projectId);
    candidates += findCandidates(manifest.header.index, call).size;
    if (matchLessons(manifest, call).length > 0) matched++;
  }
  return {
    candidatesPerCall: toRounded(candidates / calls.length),
    callsWithMatchPercent: toRounded((100 * matched) / calls.length),
  };
}

function toRounded(value: number): number {
  return Math.round(value * 100) / 100;
}
