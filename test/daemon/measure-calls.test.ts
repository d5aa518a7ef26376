import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { measureCalls, measureEnd } from '../../src/loop/measuring/measure-calls.ts';
import { makeCall, makeSession } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PUSH = {
  tools: ['shell'],
  programs: [{ name: 'git', sub: ['push'], args: { none: ['--follow-tags'] } }],
} as const;

describe('a lesson that spoke because of what was said, or to whom', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-measure-'));
  let store: Store;
  let count = 0;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** What becomes of its delivery by the next call. */
  const judge = async (triggers: Triggers, command: string): Promise<Delivery['outcome']> => {
    const lesson = makeTestLesson({ id: `les_${count++}`, slug: `push-${count}`, triggers });
    await store.saveLesson(lesson, { by: 'test', reason: 'made', at: AT });
    const call = { ...makeCall({ callId: `call-${count}`, sessionId: `s-${count}`, tool: 'shell' }), command };
    const { agent, sessionId, contextId } = call;
    await store.saveDelivery({
      ...{ id: `dlv_${count}`, kind: 'call', lessonId: lesson.id, agent, sessionId, contextId, callId: 'before' },
      ...{ mode: 'note', arm: 'shown', score: 1, bytes: 1, latencyUs: 1, deliveredAt: AT },
    });
    await measureCalls({ store, settings: DEFAULT_SETTINGS }, [{ ...call, outcome: 'success' }]);
    const [delivery] = await store.listDeliveries({ agent, sessionId });
    return delivery?.outcome;
  };

  const parts: readonly Triggers[] = [
    { actionKeywords: ['release'] },
    { contextKeywords: ['release'] },
    { workflows: ['ship'] },
    { subagents: ['publisher'] },
    { unless: { keywords: ['sandbox'] } },
  ];
  for (const part of parts)
    it(`is judged by the call alone: ${JSON.stringify(part)}`, async () => {
      assert.equal(await judge({ ...PUSH, ...part }, 'git push origin'), 'ignored');
      assert.equal(await judge({ ...PUSH, ...part }, 'git push --follow-tags'), 'clean');
    });
});

describe('measuring', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-measuring-'));
  const parts = { settings: DEFAULT_SETTINGS };
  let store: Store;
  let count = 0;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const GH = { id: 'sig_flag', version: 1, template: 'unknown flag', program: 'gh' };
  /** A lesson of its own with one delivery in a session of its own. */
  const deliver = async (fields: Partial<Delivery> = {}, learned: Partial<Lesson> = {}) => {
    const n = ++count;
    const lesson = makeTestLesson({ id: `les_m${n}`, slug: `m-${n}`, signatureId: GH.id, ...learned });
    await store.saveLesson(lesson, { by: 'test', reason: 'made', at: AT });
    const sessionId = `m-${n}`;
    const base = { agent: 'claude-code', sessionId, contextId: '', callId: `own-${n}` };
    await store.saveDelivery({
      ...{ id: `dlv_m${n}`, kind: 'call', lessonId: lesson.id, ...base, mode: 'note', arm: 'shown' },
      ...{ score: 1, bytes: 1, latencyUs: 1, deliveredAt: '2026-01-01T00:01:00.000Z', ...fields },
    });
    const call = (command: string, more: Partial<LiveCall> = {}): LiveCall => ({
      ...makeCall({ sessionId, callId: `later-${n}`, tool: 'shell', outcome: 'success' }),
      ...{ command, occurredAt: '2026-01-01T00:02:00.000Z', ...more },
    });
    const take = (...calls: readonly LiveCall[]) => measureCalls({ ...parts, store }, calls);
    const outcome = async () => (await store.listDeliveries({ sessionId }))[0]?.outcome;
    const lessonNow = async () => (await store.findLesson(lesson.id)) ?? assert.fail();
    return { lesson, sessionId, call, take, outcome, lessonNow };
  };

  it('moves the confidence of what was shown, and never by what was withheld', async () => {
    const shown = await deliver();
    await shown.take(shown.call('gh pr diff 1 --name-only'));
    assert.deepEqual([await shown.outcome(), (await shown.lessonNow()).confidence], ['clean', 0.75]);
    const withheld = await deliver({ arm: 'holdout', bytes: 0 });
    await withheld.take(withheld.call('gh pr diff 1 --stat', { outcome: 'failure', signature: GH }));
    assert.deepEqual([await withheld.outcome(), (await withheld.lessonNow()).confidence], ['ignored', 0.7]);
    const { withheld: tally } = await store.readTrials({ lessonId: withheld.lesson.id });
    assert.deepEqual(tally, { judged: 1, again: 1, failed: 1 });
  });

  it('moves the confidence only by the difference to the verdict of an older version', async () => {
    const { call, sessionId, lessonNow, outcome } = await deliver({}, { confidence: 0.75 });
    const listDeliveries: Store['listDeliveries'] = async (filter) =>
      (await store.listDeliveries(filter)).map((one) => ({ ...one, oldOutcome: 'clean' }));
    await store.judgeDelivery((await store.listDeliveries({ sessionId }))[0]?.id ?? '', 'incomplete', AT);
    const failing = call('gh pr diff 1 --stat', { outcome: 'failure', signature: GH });
    await measureCalls({ ...parts, store: { ...store, listDeliveries } }, [failing]);
    assert.deepEqual([await outcome(), (await lessonNow()).confidence], ['ignored', 0.65]);
  });

  describe('a noted call that fails', () => {
    const failure = { outcome: 'failure', signature: GH } as const;
    const at = (seconds: number) => ({
      callId: `at-${seconds}`,
      occurredAt: new Date(Date.parse('2026-01-01T00:01:00.000Z') + seconds * 1000).toISOString(),
    });

    it('and is retried the same way twice before one works was ignored, in either arm', async () => {
      for (const arm of ['shown', 'holdout'] as const) {
        const { call, take, sessionId } = await deliver({ arm });
        for (const seconds of [10, 20]) await take(call('gh pr diff 1 --stat', { ...failure, ...at(seconds) }));
        await take(call('gh pr diff 1 --name-only', at(30)));
        const [row] = await store.listDeliveries({ sessionId });
        assert.deepEqual(
          [row?.outcome, row?.failingAttempts, row?.callsToSuccess, row?.secondsToSuccess],
          ['ignored', 2, 3, 30],
        );
      }
    });

    it('and is repeated after a call that worked was not prevented: what was clean is taken back', async () => {
      const { call, take, outcome, lessonNow } = await deliver();
      await take(call('gh pr diff 1 --name-only', at(10)));
      assert.deepEqual([await outcome(), (await lessonNow()).confidence], ['clean', 0.75]);
      const again = call('gh pr diff 2 --stat', { ...failure, ...at(50) });
      assert.equal(await take(again), true);
      assert.deepEqual([await outcome(), (await lessonNow()).confidence], ['ignored', 0.65]);
      assert.equal(await take(again), false, 'told again');
      assert.equal((await lessonNow()).confidence, 0.65);
    });

    it('comes to the same whatever order its later calls are reported in', async () => {
      const results: unknown[] = [];
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 2, 0],
      ]) {
        const { call, take, sessionId, lessonNow } = await deliver();
        const calls = [
          call('gh pr diff 1 --stat', { ...failure, ...at(10) }),
          call('gh pr diff 1 --name-only', at(20)),
          call('gh pr diff 2 --stat', { ...failure, ...at(30) }),
        ];
        for (const n of order) await take(...calls.slice(n, n + 1));
        const [row] = await store.listDeliveries({ sessionId });
        results.push([
          row?.outcome,
          row?.outcomeAt,
          row?.failingAttempts,
          row?.successAt,
          (await lessonNow()).confidence,
        ]);
      }
      for (const one of results) assert.deepEqual(one, results[0]);
    });

    it('earns nothing by clean calls after it where it worked itself: there was nothing to warn of', async () => {
      const { call, take, outcome, lessonNow, sessionId } = await deliver();
      const own = call('gh pr diff 1 --stat', { ...at(1), callId: `own-${count}` });
      await store.saveCalls([{ ...own, sessionId }], 'observed');
      await take(call('gh pr diff 1 --name-only', at(10)));
      assert.deepEqual([await outcome(), (await lessonNow()).confidence], ['clean', 0.7]);
    });
  });

  it('notes the model and release of the session, where the call tells none', async () => {
    const { sessionId, call, take, lessonNow } = await deliver();
    await store.saveSessions([makeSession({ sessionId, model: 'model-1', agentVersion: '2.1.7' })]);
    await take(call('gh pr diff 1 --name-only'));
    assert.deepEqual((await lessonNow()).measure?.on, ['model-1', 'claude-code 2.1']);
    const told = await deliver();
    await store.saveSessions([makeSession({ sessionId: told.sessionId, model: 'model-1', agentVersion: '2.1.7' })]);
    await told.take(told.call('gh pr diff 1 --name-only', { model: 'model-2' }));
    assert.deepEqual((await told.lessonNow()).measure?.on, ['model-2', 'claude-code 2.1']);
  });

  it('says so also where the lesson stays as it is', async () => {
    const known = await deliver({}, { confidence: 0.95 });
    assert.equal(await known.take(known.call('ls')), false);
    const right = known.call('gh pr diff 1 --name-only');
    assert.equal(await known.take(right), true);
    assert.equal(await known.take(right), false, 'told again');
    assert.equal((await known.lessonNow()).confidence, 0.95);
  });

  it('moves no lesson by what was said before it became another', async () => {
    const { call, take, outcome, lessonNow } = await deliver({}, { measure: { from: '2026-01-01T00:01:30.000Z' } });
    await take(call('gh pr diff 1 --stat', { outcome: 'failure', signature: GH }));
    assert.deepEqual([await outcome(), (await lessonNow()).confidence], ['ignored', 0.7]);
  });

  it('decides nothing on trials that somebody else has decided on meanwhile', async () => {
    const { lesson, call, lessonNow } = await deliver({}, { confidence: 0.9 });
    for (const n of [1, 2])
      await store.saveDelivery({
        ...{ id: `dlv_m${count}-${n}`, kind: 'call', lessonId: lesson.id, agent: 'claude-code', sessionId: `e-${n}` },
        ...{ contextId: '', callId: `e-${n}`, mode: 'note', arm: 'shown', score: 1, bytes: 1, latencyUs: 1 },
        ...{ deliveredAt: AT, outcome: 'ignored', outcomeAt: AT },
      });
    const readTrials: Store['readTrials'] = async (question) => {
      const trials = await store.readTrials(question);
      const from = '2026-01-01T00:01:59.000Z';
      await store.saveLesson({ ...lesson, measure: { from } }, { by: 'other', reason: 'decided', at: from });
      return trials;
    };
    const failing = call('gh pr diff 1 --stat', { outcome: 'failure', signature: GH });
    await measureCalls({ ...parts, store: { ...store, readTrials } }, [failing]);
    assert.deepEqual([(await lessonNow()).mode, (await lessonNow()).measure?.raised], ['note', undefined]);
  });

  it('takes a call of the future for one of now', async () => {
    const { sessionId, call, take } = await deliver();
    await take(call('gh pr diff 1 --name-only', { occurredAt: '2999-01-01T00:00:00.000Z' }));
    const [delivery] = await store.listDeliveries({ sessionId });
    assert.equal(delivery?.outcome, 'clean');
    assert.ok(Date.parse(delivery.outcomeAt ?? '') <= Date.now(), delivery.outcomeAt);
  });

  it('judges by the lesson as it was when it spoke', async () => {
    const { lesson, call, take, outcome } = await deliver();
    const triggers = { programs: [{ name: 'npm' }] };
    await store.saveLesson(
      { ...lesson, triggers, updatedAt: '2026-01-01T00:01:30.000Z' },
      {
        ...{ by: 'user:ann', reason: 'edited', at: '2026-01-01T00:01:30.000Z' },
      },
    );
    await take(call('npm test'));
    assert.equal(await outcome(), undefined);
    await take(call('gh pr diff 1 --stat', { outcome: 'failure', signature: GH }));
    assert.equal(await outcome(), 'ignored');
  });

  it('closes what was said to a sub-agent when that ends; what is known later still judges it', async () => {
    const { sessionId, call, take, outcome } = await deliver({ contextId: 'sub1' });
    const end = { agent: 'claude-code', sessionId, at: '2026-01-01T00:03:00.000Z', source: 'hook' } as const;
    await measureEnd({ ...parts, store }, { ...end, kind: 'subagent-ended', contextId: 'sub2', subagentType: 'x' });
    assert.equal(await outcome(), undefined);
    await measureEnd({ ...parts, store }, { ...end, kind: 'subagent-ended', contextId: 'sub1', subagentType: 'x' });
    assert.equal(await outcome(), 'incomplete');
    await take(call('gh pr diff 1 --name-only', { contextId: 'sub1' }));
    assert.equal(await outcome(), 'clean');
  });

  it('asks what was done in between, where the lesson does', async () => {
    const triggers = { programs: [{ name: 'npm', sub: ['test'] }], session: { unless: [{ ran: 'npm install' }] } };
    const failure = { outcome: 'failure', signature: GH } as const;
    const heeded = await deliver({}, { triggers });
    const install = heeded.call('npm install', { callId: 'inst', inputSummary: 'npm install' });
    await store.saveCalls([{ ...install, occurredAt: '2026-01-01T00:01:30.000Z' }], 'observed');
    await heeded.take(heeded.call('npm test', failure));
    assert.equal(await heeded.outcome(), 'failed_anyway');
    const ignored = await deliver({}, { triggers });
    await ignored.take(ignored.call('npm test', failure));
    assert.equal(await ignored.outcome(), 'ignored');
  });

  it('judges a lesson about files by what is done with the same file', async () => {
    const triggers = { tools: ['read' as const], paths: ['**/docs'] };
    const { call, take, outcome, sessionId } = await deliver({}, { triggers });
    const { command: _, ...read } = call('', { tool: 'read', rawTool: 'Read', targetPath: '/repo/docs/a.md' });
    await take(read);
    assert.equal(await outcome(), undefined, 'nobody knows yet what it was about');
    await store.saveCalls([{ ...read, callId: `own-${count}`, sessionId, targetPath: '/repo/docs' }], 'observed');
    await take(read);
    assert.equal(await outcome(), 'clean');
  });
});
