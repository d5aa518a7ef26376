/** `manifest`: lessons compiled into the file that hooks read, and that file opened and asked, up to 100,000 lessons. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lesson } from '../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../src/base/model/settings.ts';
import { toWrittenView } from '../src/base/triggers/call-view.ts';
import { compileManifest } from '../src/keep/manifest/compile-manifest.ts';
import { readManifest } from '../src/match/manifest.ts';
import { matchLessons } from '../src/match/match-lessons.ts';
import { atMost, type BenchReport } from './bench-report.ts';
import { makeBenchLessons } from './make-bench-lessons.ts';
import { toMedian } from './quantiles.ts';

const COUNTS = [1_000, 10_000, 100_000];
const ROUNDS = 3;
const KINDS = 1_000;
const CALL = toWrittenView('shell', { command: 'gh pr diff 7 --stat' });

export async function run(): Promise<BenchReport> {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-bench-manifest-'));
  try {
    const sizes = COUNTS.map((count) => measure(makeLessons(count), join(dir, `${count}.json`)));
    const largest = sizes.at(-1);
    const { compileSeconds = 0, loadMs = 0 } = largest ?? {};
    return {
      ...Object.fromEntries(sizes.map(({ lessons, ...figures }) => [lessons, figures])),
      rounds: ROUNDS,
      reference: {
        what: 'reading and parsing the same file as one JSON document',
        ms: measureParse(join(dir, '100000.json')),
      },
      checks: [
        atMost('seconds to compile 100,000 lessons', compileSeconds, 3),
        atMost('ms to load 100,000 lessons', loadMs, 300),
      ],
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The lessons of a busy year, again and again with another number: as long, and no two alike. */
function makeLessons(count: number): readonly Lesson[] {
  const kinds = makeBenchLessons(Math.min(count, KINDS));
  return Array.from({ length: count }, (_, n) => {
    const { lesson } = kinds[n % kinds.length] ?? { lesson: undefined };
    if (lesson === undefined) throw new Error('there are no lessons to measure with');
    const round = Math.floor(n / kinds.length);
    return round === 0 ? lesson : { ...lesson, ...toVariant(lesson, round) };
  });
}

function toVariant({ slug, summary, triggers }: Lesson, round: number): Partial<Lesson> {
  const programs = triggers.programs?.map((one) => ({
    ...one,
    args: { ...one.args, all: [...(one.args?.all ?? []), `--variant-${round}`] },
  }));
  return {
    id: `les_${slug}_${round}`,
    slug: `${slug}-${round}`,
    summary: `${summary} (${round})`,
    triggers: programs === undefined ? triggers : { ...triggers, programs },
  };
}

function measure(lessons: readonly Lesson[], file: string) {
  const generatedAt = new Date(0).toISOString();
  const compile = () => compileManifest({ lessons, settings: DEFAULT_SETTINGS, generatedAt });
  const bytes = compile();
  writeFileSync(file, bytes);
  const compileMs = toMedian(Array.from({ length: ROUNDS }, () => time(compile)));
  const loadMs = toMedian(Array.from({ length: ROUNDS }, () => time(() => load(file))));
  return {
    lessons: lessons.length,
    megabytes: toRounded(bytes.length / 1e6),
    compileSeconds: toRounded(compileMs / 1000),
    loadMs: toRounded(loadMs),
  };
}

/** As a hook does: the file, and the lessons of one call. */
function load(file: string): void {
  const manifest = readManifest(file);
  if (manifest === undefined || matchLessons(manifest, CALL).length === 0) throw new Error('the manifest is empty');
}

function measureParse(file: string): number {
  return toRounded(toMedian(Array.from({ length: ROUNDS }, () => time(() => JSON.parse(readFileSync(file, 'utf8'))))));
}

function time(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

function toRounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
