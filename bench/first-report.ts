/**
 * `first-report`: `oncebitten start` on a history of 2 GB in 2,000 files, made from the corpus in a temporary home. The
 * time until its report is there; against `JSON.parse` of every line of the newest 50 MB, in one process. Then the daemon
 * reads on, and a second `start` must report more.
 */
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toDataHome } from '../src/loop/home/data-home.ts';
import { byNews, listScanFiles, NEWEST_BYTES } from '../src/loop/scan/scan-files.ts';
import type { StartReport } from '../src/surfaces/cli/install/start-report.ts';
import { stopDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { atLeast, atMost, type BenchReport } from './bench-report.ts';
import { findCorpus } from './find-corpus.ts';
import { runMeasured } from './run-measured.ts';
import { type BenchHome, withBenchHome } from './with-bench-home.ts';
import { writeHistory } from './write-history.ts';

const CLI = join(import.meta.dirname, '../dist/cli.mjs');
const RIVAL = join(import.meta.dirname, 'parse-every-line.ts');
const FILES = 2000;
const ROUNDS = 3;
/** The daemon begins to read three seconds after its start. */
const READING_MS = 10_000;

export async function run(): Promise<BenchReport> {
  const corpus = findCorpus();
  if (corpus === undefined) throw new Error('there are no sessions to read: set ONCEBITTEN_CORPUS to a folder of them');
  return withBenchHome([], async (bench) => {
    const root = join(bench.home.dir, '..');
    const history = writeHistory(corpus, root, FILES);
    const newest = linkNewest(root);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(bench, newest, round));
    const { start, rival, first, second } = toMiddle(rounds);
    return {
      start,
      gigabytes: history.bytes / 1e9,
      files: history.files,
      first,
      second,
      rounds: ROUNDS,
      reference: { what: 'JSON.parse of every line of the newest 50 MB, in one process', ...rival },
      checks: [
        atMost('seconds until the first report', start.seconds, 5),
        atLeast('megabytes that the first report is about', first.megabytes, NEWEST_BYTES / 1e6),
        atLeast('calls in the second report / in the first', second.calls / first.calls, 1.01),
        atLeast('gigabytes of the history', history.bytes / 1e9, 2),
      ],
    };
  });
}

async function measureRound({ home, place, signal }: BenchHome, newest: string, number: number) {
  const { stdout: _, ...rival } = await runMeasured([RIVAL, newest], signal);
  const data = toDataHome(join(home.dir, `first-report-${number}`));
  mkdirSync(data.dir, { mode: 0o700 });
  // A bench that is killed cannot stop the daemon, which then ends by itself.
  writeFileSync(data.configFile, JSON.stringify({ idleExitMinutes: 5 }), { mode: 0o600 });
  const args = [CLI, 'start', '--home', data.dir, '--json'];
  try {
    const { stdout, ...start } = await runMeasured(args, signal, place.env);
    await sleep(READING_MS, undefined, { signal });
    const again = await runMeasured(args, signal, place.env);
    return { rival, start, first: toFigures(stdout), second: { seconds: again.seconds, ...toFigures(again.stdout) } };
  } finally {
    await stopDaemon(data);
  }
}

function toFigures(stdout: string) {
  const { history, counts, repeated, lessons } = JSON.parse(stdout) as StartReport;
  const { calls, failures, repeats } = counts;
  return {
    megabytes: history.bytesRead / 1e6,
    files: history.filesRead,
    ...{ calls, failures, repeats, kinds: repeated.total, lessons: lessons.length },
  };
}

/** A folder with links to the newest 50 MB of sessions. */
function linkNewest(root: string): string {
  const folder = join(root, 'newest');
  mkdirSync(folder);
  let bytes = 0;
  for (const { path, size } of listScanFiles({ home: root, env: {} }).toSorted(byNews)) {
    if (bytes >= NEWEST_BYTES) break;
    linkSync(path, join(folder, basename(path)));
    bytes += size;
  }
  return folder;
}

function toMiddle<T extends { readonly start: { readonly seconds: number } }>(rounds: readonly T[]): T {
  const middle = rounds.toSorted((a, b) => a.start.seconds - b.start.seconds)[Math.floor(rounds.length / 2)];
  if (middle === undefined) throw new Error('no round was measured');
  return middle;
}
