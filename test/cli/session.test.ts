import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import type { Call } from '../../src/base/model/call.ts';
import type { SessionSummary } from '../../src/base/statistics/history.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { getSession } from '../../src/surfaces/cli/arguments/sessions.ts';
import type { SessionReport } from '../../src/surfaces/cli/sessions/timeline.ts';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeFailure,
  makeLesson,
  makeProject,
  makeSession,
  makeSignature,
} from '../contracts/store/make-samples.ts';
import { openShell, type Shell } from './open-shell.ts';

const GH = makeSignature('gh');
const ID = '0b1c2d3e-aaaa-4bbb-8ccc-000000000001';
const LONG = `gh pr diff ${'7 '.repeat(40)}--stat`;

const FOLDER = '/home/ann/shop';
const DEEP = `/usr/lib/${'deep/'.repeat(18)}end.ts`;

function makePlaced(): readonly Partial<Call>[] {
  const read = { tool: 'read', rawTool: 'Read' } as const;
  return [
    { ...read, targetPath: `${FOLDER}/src/a.ts` },
    { ...read, targetPath: `${FOLDER}-old/a.ts` },
    { ...read, targetPath: DEEP, outcome: 'failure', message: 'no such file' },
    { inputSummary: `cd ${FOLDER} && npm test` },
    { inputSummary: `cd ${FOLDER}-old && npm test` },
    { inputSummary: `cd ${FOLDER}` },
  ];
}

describe('oncebitten sessions', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    await store.saveProjects([makeProject()]);
    const about = { cwd: '/home/ann/shop', branch: 'main', model: 'opus', agentVersion: '2.1.9' };
    const end = { lastSeenAt: at(1500), endedAt: at(1500), endReason: 'exit' };
    await store.saveSessions([makeSession({ sessionId: ID, ...about, ...end })]);
    await store.saveSessions([makeSession({ sessionId: 'child-1', parentSessionId: ID, lastSeenAt: at(9) })]);
    await store.saveSessions([makeSession({ sessionId: '0b1c2d3e-other', lastSeenAt: at(1) })]);
    await store.saveSessions([makeSession({ sessionId: 'placed', cwd: FOLDER, lastSeenAt: at(8) })]);
    await store.saveSessions([makeSession({ sessionId: 'twin' })]);
    await store.saveSessions([makeSession({ sessionId: 'twin', agent: 'codex' })]);
    const mine = { sessionId: ID };
    await store.saveCalls(
      [
        makeCall({
          ...mine,
          callId: 'c1',
          inputSummary: 'npm test',
          program: 'npm',
          durationMs: 2100,
          occurredAt: at(1),
        }),
        makeFailure(GH, {
          ...mine,
          callId: 'c2',
          inputSummary: LONG,
          message: 'unknown flag\u001b[31m',
          occurredAt: at(2),
        }),
        makeCall({
          ...mine,
          callId: 'c3',
          contextId: 'sub-7',
          tool: 'read',
          rawTool: 'Read',
          targetPath: '/a.ts',
          occurredAt: at(3),
        }),
        makeCall({ ...mine, callId: 'h1', outcome: 'failure', rawTool: 'hook:Stop', exitCode: 2, occurredAt: at(4) }),
        makeCall({ ...mine, callId: 'c4', outcome: 'denied', inputSummary: 'rm -r .', occurredAt: at(5) }),
        makeCall({
          sessionId: 'child-1',
          callId: 'c5',
          inputSummary: 'ls',
          durationMs: 9,
          durationSource: 'gap',
          occurredAt: at(6),
        }),
        makeCall({ ...mine, callId: 'c6', outcome: 'cancelled', inputSummary: 'sleep 9', occurredAt: at(1450) }),
        ...makePlaced().map((call, i) =>
          makeCall({ sessionId: 'placed', callId: `p${i}`, occurredAt: at(i), ...call }),
        ),
      ],
      'observed',
    );
    await store.saveSessions([makeSession({ sessionId: 'long', lastSeenAt: at(0) })]);
    const many = Array.from({ length: 120 }, (_, i) =>
      makeCall({ sessionId: 'long', callId: `l${i}`, occurredAt: at(i) }),
    );
    await store.saveCalls(many, 'observed');
    await store.saveLesson(makeLesson(), makeChange('new'));
    await store.saveDelivery(makeDelivery({ ...mine, callId: 'c2', deliveredAt: at(2) }));
    await store.judgeDelivery('dlv_1', 'failed_anyway', at(3));
    await store.saveDelivery(
      makeDelivery({ ...mine, id: 'dlv_2', callId: '', kind: 'session-start', lessonId: 'les_gone' }),
    );
    await store.close();
  });
  after(() => shell.close());

  const tell = (...args: string[]) => shell.json<SessionReport>('sessions', 'show', ...args);
  const numbers = ({ timeline }: SessionReport) =>
    timeline.map((entry) => (entry.kind === 'call' ? entry.n : entry.kind));

  it('tells who, where, and what happened in order, with sub-agents', async () => {
    const report = await tell(ID);
    const { agent, cwd, branch, model, agentVersion, projectName, endReason } = report.session;
    assert.deepEqual(
      [agent, cwd, branch, model, agentVersion, projectName, endReason],
      ['claude-code', '/home/ann/shop', 'main', 'opus', '2.1.9', 'shop', 'exit'],
    );
    assert.equal(report.total, 6);
    assert.deepEqual(numbers(report), ['told', 1, 2, 3, 'hook', 4, 5, 6]);
    assert.deepEqual(
      report.timeline.map(({ depth }) => depth),
      [0, 0, 0, 1, 0, 0, 1, 0],
    );
    const failed = report.timeline.find((entry) => entry.kind === 'call' && entry.n === 2);
    assert.ok(failed?.kind === 'call');
    const { outcome, exitCode, signature, told } = failed;
    assert.deepEqual([outcome, exitCode, signature], ['failure', 1, GH.id]);
    const lesson = { lesson: 'gh-pr-diff-stat-x7k2', summary: 'gh pr diff has no --stat' };
    assert.deepEqual(told, [{ ...lesson, mode: 'note', arm: 'shown', judged: 'failed_anyway' }]);
  });

  it('is readable within 80 columns, and cannot steer the terminal', async () => {
    const stdout = await shell.show(['sessions', 'show', ID], 80);
    for (const part of [
      /^claude-code session 0b1c2d3e-aaaa/,
      /^ {2}folder +\/home\/ann\/shop$/m,
      /^ {2}calls +6: 1 failed, 0 masked, 1 denied, 1 cancelled$/m,
      /^ {6}00:00:00 {2}shown: les_gone \(not judged yet\)$/m,
      /^ {3}1 {2}00:01:00 {2}ok +2\.1 s {2}shell npm test$/m,
      /^ {3}2 {2}00:02:00 {2}FAILED 1 +shell gh pr diff 7 .*…$/m,
      /^ {6}ran: gh pr diff 7 /m,
      /^ {6}said: unknown flag$/m,
      /^ {6}shown: gh-pr-diff-stat-x7k2 \(judged failed anyway\) gh pr diff has no/m,
      /^ {8}sub-agent sub-7\n {3}3 {2}00:03:00 {2}ok {21}read \/a\.ts$/m,
      /^ {6}00:04:00 {2}FAILED 2 +hook:Stop$/m,
      /^ {8}sub-agent child-1\n {3}5 .* ~9 ms {4}shell ls$/m,
      /^-- 2026-01-02$/m,
      /^ {3}6 {2}00:10:00 {2}cancelled +shell sleep 9$/m,
      /\nEnded 2026-01-02 01:00:00 UTC \(exit\)\.\n*$/,
    ])
      assert.match(stdout, part);
    assert.equal(stdout.includes('\u001b'), false);
    assert.ok(Math.max(...stdout.split('\n').map((line) => line.length)) <= 80, stdout);
  });

  it('leaves out its own folder, and shows the end of a long path', async () => {
    const stdout = (await shell.show(['sessions', 'show', 'placed'], 80)).replaceAll(/with:\n +/g, 'with: ');
    const told = stdout
      .split('\n')
      .flatMap((line) => line.match(/ (?:(?:read|shell) .*|(?:with|said): .*)$/)?.[0].trim() ?? []);
    assert.deepEqual(told, [
      'read src/a.ts',
      `read ${FOLDER}-old/a.ts`,
      `read …${DEEP.slice(-37)}`,
      `with: ${DEEP}`,
      'said: no such file',
      'shell npm test',
      `shell cd ${FOLDER}-old && npm test`,
      `shell cd ${FOLDER}`,
    ]);
  });

  it('tells a part of a long one, and how to go on', async () => {
    assert.deepEqual(numbers(await tell(ID, '--limit', '2')), ['told', 1, 2]);
    assert.deepEqual(numbers(await tell(ID, '--from', '4')), ['hook', 4, 5, 6]);
    assert.deepEqual(numbers(await tell(ID, '--from', '3', '--limit', '2')), [3, 'hook', 4]);
    const { stdout } = await shell.run(['sessions', 'show', ID, '--limit', '2']);
    assert.match(stdout, new RegExp(`Calls 1 to 2 of 6\\. Next calls: .*${ID} --from 3 .*--all`));
    const past = await shell.run(['sessions', 'show', ID, '--from', '99']);
    assert.match(past.stdout, /No calls from number 99 on/);
  });

  it('can be read page by page: next is the call with which the following page begins', async () => {
    const pages: unknown[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const page = await tell(ID, '--limit', '2', '--from', String(from));
      pages.push(numbers(page));
      from = page.next;
    }
    assert.deepEqual(pages, [
      ['told', 1, 2],
      [3, 'hook', 4],
      [5, 6],
    ]);
    assert.equal((await tell(ID, '--failures', '--limit', '1')).next, null, 'the calls after it did not fail');
  });

  it('shows a hook run after the last call, whatever the limit', async () => {
    assert.deepEqual(numbers(await tell(ID, '--failures', '--limit', '1')), [2, 'hook']);
  });

  it('shows every call with --all, and no more of them than --limit says', async () => {
    const all = await tell('long', '--all');
    assert.deepEqual([all.timeline.length, all.total, all.next], [120, 120, null]);
    const some = await tell('long');
    assert.deepEqual([some.timeline.length, some.next], [100, 101]);
    assert.equal((await tell('long', '--all', '--limit', '3')).timeline.length, 3);
  });

  it('is one line for each call in a pipe, with what it said and what the agent was told', async () => {
    const { stdout } = await shell.run(['sessions', 'show', ID]);
    const line = stdout.split('\n').find((one) => one.startsWith('   2  ')) ?? '';
    assert.ok(
      line.includes(`shell ${LONG}  said: unknown flag  shown: gh-pr-diff-stat-x7k2 (judged failed anyway)`),
      line,
    );
  });

  it('tells failures only', async () => {
    assert.deepEqual(numbers(await tell(ID, '--failures')), [2, 'hook']);
    const { stdout } = await shell.run(['sessions', 'show', 'child-1', '--failures']);
    assert.match(stdout, /No failures of it are recorded/);
  });

  it('without an id tells the failures of the latest', async () => {
    const latest = await tell('--failures');
    assert.deepEqual([latest.session.sessionId, numbers(latest)], [ID, [2, 'hook']]);
    assert.equal((await tell('--failures', '--agent', 'codex')).session.agent, 'codex');
    const { stdout } = await shell.run(['sessions', 'show', '--failures', '--agent', 'gemini']);
    assert.match(stdout, /^No sessions match/);
  });

  it('is found by the beginning of its id', async () => {
    assert.equal((await tell('0b1c2d3e-a')).session.sessionId, ID);
    assert.equal((await tell('twin', '--agent', 'codex')).session.agent, 'codex');
  });

  it('says which it may be, and what to do about one that is not known', async () => {
    for (const [args, said, expected = 1] of [
      [
        ['0b1c'],
        /session 0b1c: .*\n {2}next: give more .*:\n +0b1c2d3e-aaaa.*claude-code, 2026-01-02 01:00, 5 calls\n +0b1c2d3e-other/,
      ],
      [['twin'], /session twin: .*\n {2}next: .*--agent:\n +twin +c/],
      [['nope'], /session nope: .*\n {2}next: .*oncebitten sessions/],
      [[ID, '--agent', 'codex'], /is not recorded for codex/],
      [[ID, '--from', '0'], /--from 0: /, 2],
    ] as const) {
      const { code, stderr } = await shell.run(['sessions', 'show', ...args]);
      assert.equal(code, expected);
      assert.match(stderr, said);
    }
  });

  it('without an id lists the latest', async () => {
    const sessions = await shell.list<SessionSummary>('sessions', 'show');
    assert.deepEqual([sessions.length, sessions[0]?.sessionId, sessions[0]?.calls], [7, ID, 5]);
    const { stdout } = await shell.run(['sessions', 'show', '--limit', '2']);
    assert.match(
      stdout,
      /^LAST SEEN \(UTC\) +AGENT +PROJECT +CALLS +FAILED +SESSION\n2026-01-02 01:00 +claude-code +shop +5 +1 +0b1c2d3e-aaaa/,
    );
    for (const { sessionId } of sessions)
      assert.ok((await shell.run(['sessions', 'show'])).stdout.includes(`  ${sessionId}\n`), sessionId);
  });

  it('whatever is typed as an id is that session, or is refused with what to do', async () => {
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    const ids = [ID, 'child-1', '0b1c2d3e-other', 'placed', 'long', 'twin'];
    const part = fc.tuple(fc.constantFrom(...ids), fc.nat({ max: 36 })).map(([id, end]) => id.slice(0, end));
    await fc.assert(
      fc.asyncProperty(fc.oneof(part, fc.string({ unit: 'binary' })), async (text) => {
        try {
          const { sessionId } = await getSession(store, text, undefined);
          return text !== '' && sessionId.startsWith(text);
        } catch (error) {
          const meant = ids.filter((id) => text !== '' && id.startsWith(text));
          return error instanceof UserError && error.next !== '' && (meant.length !== 1 || meant[0] === 'twin');
        }
      }),
    );
    await store.close();
  });
});
