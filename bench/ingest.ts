/**
 * `ingest`: events through the daemon's door, redacted, judged, signed and stored, into SQLite and PostgreSQL; against the
 * same rows inserted into the same tables in plain batches by nothing but the driver.
 */
import { writeFileSync } from 'node:fs';
import { openStore } from '../src/keep/store/open-store.ts';
import { askDaemon } from '../src/surfaces/daemon/ask-daemon.ts';
import { ensureDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { startPostgres } from '../test/postgres/start-postgres.ts';
import { atLeast, type BenchReport, type Check, mustBeZero } from './bench-report.ts';
import { insertRawPostgres, insertRawSqlite } from './insert-raw.ts';
import { makeEndedCalls } from './make-ended-calls.ts';
import { sendEvents, streamEvents } from './send-events.ts';
import { type BenchHome, withBenchHome } from './with-bench-home.ts';

const EVENTS = 10_000;
/** Programs that send events on a connection of their own. */
const STREAMS = 4;
/** Hooks that come at the same time, each with one event. */
const HOOKS = 16;
const ROUNDS = 5;
/** The floor takes a fraction of a second, so one disturbance would change it by half. */
const RAW_RUNS = 3;
const MAX_FLUSHES = 20;

interface Engine {
  readonly name: string;
  readonly url: string;
  readonly insertRaw: (bench: BenchHome, session: string) => Promise<number>;
}

interface Round {
  readonly eventsPerSecond: number;
  /** With a connection for each event. */
  readonly hooksPerSecond: number;
  readonly rawPerSecond: number;
  readonly lost: number;
}

export async function run(): Promise<BenchReport> {
  const postgres = await startPostgres();
  try {
    const [url, rawUrl] = [await postgres.makeDatabase(), await postgres.makeDatabase()];
    const engines: readonly Engine[] = [
      { name: 'sqlite', url: '', insertRaw: insertRawSqlite },
      { name: 'postgres', url, insertRaw: insertRawPostgres(url, rawUrl) },
    ];
    const figures: Record<string, unknown> = {};
    const reference: Record<string, unknown> = {};
    const checks: Check[] = [];
    for (const engine of engines) {
      const { eventsPerSecond, hooksPerSecond, rawPerSecond, ratio, lost } = toMedian(await measure(engine));
      figures[engine.name] = { eventsPerSecond, ratio, hooksPerSecond };
      reference[engine.name] = { what: 'raw batched inserts', rowsPerSecond: rawPerSecond };
      checks.push(
        atLeast(`${engine.name}: events / raw inserts`, ratio, 0.15),
        mustBeZero(`${engine.name}: events lost`, lost),
      );
    }
    return { ...figures, events: EVENTS, streams: STREAMS, hooks: HOOKS, rounds: ROUNDS, reference, checks };
  } finally {
    await postgres.stop();
  }
}

function measure(engine: Engine): Promise<readonly Round[]> {
  return withBenchHome([], async (bench) => {
    const settings = JSON.stringify({ idleExitMinutes: 5, store: { url: engine.url } });
    writeFileSync(bench.home.configFile, settings, { mode: 0o600 });
    await ensureDaemon(bench.home);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await runRound(engine, bench, round));
    return rounds;
  });
}

async function runRound(engine: Engine, bench: BenchHome, round: number): Promise<Round> {
  const session = `ingest-${round}`;
  const hookSession = `hooks-${round}`;
  const eventsPerSecond = await timeSending(bench, session, (payloads) => streamEvents(bench.home, payloads, STREAMS));
  const hooksPerSecond = await timeSending(bench, hookSession, (payloads) => sendEvents(bench.home, payloads, HOOKS));
  const raw: number[] = [];
  for (let runs = 0; runs < RAW_RUNS; runs++) raw.push(await engine.insertRaw(bench, session));
  const rawPerSecond = raw.toSorted((a, b) => a - b)[Math.floor(RAW_RUNS / 2)] ?? 1;
  const store = await openStore({ url: engine.url, file: bench.home.storeFile });
  try {
    const stored = [
      ...(await store.listCalls({ sessionId: session })),
      ...(await store.listCalls({ sessionId: hookSession })),
    ];
    return { eventsPerSecond, hooksPerSecond, rawPerSecond, lost: 2 * EVENTS - stored.length };
  } finally {
    await store.close();
  }
}

/** Events per second, from the first byte until all of them are stored. */
async function timeSending(
  bench: BenchHome,
  session: string,
  send: (payloads: readonly string[]) => Promise<void>,
): Promise<number> {
  const payloads = makeEndedCalls({ count: EVENTS, session, cwd: bench.place.cwd });
  const startedMs = performance.now();
  await send(payloads);
  await settle(bench);
  return Math.round(EVENTS / ((performance.now() - startedMs) / 1000));
}

/** A flush gives up after some seconds; what is not stored by then still will be. */
async function settle({ home, signal }: BenchHome): Promise<void> {
  for (let tries = 0; tries < MAX_FLUSHES && !signal.aborted; tries++) {
    const answer = await askDaemon<{ readonly flushed: boolean }>(home, 'flush');
    if (answer?.flushed === true) return;
  }
}

function toMedian(rounds: readonly Round[]) {
  const sorted = [...rounds].sort((a, b) => a.eventsPerSecond / a.rawPerSecond - b.eventsPerSecond / b.rawPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? { eventsPerSecond: 0, hooksPerSecond: 0, rawPerSecond: 1 };
  const ratio = Math.round((middle.eventsPerSecond / middle.rawPerSecond) * 1000) / 1000;
  return { ...middle, ratio, lost: rounds.reduce((sum, round) => sum + round.lost, 0) };
}
