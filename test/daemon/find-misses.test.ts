import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { makeMissFinder } from '../../src/loop/measuring/find-misses.ts';
import { BEGIN, END, renderSection, TITLE } from '../../src/promote/managed-block.ts';
import { makeCall, makeDelivery, makePromotion } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const LEARNED_AT = '2026-01-01T00:00:00.000Z';
const AT = '2026-02-01T00:00:00.000Z';
const BEFORE = '2026-01-31T23:59:00.000Z';

describe('a failure that a lesson is about', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-misses-'));
  let store: Store;
  let files = 0;
  beforeEach(async () => {
    store = await openStore({ url: '', file: join(dir, `${files++}.db`) });
  });
  afterEach(() => store.close());
  after(() => rmSync(dir, { recursive: true, force: true }));

  const failure: LiveCall = {
    ...makeCall({ callId: 'c1', tool: 'shell', outcome: 'failure', projectId: 'prj_a' }),
    signature: { id: 'sig_flag', version: 1, template: 'unknown flag', program: 'gh' },
    ...{ command: 'gh pr diff 1 --stat', occurredAt: AT },
  };
  const learn = async (fields: Partial<Lesson> = {}): Promise<Lesson> => {
    const lesson = makeTestLesson({ id: 'les_1', signatureId: 'sig_flag', createdAt: LEARNED_AT, ...fields });
    await store.saveLesson(lesson, { by: 'test', reason: 'learned', at: lesson.createdAt });
    return lesson;
  };
  const deliver = (fields: Partial<Delivery> = {}) =>
    store.saveDelivery(makeDelivery({ deliveredAt: BEFORE, ...fields }));
  const find = async (call: Partial<LiveCall> = {}, settings: Partial<Settings> = {}) => {
    const finder = makeMissFinder({ store, settings: { ...DEFAULT_SETTINGS, ...settings } });
    await finder.take([{ ...failure, ...call }]);
    return (await store.listMissed()).map(({ reason }) => reason);
  };

  it('is missed once where nobody was asked, however often it is told', async () => {
    await learn();
    assert.deepEqual(await find(), ['off']);
    assert.deepEqual(await find(), ['off']);
  });

  it('is not missed where the lesson was said before in that context, or withheld on purpose', async () => {
    await learn();
    await deliver();
    assert.deepEqual(await find(), []);
    await deliver({ id: 'dlv_2', sessionId: 's2', contextId: 'sub', arm: 'holdout' });
    assert.deepEqual(await find({ sessionId: 's2' }), []);
  });

  it('is missed where it was said to another conversation only, and says so where that is why', async () => {
    await learn();
    await deliver({ contextId: 'sub' });
    assert.deepEqual(await find(), ['off']);
    assert.deepEqual(await find({ callId: 'c2' }, { dedup: 'session' }), ['off', 'dedup']);
  });

  it('is missed where the lesson was said only afterwards, or at the session’s start', async () => {
    await learn();
    await deliver({ deliveredAt: '2026-02-01T00:01:00.000Z' });
    await deliver({ id: 'dlv_2', kind: 'session-start' });
    assert.deepEqual(await find(), ['off']);
  });

  it('is missed because of the trigger, where the lesson does not speak at that call', async () => {
    await learn();
    assert.deepEqual(await find({ command: 'gh pr diff 1 --numstat' }), ['trigger']);
  });

  it('is missed because of a threshold, where the lesson is not trusted or weighs too little', async () => {
    await learn({ confidence: 0.4 });
    assert.deepEqual(await find(), ['threshold']);
  });

  it('is missed because of its measured weight', async () => {
    await learn();
    for (let n = 0; n < 6; n++) {
      await deliver({ id: `dlv_${n}`, sessionId: `other${n}` });
      await store.judgeDelivery(`dlv_${n}`, 'ignored', BEFORE);
    }
    assert.deepEqual(await find(), ['threshold']);
  });

  it('is missed for another reason by a lesson that was raised since, because its measured weight does not count', async () => {
    await learn({ measure: { raised: 'nobody tried it' } });
    for (let n = 0; n < 6; n++) {
      await deliver({ id: `dlv_${n}`, sessionId: `other${n}` });
      await store.judgeDelivery(`dlv_${n}`, 'ignored', BEFORE);
    }
    assert.deepEqual(await find(), ['off']);
  });

  it('is missed because of a threshold by a lesson from outside that is CRITICAL only in its own words', async () => {
    const origin = { kind: 'import', by: 'repository', trust: 'foreign' } as const;
    await learn({ priority: 10, origin });
    assert.deepEqual(await find({}, { minScore: 1.5 }), ['threshold']);
  });

  it('is judged with the weight that the language of the project gives the lesson', async () => {
    const root = mkdtempSync(join(dir, 'python-'));
    writeFileSync(join(root, 'pyproject.toml'), '');
    await store.saveProjects([{ id: 'prj_a', name: 'a', root, basis: 'path' }]);
    await learn({ priority: 3, tags: ['lang:python'] });
    assert.deepEqual(await find(), ['off']);
    assert.deepEqual(await find({ callId: 'c2', projectId: 'prj_b' }), ['off', 'threshold']);
  });

  it('is missed for the reason that the hook told: of this lesson, or of all', async () => {
    await learn();
    const { agent, sessionId, contextId } = failure;
    const skipped = { agent, sessionId, contextId, at: BEFORE };
    await store.saveSkipped([{ ...skipped, callId: 'c1', lessonId: 'les_1', reason: 'budget' }]);
    await store.saveSkipped([{ ...skipped, callId: 'c2', lessonId: '', reason: 'deadline' }]);
    assert.deepEqual(await find(), ['budget']);
    assert.deepEqual(await find({ callId: 'c2' }), ['budget', 'deadline']);
  });

  it('is not missed by a lesson that does not speak there, where another about the same failure was said', async () => {
    const other = { programs: [{ name: 'gh', args: { any: ['--numstat'] } }] };
    await learn({ id: 'les_2', slug: 'two', contentHash: 'two', triggers: other });
    await learn();
    assert.deepEqual(await find(), ['off', 'trigger']);
    for (const arm of ['shown', 'holdout'] as const) {
      const sessionId = `s-${arm}`;
      await deliver({ id: `dlv_${arm}`, sessionId, arm });
      await find({ sessionId });
      assert.deepEqual(await store.listMissed({ sessionId }), []);
    }
    // … but what was said to somebody else, or about another failure, warned nobody.
    await deliver({ id: 'dlv_sub', sessionId: 's-sub', contextId: 'sub' });
    await deliver({ id: 'dlv_other', sessionId: 's-sub', lessonId: 'les_9' });
    await find({ sessionId: 's-sub' });
    assert.equal((await store.listMissed({ sessionId: 's-sub' })).length, 2);
  });

  it('is not missed by a skipped lesson, where another about the same failure was shown or withheld', async () => {
    await learn();
    await learn({ id: 'les_2', slug: 'two', contentHash: 'two' });
    const { agent, contextId } = failure;
    for (const [n, reason] of (['muted', 'budget', 'deadline'] as const).entries()) {
      const skipped = {
        agent,
        contextId,
        callId: 'c1',
        at: BEFORE,
        lessonId: reason === 'deadline' ? '' : 'les_2',
        reason,
      };
      for (const arm of ['shown', 'holdout'] as const) {
        const sessionId = `s-${reason}-${arm}`;
        await deliver({ id: `dlv_${n}_${arm}`, sessionId, arm });
        await store.saveSkipped([{ ...skipped, sessionId }]);
        await find({ sessionId });
        assert.deepEqual(await store.listMissed({ sessionId }), []);
      }
      const sessionId = `s-${reason}-sub`;
      await deliver({ id: `dlv_${n}_sub`, sessionId, contextId: 'sub' });
      await store.saveSkipped([{ ...skipped, sessionId }]);
      await find({ sessionId });
      assert.ok(
        (await store.listMissed({ sessionId })).some((one) => one.lessonId === 'les_2' && one.reason === reason),
      );
    }
  });

  it('is missed by a quiet lesson, whatever other lesson was said', async () => {
    await learn();
    await learn({ id: 'les_2', slug: 'two', contentHash: 'two' });
    await deliver();
    const { agent, sessionId, contextId } = failure;
    const quiet = { lessonId: 'les_2', reason: 'quiet' } as const;
    await store.saveSkipped([{ agent, sessionId, contextId, callId: 'c1', at: BEFORE, ...quiet }]);
    assert.deepEqual(await find(), ['quiet']);
  });

  it('is not missed where the lesson stands in a file of the project; elsewhere, and gone from there, it is', async () => {
    const lesson = await learn();
    const root = mkdtempSync(join(dir, 'project-'));
    const file = join(root, 'AGENTS.md');
    writeFileSync(file, [BEGIN, TITLE, `${renderSection(lesson.slug, '- text', '\n')}${END}`, ''].join('\n'));
    const place = { lessonId: lesson.id, root, projectId: 'prj_a', file: 'AGENTS.md', at: BEFORE };
    const promotion = makePromotion({ ...place, state: 'applied', text: '- text' });
    const change = { by: 'test', reason: 'applied', at: BEFORE };
    await store.updatePromotions([lesson.id], () => [{ promotion, lesson, change }]);
    assert.deepEqual(await find(), []);
    assert.deepEqual(await find({ occurredAt: '2026-01-30T00:00:00.000Z' }), ['off'], 'it was not there yet');
    assert.deepEqual(await find({ callId: 'c2', projectId: 'prj_b' }), ['off', 'off']);
    rmSync(file);
    assert.deepEqual(await find({ callId: 'c3' }), ['off', 'off', 'off']);
  });

  it('is the deed itself, of a lesson that knows no failure: while it is quiet, whether it works or not', async () => {
    const { signatureId: _, ...own } = makeTestLesson({ id: 'les_1', createdAt: LEARNED_AT });
    await store.saveLesson(own, { by: 'user:ann', reason: 'written', at: LEARNED_AT });
    const { agent, sessionId, contextId } = failure;
    const skipped = { agent, sessionId, contextId, at: BEFORE, lessonId: 'les_1' } as const;
    await store.saveSkipped([
      { ...skipped, callId: 'c1', reason: 'quiet' },
      { ...skipped, callId: 'c2', reason: 'muted' },
      { ...skipped, callId: 'c3', reason: 'quiet' },
    ]);
    const { signature: __, ...worked } = { ...failure, outcome: 'success' as const };
    const finder = makeMissFinder({ store, settings: DEFAULT_SETTINGS });
    assert.equal(await finder.take([{ ...worked, callId: 'c2' }]), false);
    assert.equal(await finder.take([{ ...worked, callId: 'c3', outcome: 'denied' }]), false, 'it was not done');
    assert.equal(await finder.take([worked]), true);
    assert.equal(await finder.take([worked]), false, 'told again');
    assert.deepEqual(
      (await store.listMissed()).map(({ callId, reason }) => [callId, reason]),
      [['c1', 'quiet']],
    );
  });

  it('is missed once where a nearer lesson says the same', async () => {
    const scope = { kind: 'project', id: 'prj_a' } as const;
    await learn({ contentHash: 'same' });
    await learn({ id: 'les_2', slug: 'two', contentHash: 'same', scope });
    await find();
    assert.deepEqual(
      (await store.listMissed()).map(({ lessonId }) => lessonId),
      ['les_2'],
    );
  });

  it('is not missed by a lesson whose time had not come or was over', async () => {
    const validity = { models: [], agentVersions: [] };
    await learn({ validity: { ...validity, until: BEFORE } });
    assert.deepEqual(await find(), []);
    await learn({ validity: { ...validity, from: '2026-02-02T00:00:00.000Z' } });
    assert.deepEqual(await find(), []);
  });

  it('is not missed where the lesson came later, was no lesson then, or is about another place', async () => {
    await learn({ createdAt: AT });
    assert.deepEqual(await find(), []);
    await learn({ scope: { kind: 'project', id: 'prj_b' } });
    assert.deepEqual(await find(), []);
    const draft = await learn({ id: 'les_2', slug: 'two', status: 'draft', contentHash: 'two' });
    const at = '2026-03-01T00:00:00.000Z';
    await store.saveLesson({ ...draft, status: 'active' }, { by: 'user:ann', reason: 'approved', at });
    assert.deepEqual(await find(), []);
    assert.deepEqual(await find({ occurredAt: '2026-03-02T00:00:00.000Z' }), ['off']);
  });

  it('is not missed where it is only likely that it failed, or it failed in another way', async () => {
    await learn();
    assert.deepEqual(await find({ masked: true }), []);
    assert.deepEqual(await find({ signature: { id: 'sig_x', version: 1, template: 'x', program: 'gh' } }), []);
  });
});
