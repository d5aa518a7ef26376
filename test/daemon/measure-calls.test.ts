import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Delivery } from '../../src/base/delivery.ts';
import { DEFAULT_SETTINGS } from '../../src/base/settings.ts';
import type { Store } from '../../src/base/store.ts';
import type { Triggers } from '../../src/base/trigger.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { measureCalls } from '../../src/surfaces/loop/measure-calls.ts';
import { makeCall } from '../contracts/store/make-samples.ts';
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
