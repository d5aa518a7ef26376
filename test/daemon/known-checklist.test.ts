/** A checklist that agents write down again in other words is one lesson, whose counts rise. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Finding } from '../../src/base/model/finding.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { learnFinding } from './learn-one-finding.ts';

let dir: string;
let store: Store;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'oncebitten-checklist-'));
  store = await openSqliteStore(join(dir, 'oncebitten.db'));
});
after(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const report = (session: string, items: readonly string[], fields: Partial<Finding> = {}): Finding => ({
  ...{ detector: 'distill/self-report@1', kind: 'self-reported', origin: 'self-report', trust: 'foreign' },
  ...{ agent: 'claude-code', sessionId: session, projectId: 'prj_a', steps: 0, signals: ['self-reported'] },
  ...{ failingCallId: `report-${session}`, fixingCallId: `call-${session}`, intentKey: 'edit' },
  signature: { id: `sig_${session}`, version: 1, template: 'x', program: 'edit' },
  ...{ summary: 'Version bump', mistake: 'Version bump', remediation: items.join('; '), tags: [] },
  triggers: { tools: ['edit'], paths: [`**/${session}.json`] },
  evidence: { agent: 'claude-code', sessionId: session, at: '2026-01-01T00:00:00.000Z', excerpt: session },
  ...{ type: 'checklist', body: { title: 'Bump', items } },
  ...fields,
});

it('counts a checklist that is written down again, and keeps another one apart', async () => {
  await learnFinding(store, report('one', ['Update plugin.json', 'Update CHANGELOG.md', 'Run the tests']), []);
  await learnFinding(store, report('two', ['Run the tests', 'Change plugin.json', 'Update the CHANGELOG.md']), []);
  const [lesson, ...more] = await store.listLessons();
  assert.deepEqual(
    [lesson?.occurrences, lesson?.sessions, lesson?.status, more.length, lesson?.body],
    [2, 2, 'draft', 0, { title: 'Bump', items: ['Update plugin.json', 'Update CHANGELOG.md', 'Run the tests'] }],
  );
  await learnFinding(store, report('three', ['Tell support', 'Wait for the build']), []);
  assert.equal((await store.listLessons()).length, 2);
});

it("changes nothing of a person's own checklist but its counts", async () => {
  const items = ['Drain the queue', 'Restart the worker', 'Look at the logs'];
  const own = makeTestLesson({ type: 'checklist', body: { title: 'Restart', items }, occurrences: 0, priority: 7 });
  await store.saveLesson(own, { by: 'user:ann', reason: 'written', at: own.createdAt });
  await learnFinding(store, report('four', items, { priority: 10 }), []);
  const { occurrences, priority, confidence, status } = (await store.findLesson(own.id)) ?? assert.fail();
  assert.deepEqual([occurrences, priority, confidence, status], [1, 7, own.confidence, 'active']);
});
