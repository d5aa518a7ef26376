/** `match`: calls of the shapes that agents make against more and more lessons, in this process, the parsing included. */
import { DEFAULT_SETTINGS } from '../src/base/settings.ts';
import { compileManifest } from '../src/keep/compile-manifest.ts';
import { findCandidates } from '../src/match/find-candidates.ts';
import { toMatchCall } from '../src/match/match-call.ts';
import { matchLessons } from '../src/match/match-lessons.ts';
import { type Manifest, openManifest } from '../src/match/open-manifest.ts';
import { renderLesson } from '../src/match/render-lesson.ts';
import { atMost, type BenchReport } from './bench-report.ts';
import { type BenchCall, makeMatchCalls } from './make-match-calls.ts';
import { countProjects, makeMatchLessons, toProjectId } from './make-match-lessons.ts';
import { toMedian, toQuantile } from './quantiles.ts';

const SIZES = [100, 1_000, 10_000, 100_000];
const CALLS = 10_000;
const ROUNDS = 7;
/** The first lessons are the same in all sizes. */
const MISTAKES = 20;
const MICROS = 1000;

interface Size {
  readonly lessons: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly candidatesPerCall: number;
  readonly callsWithMatchPercent: number;
}

/** Sizes take turns within a round, so that whatever else the machine does meets them all. */
export async function run(): Promise<BenchReport> {
  const calls = makeMatchCalls(CALLS, makeMatchLessons(SIZES[0] ?? 0).slice(0, MISTAKES));
  const manifests = SIZES.map((count) => ({ count, manifest: makeManifest(count) }));
  for (const { manifest } of manifests) timeCalls(manifest, calls);
  const rounds = Array.from({ length: ROUNDS }, () => manifests.map(({ manifest }) => timeCalls(manifest, calls)));
  const sizes = manifests.map(({ count, manifest }, i): Size => {
    const over = (q: number) => toMedian(rounds.map((round) => toQuantile(round[i] ?? [], q)));
    return { lessons: count, p50Us: over(0.5), p99Us: over(0.99), ...describe(manifest, calls) };
  });
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (smallest === undefined || largest === undefined) throw new Error('there are no sizes to measure');
  return {
    ...Object.fromEntries(sizes.map(({ lessons, ...figures }) => [lessons, figures])),
    calls: CALLS,
    rounds: ROUNDS,
    reference: { what: 'parsing the calls alone', ...timeParsing(calls) },
    checks: [
      atMost('p99 at 100,000 lessons, us', largest.p99Us, MICROS),
      atMost('median at 100,000 / median at 100', toRounded(largest.p50Us / smallest.p50Us), 2),
    ],
  };
}

function makeManifest(count: number): Manifest {
  const lessons = makeMatchLessons(count);
  const generatedAt = new Date(0).toISOString();
  const bytes = compileManifest({ lessons, settings: DEFAULT_SETTINGS, generatedAt, render: renderLesson });
  const manifest = openManifest(bytes);
  if (manifest?.header.count !== count) throw new Error(`the manifest of ${count} lessons is not whole`);
  return manifest;
}

/** Microseconds of each call. */
function timeCalls(manifest: Manifest, calls: readonly BenchCall[]): readonly number[] {
  const projects = countProjects(manifest.header.count);
  return calls.map(({ event, session }) => {
    const projectId = toProjectId(session % projects);
    const startedMs = performance.now();
    matchLessons(manifest, toMatchCall(event, projectId));
    return (performance.now() - startedMs) * MICROS;
  });
}

function timeParsing(calls: readonly BenchCall[]) {
  const times = calls.map(({ event }) => {
    const startedMs = performance.now();
    toMatchCall(event, '');
    return (performance.now() - startedMs) * MICROS;
  });
  return { p50Us: toQuantile(times, 0.5), p99Us: toQuantile(times, 0.99) };
}

function describe(manifest: Manifest, calls: readonly BenchCall[]) {
  let candidates = 0;
  let matched = 0;
  const projects = countProjects(manifest.header.count);
  for (const { event, session } of calls) {
    const call = toMatchCall(event, toProjectId(session % projects));
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
