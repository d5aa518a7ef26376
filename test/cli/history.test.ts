import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toSince } from '../../src/surfaces/cli/arguments/options.ts';
import { toLimit } from '../../src/surfaces/cli/paging.ts';
import type { HistoryReport } from '../../src/surfaces/cli/sessions/history.ts';
import { makeCall, makeFailure, makeProject, makeSession, makeSignature } from '../contracts/store/make-samples.ts';
import { openShell, type Shell } from './open-shell.ts';

const GH = makeSignature('gh');
const day = (n: number, hour = 12): string => new Date(Date.UTC(2026, 2, n, hour)).toISOString();

describe('oncebitten sessions history', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    await store.saveProjects([makeProject({ id: 'prj_shop', name: 'shop', root: join(shell.home, 'shop') })]);
    await store.saveProjects([makeProject({ id: 'prj_long', name: 'a-project-with-a-very-long-name', root: '/long' })]);
    const inShop = { sessionId: 's1', projectId: 'prj_shop' };
    const inLong = { agent: 'codex', sessionId: 's2', projectId: 'prj_long' };
    await store.saveSessions([makeSession({ ...inShop, model: 'opus', startedAt: day(2), lastSeenAt: day(3) })]);
    await store.saveSessions([makeSession({ ...inLong, startedAt: day(9), lastSeenAt: day(9) })]);
    await store.saveSessions([makeSession({ sessionId: 'silent', startedAt: day(9), lastSeenAt: day(9) })]);
    await store.saveCalls(
      [
        makeFailure(GH, { ...inShop, callId: 'c1', message: 'unknown\u001b[31m flag', occurredAt: day(2) }),
        makeFailure(GH, { ...inShop, callId: 'c2', masked: true, occurredAt: day(3) }),
        makeCall({ ...inShop, callId: 'c3', outcome: 'denied', occurredAt: day(3) }),
        makeCall({ ...inShop, callId: 'c4', occurredAt: day(3) }),
        makeCall({ ...inLong, callId: 'c5', occurredAt: day(9) }),
        makeCall({ ...inLong, callId: 'c6', outcome: 'cancelled', occurredAt: day(9, 23) }),
      ],
      'observed',
    );
    await store.close();
  });
  after(() => shell.close());

  const history = (...args: string[]) => shell.json<HistoryReport>('sessions', 'history', ...args);
  const keys = async (...args: string[]) =>
    (await history('--by', ...args)).by[0]?.groups.map(({ key, sessions, calls }) => [key, sessions, calls]);

  it('counts sessions, calls and what became of them', async () => {
    const { totals, by, signatures } = await history();
    assert.deepEqual(totals, {
      sessions: 2,
      silentSessions: 1,
      calls: 6,
      failures: 1,
      masked: 1,
      denied: 1,
      cancelled: 1,
      failureRate: 0.25,
      hookFailures: 0,
      first: day(2),
      last: day(9, 23),
    });
    assert.deepEqual(
      by.map((one) => [one.by, one.total]),
      [
        ['agent', 2],
        ['project', 2],
      ],
    );
    assert.deepEqual(
      signatures.map(({ signature, count, masked, sessions, last }) => [signature, count, masked, sessions, last]),
      [[GH.id, 2, 1, 1, day(3)]],
    );
  });

  it('fits a screen of 80 columns and cannot steer it', async () => {
    const stdout = await shell.show(['sessions', 'history'], 80);
    assert.match(
      stdout,
      /^2026-03-02 to 2026-03-09 \(UTC\)\n {2}6 calls in 2 sessions \(1 more made none\)\n {2}1 failed \(25.0 %/,
    );
    assert.match(
      stdout,
      /^AGENT +SESSIONS +CALLS +FAILED +RATE +MASKED +DENIED +CANCELLED\nclaude-code +1 +4 +1 +33.3 % +1 +1 +0$/m,
    );
    assert.match(stdout, /^a-project-with-a-[\w-]*… /m);
    assert.match(stdout, /2 x gh, in 1 session, last 2026-03-03 {2}sig1_gh/);
    assert.equal(stdout.includes('\u001b'), false);
    const told = stdout.split('\n').filter((line) => !line.includes('oncebitten '));
    assert.ok(Math.max(...told.map((line) => line.length)) <= 80, stdout);
  });

  it('groups by whatever is asked', async () => {
    assert.deepEqual(await keys('agent'), [
      ['claude-code', 1, 4],
      ['codex', 1, 2],
    ]);
    assert.deepEqual(await keys('project'), [
      ['prj_shop', 1, 4],
      ['prj_long', 1, 2],
    ]);
    assert.deepEqual(await keys('model'), [
      ['opus', 1, 4],
      ['', 1, 2],
    ]);
    assert.deepEqual(await keys('day', '--limit', '2'), [
      ['2026-03-09', 1, 2],
      ['2026-03-03', 1, 3],
    ]);
    assert.deepEqual(await keys('week'), [
      ['2026-03-09', 1, 2],
      ['2026-03-02', 1, 4],
    ]);
  });

  it('takes filters, all together', async () => {
    const calls = async (...args: string[]) => (await history(...args)).totals.calls;
    assert.equal(await calls('--agent', 'codex'), 2);
    assert.equal(await calls('--project', 'shop'), 4);
    assert.equal(await calls('--model', 'opus', '--since', '2026-03-03'), 3);
    assert.equal(await calls('--until', '2026-03-03'), 4, 'a day is meant with its evening');
    assert.equal(await calls('--until', day(3)), 1);
    assert.equal(await calls('--since', '2026-03-09', '--until', '2026-03-09'), 2);
    assert.equal(await calls('--since', '2026-03-09', '--model', 'opus'), 0);
    assert.equal(await calls('--since', '2026-03-09', '--until', '2099-01-01'), 2, 'an end may lie in the future');
    const { stdout } = await shell.run(['sessions', 'history', '--since', '2026-03-20']);
    assert.match(stdout, /^No calls in that time/);
  });

  it('says what is wrong with one', async () => {
    for (const [args, said, expected = 2] of [
      [['--by', 'moon'], /--by moon: .*\n {2}next: .*agent, project, model, day, week/],
      [['--since', 'soon'], /--since soon: /],
      [['--until', 'soon'], /--until soon: /],
      [['--since', '2026-03-03', '--until', '2026-03-01'], /ends before it begins/],
      [['--limit', '-1'], /--limit -1: /],
      [['--agent', 'hal'], /agent hal: /],
      [['--model', 'hal'], /model hal: is not the model of any recorded call\n {2}next: .*opus/, 1],
      [['--project', '/nowhere'], /project \/nowhere: /, 1],
    ] as const) {
      const { code, stderr } = await shell.run(['sessions', 'history', ...args]);
      assert.equal(code, expected, args.join(' '));
      assert.match(stderr, said);
    }
  });

  it('tells projects of one name apart, and says which a name may mean', async () => {
    const other = openShell();
    const store = await openSqliteStore(join(other.dataDir, 'oncebitten.db'));
    for (const [id, root] of Object.entries({ prj_1: '/a/shop', prj_2: '/b/shop', prj_3: '/c/trees/7' })) {
      await store.saveProjects([makeProject({ id, name: root.split('/').at(-1) ?? '', root })]);
      await store.saveSessions([makeSession({ sessionId: id, projectId: id })]);
      await store.saveCalls([makeCall({ sessionId: id, projectId: id, callId: id })], 'observed');
    }
    await store.close();
    const { stdout } = await other.run(['sessions', 'history', '--by', 'project']);
    for (const label of ['a/shop', 'b/shop', 'trees/7']) assert.match(stdout, new RegExp(`^${label} +1 `, 'm'));
    const { by } = await other.json<HistoryReport>('sessions', 'history', '--by', 'project');
    assert.deepEqual(by[0]?.groups.map(({ name }) => name).sort(), ['7', 'shop', 'shop']);
    const { stderr } = await other.run(['sessions', 'history', '--project', 'shop']);
    assert.match(stderr, /shop: .*\n.* an id: prj_1 \(\/a\/shop\), prj_2 \(\/b\/shop\)$/m);
    await other.close();
  });

  it('of an empty store says what to do', async () => {
    const empty = openShell();
    const { code, stdout } = await empty.run(['sessions', 'history']);
    assert.deepEqual([code, /^No calls are known\. Learn from past sessions: oncebitten scan/.test(stdout)], [0, true]);
    await empty.close();
  });
});

describe('what a person types', () => {
  const isRefusedOr = (use: () => unknown, isRight: (value: unknown) => boolean): boolean => {
    try {
      return isRight(use());
    } catch (error) {
      return error instanceof UserError && error.next !== '';
    }
  };
  const spans = fc.tuple(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.constantFrom('m', 'h', 'd', 'w', 'y', ''));
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    spans.map((parts) => parts.join('')),
    fc.date().map(String),
  );

  it('as a time is one, or is refused with what to type', () => {
    const isIso = (value: unknown): boolean => new Date(String(value)).toISOString() === value;
    fc.assert(fc.property(typed, (text) => isRefusedOr(() => toSince(text, '--since', Date.now()), isIso)));
  });

  it('as a day or a time is one of UTC, unless it names another zone', () => {
    const zone = process.env.TZ;
    const nowMs = Date.parse('2026-11-01T00:00:00Z');
    const all = [
      '2026-10-15',
      '2026-10-15T03:00',
      '2026-10-15 03:00:30',
      '2026-10-15T03:00Z',
      '2026-10-15T03:00+02:00',
    ];
    try {
      for (const place of ['Asia/Tokyo', 'America/New_York', 'UTC']) {
        process.env.TZ = place;
        assert.deepEqual(
          all.map((text) => toSince(text, '--since', nowMs).slice(0, 19)),
          [
            '2026-10-15T00:00:00',
            '2026-10-15T03:00:00',
            '2026-10-15T03:00:30',
            '2026-10-15T03:00:00',
            '2026-10-15T01:00:00',
          ],
        );
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
    for (const text of ['2026-10-15T03:00 PM', '2026-10-15T25:00', '2026-13-01', '2026-10-15 in the morning'])
      assert.throws(() => toSince(text, '--since', nowMs), UserError);
  });

  it('as a number of rows is one, or is refused with what to type', () => {
    fc.assert(
      fc.property(fc.oneof(typed, fc.integer().map(String)), (text) =>
        isRefusedOr(
          () => toLimit(text, 10),
          (value) => Number.isSafeInteger(value) && Number(value) > 0,
        ),
      ),
    );
  });
});
