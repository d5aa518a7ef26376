/**
 * `api`: the dashboard and its API on a store of 100,000 calls and 5,000 lessons, served by a real daemon: each question
 * the first time after a change and again, the first paint in a real browser, and the size of the first page's files.
 * The reference is the same number of bytes from a bare HTTP server.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Call } from '../src/base/model/call.ts';
import type { Operation } from '../src/surfaces/api/operation.ts';
import { OPERATIONS } from '../src/surfaces/api/operations.ts';
import { ensureDaemon } from '../src/surfaces/daemon/control-daemon.ts';
import { type HttpAddress, readHttpFile } from '../src/surfaces/http/http-file.ts';
import { makeCall, makeFailure, makeSignature } from '../test/contracts/store/make-samples.ts';
import { launchBrowser } from '../test/dashboard/open-dashboard.ts';
import { makeTestLesson } from '../test/fixtures/make-test-lesson.ts';
import { atMost, type BenchReport } from './bench-report.ts';
import { toMedian, toQuantile } from './quantiles.ts';
import { type BenchHome, withBenchHome, withStore } from './with-bench-home.ts';

const CALLS = 100_000;
const CALLS_OF_SESSION = 100;
const LESSONS = 5_000;
/** One call in so many fails, with one of so many messages. */
const [FAILING, KINDS] = [15, 400];
const ROUNDS = 20;
const PAINTS = 5;
const DIST = join(import.meta.dirname, '../dist/dashboard');

export function run(): Promise<BenchReport> {
  return withBenchHome(makeLessons(), async (bench) => {
    await fill(bench);
    await ensureDaemon(bench.home);
    const address = await findAddress(bench);
    const operations = await measureOperations(address);
    const again = operations.flatMap(({ againMs }) => againMs);
    const first = operations.map(({ firstMs }) => firstMs);
    const { paints, bundleKb } = await measurePaints(address);
    const floorMs = await measureFloor(operations.map(({ bytes }) => bytes));
    const p95Ms = toQuantile(again, 0.95);
    const slowestFirstMs = Math.round(Math.max(...first));
    return {
      calls: CALLS,
      lessons: LESSONS,
      api: {
        ...{ p50Ms: toMedian(again), p95Ms },
        ...{ firstP50Ms: toMedian(first), slowestFirstMs, slowestFirst: toSlowest(operations) },
      },
      firstPaintMs: toMedian(paints),
      bundleKb,
      reference: { what: 'the same answers from a bare HTTP server', p50Ms: floorMs },
      checks: [
        atMost('API, the same answer again, p95, ms', p95Ms, 100),
        atMost('API, the first answer after a change, slowest, ms', slowestFirstMs, 1000),
        atMost('first paint, ms', toMedian(paints), 1000),
        atMost('files of the first page, compressed, KB', bundleKb, 250),
      ],
    };
  });
}

function makeLessons() {
  return Array.from({ length: LESSONS }, (_, n) => ({
    lesson: makeTestLesson({
      id: `les_${String(n).padStart(26, '0')}`,
      slug: `tool-${n}`,
      summary: `\`tool${n}\` fails: run it in the project's folder`,
      signatureId: `sig1_tool${n % KINDS}`,
      triggers: { tools: ['shell'], programs: [{ name: `tool${n}` }] },
    }),
  }));
}

async function fill({ home }: BenchHome): Promise<void> {
  await withStore(home, async (store) => {
    for (let session = 0; session < CALLS / CALLS_OF_SESSION; session++) {
      const calls = Array.from({ length: CALLS_OF_SESSION }, (_, n) => makeOne(session, n));
      const [sessionId, startedAt] = [`s${session}`, calls[0]?.occurredAt ?? ''];
      const lastSeenAt = calls.at(-1)?.occurredAt ?? '';
      const place = { agent: 'claude-code', projectId: toProject(session), cwd: `/home/dev/${session % 20}` };
      await store.saveSessions([
        { ...place, sessionId, startedAt, lastSeenAt, model: `model-${session % 3}`, source: 'hook' },
      ]);
      await store.saveCalls(calls, 'observed');
    }
  });
}

function makeOne(session: number, n: number): Call {
  const at = Date.UTC(2026, 0, 1) + (session * CALLS_OF_SESSION + n) * 120_000;
  const kind = (session * 31 + n * 17) % KINDS;
  const fields = {
    sessionId: `s${session}`,
    callId: `c${n}`,
    projectId: toProject(session),
    program: `tool${kind % 40}`,
    intentKey: `tool${kind % 40} run`,
    occurredAt: new Date(at).toISOString(),
  };
  if (n % FAILING !== 0) return makeCall(fields);
  return makeFailure(makeSignature(`tool${kind}`), { ...fields, message: `tool${kind}: no such file x` });
}

function toProject(session: number): string {
  return `prj_${session % 20}`;
}

async function findAddress({ home, signal }: BenchHome): Promise<HttpAddress> {
  for (;;) {
    signal.throwIfAborted();
    const address = readHttpFile(home);
    if (address !== undefined) return address;
    await new Promise((done) => setTimeout(done, 50));
  }
}

interface Measured {
  readonly name: string;
  readonly firstMs: number;
  readonly againMs: readonly number[];
  readonly bytes: number;
}

async function measureOperations(address: HttpAddress): Promise<readonly Measured[]> {
  const { items: lessons } = (await ask(address, '/lessons?limit=1')).body as { items: { id: string }[] };
  const { items: sessions } = (await ask(address, '/sessions?limit=1')).body as { items: { sessionId: string }[] };
  const measured: Measured[] = [];
  for (const [name, { method, path, isFresh }] of Object.entries<Operation>(OPERATIONS)) {
    // `doctor` makes a test call, which takes its time; it is not part of reading.
    if (method !== 'get' || isFresh === true) continue;
    const place = path.replace('{lesson}', lessons[0]?.id ?? '').replace('{session}', sessions[0]?.sessionId ?? '');
    const first = await ask(address, place);
    const againMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) againMs.push((await ask(address, place)).ms);
    measured.push({ name, firstMs: first.ms, againMs, bytes: first.bytes });
  }
  return measured;
}

async function ask({ port, token }: HttpAddress, path: string) {
  const start = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return { ms: performance.now() - start, bytes: text.length, body: JSON.parse(text) as unknown };
}

/** What is asked for the first time after a change, the slowest first. */
function toSlowest(operations: readonly Measured[]) {
  return Object.fromEntries(
    operations
      .toSorted((a, b) => b.firstMs - a.firstMs)
      .slice(0, 4)
      .map(({ name, firstMs }) => [name, Math.round(firstMs)]),
  );
}

/** `bundleKb`: the scripts and styles that the overview loads, compressed. */
async function measurePaints({ port, token }: HttpAddress) {
  const browser = await launchBrowser();
  try {
    const paints: number[] = [];
    const files = new Set<string>();
    for (let n = 0; n < PAINTS; n++) {
      const page = await (await browser.newContext()).newPage();
      page.on('request', (request) => files.add(new URL(request.url()).pathname));
      await page.goto(`http://127.0.0.1:${port}/#token=${token}`);
      await page.locator('.headline').waitFor();
      const script = "performance.getEntriesByName('first-contentful-paint')[0].startTime";
      paints.push((await page.evaluate(script)) as number);
      await page.context().close();
    }
    const assets = [...files].filter((path) => path.startsWith('/assets/'));
    const bytes = assets.reduce((sum, path) => sum + gzipSync(readFileSync(join(DIST, path))).length, 0);
    return { paints, bundleKb: Math.round(bytes / 1024) };
  } finally {
    await browser.close();
  }
}

async function measureFloor(sizes: readonly number[]): Promise<number> {
  const server = createServer((request, reply) => reply.end('x'.repeat(Number(request.url?.slice(1)))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const times: number[] = [];
  for (const size of sizes)
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/${size}`)).text();
      times.push(performance.now() - start);
    }
  server.close();
  return toMedian(times);
}
