import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { makeRefuter } from '../../src/loop/measuring/refute-lessons.ts';
import { makeCall } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const { projectId } = makeCall();
const CHANGE = { by: 'test', reason: 'made', at: '2026-01-01T00:00:00.000Z' };
let count = 0;

function call(command: string, fields: Partial<LiveCall> = {}): LiveCall {
  const occurredAt = new Date(Date.UTC(2026, 5, 1, 0, count)).toISOString();
  const base = makeCall({ callId: `call-${count++}`, tool: 'shell', occurredAt });
  return { ...base, command, inputSummary: command, outcome: 'success', ...fields };
}

describe('calls that worked although a lesson speaks against them', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-refute-'));
  let store: Store;
  let lesson: Lesson;
  before(async () => {
    store = await openStore({ url: '', file: join(dir, 'oncebitten.db') });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    lesson = makeTestLesson({
      ...{ id: `les_${count++}`, slug: `git-add-${count}`, scope: { kind: 'project', id: projectId } },
      signatureId: 'sig_ignored',
      origin: { kind: 'episode', by: 'distill/ignored-path@1', trust: 'observed' },
      triggers: { tools: ['shell'], programs: [{ name: 'git', sub: ['add'] }], command: { match: ['build/'] } },
    });
    await store.saveLesson(lesson, CHANGE);
  });
  const find = async () => store.findLesson(lesson.id);

  it('make it a draft, with the reason in its history', async () => {
    const refuter = makeRefuter(store);
    assert.equal(await refuter.take([call('git add build/a.ts')]), false);
    assert.equal(await refuter.take([call('git add build/b.ts')]), true);
    assert.equal((await find())?.status, 'draft');
  });

  it('end what a session said of a tool, in that session', async () => {
    const { sessionId } = call('');
    const own = { ...lesson, scope: { kind: 'session', id: sessionId }, triggers: { tools: ['grep'] } } as const;
    await store.saveLesson(own, CHANGE);
    const refuter = makeRefuter(store);
    assert.equal(await refuter.take([call('', { tool: 'grep', sessionId: 'another' })]), false);
    assert.equal(await refuter.take([call('', { tool: 'glob' })]), false);
    assert.equal(await refuter.take([call('', { tool: 'grep' })]), true);
    assert.equal((await find())?.status, 'draft');
  });

  it('end what is said of a path that is not there, whichever tool had to do with it', async () => {
    const absent: Lesson = {
      ...lesson,
      tags: ['topic:absent-path'],
      triggers: { tools: ['read', 'shell'], reads: ['docs/plan.md'] },
    };
    const proofs = [
      call('cat > docs/plan.md <<EOF\na\nEOF'),
      call('touch docs/plan.md'),
      call('cat docs/plan.md'),
      call('', { tool: 'write', targetPath: '/repo/docs/plan.md' }),
    ];
    for (const proof of proofs) {
      await store.saveLesson(absent, CHANGE);
      await makeRefuter(store).take([
        call('grep docs/plan.md a.md'),
        call('', { tool: 'read', targetPath: '/repo/a' }),
      ]);
      assert.equal((await find())?.status, 'active');
      assert.equal(await makeRefuter(store).take([proof]), true, proof.command);
      assert.equal((await find())?.status, 'draft');
    }
  });

  it('do not count when their exit code is hidden, in another project, or of another command', async () => {
    const refuter = makeRefuter(store);
    await refuter.take([
      call('git add build/a.ts | head'),
      call('git add build/a.ts 2>/dev/null || true'),
      call('git add src/a.ts'),
      call('git add build/a.ts', { projectId: 'prj_other' }),
      call('git add build/a.ts', { outcome: 'denied' }),
    ]);
    assert.equal((await find())?.validity.refutedBy, undefined);
  });

  it('count under every id of a joined project', async () => {
    const refuter = makeRefuter(store);
    const calls = ['a', 'b'].map((name) => call(`git add build/${name}.ts`, { projectId: 'prj_clone' }));
    assert.equal(await refuter.take(calls), false);
    await store.joinProjects('prj_clone', projectId, { at: CHANGE.at, dryRun: false });
    assert.equal(await refuter.take(calls), true);
    assert.equal((await find())?.status, 'draft');
  });

  it('say nothing about a lesson that asks what was said: nobody knows whether it was', async () => {
    const talk = { ...lesson.triggers, contextKeywords: ['production'] };
    const except = { ...lesson.triggers, unless: { keywords: ['sandbox'] } };
    for (const triggers of [talk, except]) {
      await store.saveLesson({ ...lesson, triggers }, CHANGE);
      await makeRefuter(store).take([call('git add build/a.ts'), call('git add build/b.ts')]);
      assert.equal((await find())?.validity.refutedBy, undefined);
    }
  });

  it('are forgotten when the mistake is made again', async () => {
    const refuter = makeRefuter(store);
    const signature = { id: 'sig_ignored', version: 1, template: 't', program: 'git' };
    await refuter.take([call('git add build/a.ts')]);
    await refuter.take([call('git add build/a.ts', { outcome: 'failure', signature })]);
    await refuter.take([call('git add build/a.ts')]);
    assert.equal((await find())?.status, 'active');
  });

  it('count by their own time, each once, in whatever order sessions are read, also twice and by two at once', async () => {
    const signature = { id: 'sig_ignored', version: 1, template: 't', program: 'git' };
    const [first, failed, second] = [
      call('git add build/a.ts'),
      call('git add build/a.ts', { outcome: 'failure', signature }),
      call('git add build/b.ts'),
    ];
    for (const order of [
      [first, failed, second],
      [second, first, failed],
      [first, second, failed],
      [failed, second, first],
    ]) {
      const id = `les_order_${count++}`;
      await store.saveLesson({ ...lesson, id, slug: id }, CHANGE);
      const [one, other] = [makeRefuter(store), makeRefuter(store)];
      for (const told of [...order, ...order]) {
        await store.saveCalls([told], 'observed');
        await Promise.all([one.take([told]), other.take([told])]);
      }
      const found = await store.findLesson(id);
      assert.deepEqual(
        [found?.status, found?.validity.refutedBy],
        ['active', [`${second?.occurredAt} ${second?.callId}`]],
      );
    }
  });

  it('do not count when they are older than what taught the lesson', async () => {
    const refuter = makeRefuter(store);
    const occurredAt = '2019-01-01T00:00:00.000Z';
    const evidence = [{ agent: 'a', sessionId: 's', at: '2026-01-01T00:00:00.000Z' }];
    await store.saveLesson({ ...lesson, evidence }, CHANGE);
    await refuter.take(['a', 'b', 'c'].map((name) => call(`git add build/${name}.ts`, { occurredAt })));
    assert.equal((await find())?.validity.refutedBy, undefined);
  });

  it('are heard of lessons that came later', async () => {
    const refuter = makeRefuter(store);
    await refuter.take([call('ls')]);
    const later = { ...lesson, id: `les_later_${count}`, slug: `later-${count}` };
    await store.saveLesson(later, CHANGE);
    await refuter.take([call('git add build/a.ts'), call('git add build/b.ts')]);
    assert.equal((await store.findLesson(later.id))?.status, 'draft');
  });
});
