/**
 * `scan`: the command itself over real sessions, into a new store, and once more when nothing has changed; against
 * `JSON.parse` of every line of the same files in one process. And one session of 2 GB, for the memory.
 */
import { join } from 'node:path';
import { atLeast, atMost, type BenchReport, mustBeZero } from './bench-report.ts';
import { findCorpus } from './find-corpus.ts';
import { runMeasured } from './run-measured.ts';
import { type BenchHome, withBenchHome } from './with-bench-home.ts';
import { writeBigSession } from './write-big-session.ts';

const CLI = join(import.meta.dirname, '../dist/cli.mjs');
const RIVAL = join(import.meta.dirname, 'parse-every-line.ts');
const AGENTS = ['claude-code', 'codex'];
const ROUNDS = 3;
const BIG_MEGABYTES = 2000;

interface ScanJson {
  readonly sessions: number;
  readonly calls: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly unreadable: readonly unknown[];
}

export async function run(): Promise<BenchReport> {
  const corpus = findCorpus();
  if (corpus === undefined) throw new Error('there are no sessions to scan: set ONCEBITTEN_CORPUS to a folder of them');
  return withBenchHome([], async (bench) => {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(bench, corpus, round));
    const { scan, again, rival, read } = toMiddle(rounds);
    const big = await measureBig(bench);
    const megabytes = Math.round(read.bytes / 1e6);
    return {
      scan: { ...scan, megabytesPerSecond: Math.round(megabytes / scan.seconds) },
      again: { seconds: again.seconds, inTheScan: again.inTheScan, files: again.files },
      big,
      megabytes,
      sessions: read.sessions,
      calls: read.calls,
      skipped: read.skipped,
      rounds: ROUNDS,
      reference: { what: 'JSON.parse of every line, in one process', ...rival },
      checks: [
        atLeast('speed of the scan / JSON.parse', round(rival.seconds / scan.seconds), 0.25),
        atMost('seconds for the files again, unchanged', again.inTheScan, 0.15),
        atMost('peak megabytes, all sessions', scan.peakMegabytes, 300),
        atMost('peak megabytes, one session of 2 GB', big.peakMegabytes, 300),
        mustBeZero('files that could not be read', read.unreadable.length),
      ],
    };
  });
}

async function measureRound({ home, signal }: BenchHome, corpus: string, number: number) {
  const folders = AGENTS.map((agent) => join(corpus, agent));
  const { stdout: _, ...rival } = await runMeasured([RIVAL, ...folders], signal);
  const data = join(home.dir, `scan-${number}`);
  const args = [CLI, 'scan', '--path', corpus, '--home', data, '--json'];
  const { stdout, ...scan } = await runMeasured(args, signal);
  const read = JSON.parse(stdout) as ScanJson;
  const second = await runMeasured(args, signal);
  const again = { seconds: second.seconds, inTheScan: (JSON.parse(second.stdout) as ScanJson).seconds };
  return { rival, scan, read, again: { ...again, files: read.sessions } };
}

async function measureBig({ home, signal }: BenchHome) {
  const file = join(home.dir, 'big.jsonl');
  writeBigSession(file, BIG_MEGABYTES);
  const args = [CLI, 'scan', '--agent', 'claude-code', '--path', file, '--home', join(home.dir, 'big'), '--json'];
  const { seconds, peakMegabytes } = await runMeasured(args, signal);
  return { megabytes: BIG_MEGABYTES, seconds, peakMegabytes };
}

/** The one in the middle by how much faster the rival was. */
function toMiddle(rounds: readonly Awaited<ReturnType<typeof measureRound>>[]) {
  const ratio = (one: (typeof rounds)[number]) => one.scan.seconds / one.rival.seconds;
  const middle = rounds.toSorted((a, b) => ratio(a) - ratio(b))[Math.floor(rounds.length / 2)];
  if (middle === undefined) throw new Error('no round was measured');
  return middle;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
