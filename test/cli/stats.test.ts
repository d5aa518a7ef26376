/** `oncebitten stats`: what a person reads in ten seconds, and the same as JSON. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import { MIGRATIONS } from '../../src/keep/migrations/migrations.ts';
import { openSqliteEngine, openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { StatsReport } from '../../src/measure/make-stats-report.ts';
import {
  makeCall,
  makeChange,
  makeDelivery,
  makeFailure,
  makeLesson,
  makeProject,
  makeSession,
  makeSignature,
} from '../contracts/store/make-samples.ts';
import { writeSession } from '../stories/session-file.ts';
import { openShell, type Shell } from './open-shell.ts';

const GH = makeSignature('gh');
const SLUG = 'a-lesson-with-a-slug-that-is-far-too-long-x7k2';
const day = (n: number): string => new Date(Date.UTC(2026, 2, n, 12)).toISOString();

describe('oncebitten stats', { timeout: 900_000 }, () => {
  let shell: Shell;
  let open: () => Promise<Store>;
  before(() => {
    shell = openShell();
    open = () => openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
  });
  after(() => shell.close());

  const stats = (...args: string[]) => shell.json<StatsReport>('stats', ...args);

  it('says what is missing while nothing was shown, step by step', async () => {
    assert.match((await shell.run(['stats'])).stdout, /^No lesson was shown yet.*\n.*oncebitten scan/);
    const store = await open();
    await store.saveCalls([makeCall()], 'observed');
    assert.match((await shell.run(['stats'])).stdout, /oncebitten lessons add/);
    await store.saveLesson(makeLesson({ status: 'draft' }), makeChange('new'));
    assert.match((await shell.run(['stats'])).stdout, /1 draft to review: oncebitten lessons review/);
    await store.saveLesson(makeLesson({ slug: SLUG, signatureId: GH.id }), makeChange('approved'));
    assert.match((await shell.run(['stats'])).stdout, /1 lesson can fire.*oncebitten doctor/);
    assert.deepEqual((await stats()).totals.shown, 0);
    await store.close();
  });

  it('says nothing of calls where none is known, and fits also with a data directory that was given', async () => {
    const other = openShell();
    const store = await openSqliteStore(join(other.dataDir, 'oncebitten.db'));
    await store.saveLesson(makeLesson({ signatureId: GH.id }), makeChange('new'));
    await store.saveDelivery(makeDelivery({ deliveredAt: day(5) }));
    const run = () => other.show(['stats'], 80);
    const bare = await run();
    assert.match(bare, /^1 lesson was shown once/);
    assert.doesNotMatch(bare, /of 0 |^Before/m);
    assert.match(bare, /^Feedback +none yet; give it with:\s+oncebitten lessons feedback .*--home/m);
    await store.saveCalls([makeFailure(GH, { callId: 'later', program: 'gh', occurredAt: day(6) })], 'observed');
    const since = await run();
    assert.match(since, /^Before +0 of 0 calls[\s\S]*^After +1 of 1/m);
    await store.close();
    const long = `${bare}\n${since}`.split('\n').filter((line) => line.length > 80 && !line.includes('oncebitten '));
    assert.deepEqual(long, []);
    await other.close();
  });

  it('tells first how often lessons spoke and what came of it', async () => {
    const store = await open();
    await fill(store);
    await store.close();
    const { stdout } = await shell.run(['stats']);
    assert.match(
      stdout,
      /^2 lessons were shown 26 times: 18 without a repeat of the\s+mistake, 2 with a repeat, 5 with no outcome yet; 1 at session start\.\n/,
    );
    assert.match(
      stdout,
      /^Prevented +\d+ fewer repeats per 100 times shown \(95 % interval \d+ to \d+\); the\s+mistake came again after 2 of 20 shown and 5 of 6 withheld\./m,
    );
    assert.match(stdout, /p50 0\.40 ms, p95 0\.41 ms, p99 9\.00 ms to decide, for 31 calls/);
    assert.match(stdout, /7,850 bytes, about 1,963 tokens \(bytes \/ 4\)/);
    assert.match(stdout, /6 of 26 \(23 %, 95 % interval 11 to 42\) calls that a lesson fired on/);
    assert.match(stdout, /3 failures that an active lesson is about got no warning: 2 budget,\s+1 deadline/);
    assert.match(stdout, /^Shown as +24 notes, 1 pause, 6 withheld$/m);
    assert.match(stdout, /^Session start +once: about no call, so never judged$/m);
  });

  it('fits a screen of 80 columns', async () => {
    const shown = await shell.show(['stats'], 80);
    assert.match(shown, /^2 lessons/);
    const words = shown.split('\n').filter((line) => !line.includes('--home'));
    assert.deepEqual(
      words.filter((line) => line.length > 80),
      [],
    );
    assert.match(shown, /a-lesson-with-a-slu…-x7k2 +25 +6/);
  });

  it('is whole in a pipe', async () => {
    const { stdout } = await shell.run(['stats']);
    assert.match(stdout, new RegExp(`^${SLUG} +25 +6`, 'm'));
    assert.doesNotMatch(stdout, /…/);
  });

  it('has the same as JSON, by lesson, project, agent and week', async () => {
    const report = await stats();
    assert.deepEqual(report.totals.outcomes, { clean: 18, failed_anyway: 0, ignored: 2, incomplete: 0, open: 5 });
    assert.equal(report.totals.atStart, 1);
    assert.deepEqual(report.totals.falseAlarms, { calls: 26, worked: 6, share: 0.231, interval: [0.11, 0.421] });
    assert.deepEqual(report.effects, { helpful: 1, harmful: 0, unclear: 1 });
    assert.equal(report.latency?.calls, 31);
    assert.deepEqual(report.missed, {
      total: 3,
      reasons: [
        { reason: 'budget', count: 2 },
        { reason: 'deadline', count: 1 },
      ],
    });
    const shown = (groups: StatsReport['by']['project']) => groups.map(({ name, shown }) => [name, shown]);
    assert.deepEqual(shown(report.by.lesson), [
      [SLUG, 25],
      ['second-1a2b', 1],
    ]);
    assert.deepEqual(shown(report.by.project), [
      ['shop', 25],
      ['', 1],
    ]);
    assert.deepEqual(shown(report.by.agent), [
      ['claude-code', 25],
      ['codex', 1],
    ]);
    assert.deepEqual(shown(report.by.week), [
      ['2026-03-23', 1],
      ['2026-03-16', 5],
      ['2026-03-09', 14],
      ['2026-03-02', 6],
    ]);
    const { before, after: since } = report.recurrence ?? assert.fail();
    assert.deepEqual([before.failures, before.trials, since.failures, since.trials], [8, 10, 16, 20]);
  });

  it('counts only what was asked for', async () => {
    assert.deepEqual((await stats('--agent', 'codex')).totals.shown, 1);
    assert.deepEqual((await stats('--project', 'shop')).totals.shown, 25);
    assert.deepEqual((await stats('--lesson', 'second-1a2b')).lessons, 1);
    assert.deepEqual((await stats('--since', '2026-03-20')).totals.shown, 3);
    const { stdout } = await shell.run(['stats', '--since', '2026-04-01']);
    assert.match(stdout, /^No shown or withheld lessons match these filters\. See all: oncebitten stats/);
    for (const [expected, ...args] of [
      [2, '--agent', 'nobody'],
      [2, '--since', 'soon'],
      [1, '--lesson', 'none'],
      [2, '--limit', '0'],
    ] as const)
      assert.equal((await shell.run(['stats', ...args])).code, expected);
  });

  it('warns when most lessons are CRITICAL', async () => {
    assert.doesNotMatch((await shell.run(['stats'])).stdout, /WARNING/);
    const store = await open();
    for (const id of ['les_8', 'les_9', 'les_10'])
      await store.saveLesson(makeLesson({ id, slug: id, priority: 9 }), makeChange('new'));
    await store.close();
    const { stdout } = await shell.run(['stats']);
    assert.match(stdout, /3 CRITICAL, 0 HIGH, 2 MEDIUM, 0 LOW, of 5 active lessons/);
    assert.match(stdout, /WARNING +more than half are CRITICAL/);
    assert.equal((await stats()).priorities.isInflated, true);
  });
});

/** 26 sessions that the first lesson speaks in, or is withheld from; a note and a pause elsewhere. */
async function fill(store: Store): Promise<void> {
  await store.saveProjects([makeProject()]);
  await store.saveLesson(
    makeLesson({ id: 'les_2', slug: 'second-1a2b', signatureId: 'sig1_other' }),
    makeChange('new'),
  );
  const gh = { program: 'gh' };
  const past = [0, 1, 2, 3].map((n) => makeFailure(GH, { ...gh, callId: `p${n}`, occurredAt: day(1) }));
  await store.saveCalls(past, 'observed');
  for (let n = 0; n < 26; n++) {
    const sessionId = `s${n}`;
    const at = day(3 + Math.floor(n / 2));
    const isWithheld = n < 6;
    const isAgain = isWithheld ? n > 0 : n < 8;
    await store.saveSessions([makeSession({ sessionId, startedAt: at, lastSeenAt: at })]);
    const of = { ...gh, sessionId, occurredAt: at };
    await store.saveCalls([n % 5 === 0 ? makeCall(of) : makeFailure(GH, of)], 'observed');
    const arm = isWithheld ? 'holdout' : 'shown';
    const id = `dlv_${String(n).padStart(2, '0')}`;
    await store.saveDelivery(makeDelivery({ id, sessionId, arm, latencyUs: 400, deliveredAt: at }));
    await store.judgeDelivery(id, isAgain ? 'ignored' : 'clean', at, { again: isAgain, failed: isAgain });
  }
  const later = { sessionId: 's25', deliveredAt: day(21) };
  await store.saveDelivery(makeDelivery({ id: 'dlv_a', ...later, callId: 'x1', mode: 'pause', latencyUs: 9_000 }));
  for (const n of [2, 3, 4])
    await store.saveDelivery(makeDelivery({ id: `dlv_b${n}`, ...later, callId: `x${n}`, deliveredAt: day(18) }));
  await store.saveDelivery(
    makeDelivery({ id: 'dlv_c', ...later, callId: '', kind: 'session-start', bytes: 50, deliveredAt: day(20) }),
  );
  const elsewhere = { agent: 'codex', sessionId: 'unknown', lessonId: 'les_2', callId: 'y1' };
  await store.saveDelivery(makeDelivery({ id: 'dlv_d', ...elsewhere, latencyUs: 100, deliveredAt: day(23) }));
  const miss = {
    agent: 'claude-code',
    sessionId: 's1',
    contextId: '',
    projectId: 'prj_a',
    lessonId: 'les_1',
    at: day(2),
  };
  const reasons = ['budget', 'budget', 'deadline'] as const;
  await store.saveMissed(reasons.map((reason, n) => ({ ...miss, callId: `m${n}`, reason })));
}

describe('a verdict of an older version', () => {
  it('is told apart by stats, and given anew by `scan --again`', async () => {
    const shell = openShell();
    const cwd = join(shell.home, 'shop');
    const place = { session: 'judged', cwd, atMs: Date.now() - 3_600_000 };
    const flag = (id: string) => ({ id, command: 'gh pr diff 7 --stat', error: 'Exit code 1\nunknown flag: --stat' });
    const file = join(shell.home, '.claude/projects/-shop/judged.jsonl');
    writeSession(file, place, [flag('own'), flag('retry'), { id: 'right', command: 'gh pr diff 7 --name-only' }]);
    await shell.json('scan');
    const [lesson] = await shell.list<{ id: string }>('lessons', 'list');
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    const delivered = { sessionId: 'judged', callId: 'own', deliveredAt: new Date(place.atMs).toISOString() };
    await store.saveDelivery(makeDelivery({ ...delivered, lessonId: lesson?.id ?? '', outcome: 'clean' }));
    await store.close();
    const engine = await openSqliteEngine(join(shell.dataDir, 'oncebitten.db'));
    await MIGRATIONS['0038-old-verdicts']?.down?.(engine.db);
    await MIGRATIONS['0038-old-verdicts']?.up(engine.db);
    await engine.db.destroy();
    const { totals: before } = await shell.json<StatsReport>('stats');
    assert.deepEqual([before.outcomes.incomplete, before.outcomes.clean, before.oldVerdicts], [1, 0, 1]);
    assert.match(
      (await shell.run(['stats'])).stdout,
      /^Old verdicts +an older version judged 1 delivery[\s\S]*oncebitten scan [^\n]*--again/m,
    );
    await shell.json('scan', '--again');
    const { totals: after } = await shell.json<StatsReport>('stats');
    assert.deepEqual([after.outcomes.ignored, after.outcomes.incomplete, after.oldVerdicts], [1, 0, undefined]);
    await shell.close();
  });
});
