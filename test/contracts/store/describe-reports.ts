/** The contract of reports: one for each block, counted by agent and model beside failures without a report. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeptFinding, KeptReport } from '../../../src/base/model/finding.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { at, makeCall, makeSession } from './make-samples.ts';
import { makeLimits, retainAll } from './retain-all.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

function makeReport(fields: Partial<KeptReport> = {}): KeptReport {
  return {
    ...{ agent: 'claude-code', sessionId: 's1', contextId: '', projectId: 'prj_a', reportId: 'r1', form: 'lesson' },
    at: at(1),
    ...fields,
  };
}

function makeFinding(fields: Partial<KeptFinding>): KeptFinding {
  return {
    ...{ id: `fnd_${fields.failingCallId}`, detector: 'distill/corrected-command@1', kind: 'corrected-command' },
    ...{ agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', failingCallId: 'c1', fixingCallId: 'c2' },
    ...{ verdict: 'new', reason: '1 hits', at: at(1) },
    ...fields,
  };
}

export function describeReports(open: OpenTestStore): void {
  describe('reports', () => {
    it(
      'of the same block are one, and known fields are never lost',
      withStore(open, async ({ store }) => {
        const told = { file: '/t/s1.jsonl', line: 7, malformed: 'it has no keys' };
        await store.saveReports([makeReport({ malformed: told.malformed }), makeReport(told)]);
        await store.saveReports([makeReport({ malformed: told.malformed })]);
        await store.saveReports([]);
        assert.deepEqual(await store.listMalformedReports({ limit: 9 }), [makeReport(told)]);
      }),
    );

    it(
      'are counted by agent and model, with the failures that became a lesson without one',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession({ model: 'opus' })]);
        await store.saveSessions([makeSession({ sessionId: 's2', model: 'haiku' })]);
        await store.saveReports([
          makeReport({ failingCallId: 'c1' }),
          makeReport({ reportId: 'r2' }),
          makeReport({ reportId: 'r3', malformed: 'it has no keys' }),
          makeReport({ sessionId: 's2', at: at(9) }),
          makeReport({ agent: 'codex', sessionId: 's9' }),
        ]);
        for (const finding of [
          makeFinding({ failingCallId: 'c1' }),
          makeFinding({ failingCallId: 'c3' }),
          makeFinding({ id: 'fnd_twice', failingCallId: 'c3', kind: 'wrong-path' }),
          makeFinding({ failingCallId: 'c4', verdict: 'dropped' }),
          makeFinding({ failingCallId: 'c5', kind: 'self-reported' }),
          makeFinding({ failingCallId: 'c6', sessionId: 's2', at: at(9) }),
        ])
          await store.saveFindings([finding]);
        const isSubagent = false;
        const opus = { agent: 'claude-code', model: 'opus', isSubagent, reports: 2, malformed: 1, unreported: 1 };
        const haiku = { agent: 'claude-code', model: 'haiku', isSubagent, reports: 1, malformed: 0, unreported: 1 };
        const codex = { agent: 'codex', isSubagent, reports: 1, malformed: 0, unreported: 0 };
        assert.deepEqual(await store.countReports({}), [haiku, opus, codex]);
        assert.deepEqual(await store.countReports({ agent: 'codex' }), [codex]);
        assert.deepEqual(await store.countReports({ since: at(5) }), [haiku]);
        assert.deepEqual(await store.listMalformedReports({ agent: 'codex', limit: 9 }), []);
        const missed = await store.listUnreported({ limit: 9 });
        assert.deepEqual(
          missed.map(({ sessionId, callId }) => [sessionId, callId]),
          [
            ['s2', 'c6'],
            ['s1', 'c3'],
          ],
        );
      }),
    );

    it(
      'are counted separately by version of the protocol, and by main conversation and sub-agents',
      withStore(open, async ({ store }) => {
        const asked = { agent: 'claude-code', callId: '', kind: 'protocol', bytes: 900, at: at(0) } as const;
        await store.saveAdded([
          { ...asked, sessionId: 's1', contextId: '', version: 1 },
          { ...asked, sessionId: 's1', contextId: 'sub', version: 1 },
          { ...asked, sessionId: 's2', contextId: '', version: 2 },
        ]);
        await store.saveReports([
          makeReport(),
          makeReport({ reportId: 'r2', contextId: 'sub' }),
          makeReport({ sessionId: 's2' }),
          makeReport({ sessionId: 's3' }),
        ]);
        await store.saveCalls([makeCall({ callId: 'c1', contextId: 'sub' })], 'observed');
        await store.saveFindings([makeFinding({ failingCallId: 'c1' })]);
        const counts = await store.countReports({});
        assert.deepEqual(
          counts.map(({ protocol, isSubagent, reports, unreported }) => [protocol, isSubagent, reports, unreported]),
          [
            [undefined, false, 1, 0],
            [1, false, 1, 0],
            [1, true, 1, 1],
            [2, false, 1, 0],
          ],
        );
        const [missed] = await store.listUnreported({ limit: 9 });
        assert.deepEqual([missed?.contextId, missed?.protocol], ['sub', 1]);
      }),
    );

    it(
      'and added texts are counted by kind, once each',
      withStore(open, async ({ store }) => {
        const text = { agent: 'claude-code', sessionId: 's1', contextId: '', callId: 'c1', bytes: 100, at: at(0) };
        const texts = [
          { ...text, kind: 'note' as const },
          { ...text, kind: 'session-start' as const, callId: '' },
        ];
        await store.saveAdded(texts);
        await store.saveAdded([...texts, { ...text, kind: 'note', callId: 'c2', bytes: 50 }]);
        assert.deepEqual(await store.countAdded({}), [
          { kind: 'note', texts: 2, bytes: 150 },
          { kind: 'session-start', texts: 1, bytes: 100 },
        ]);
        assert.deepEqual(await store.countAdded({ agent: 'codex' }), []);
        await store.forget({ kind: 'session', id: 's1' }, { at: at(9), dryRun: false, dropEvidence });
        assert.deepEqual(await store.countAdded({}), []);
      }),
    );

    it(
      'are forgotten with their session and their project, and age like facts',
      withStore(open, async ({ store }) => {
        const how = { at: at(500), dryRun: false, dropEvidence };
        const count = async () => (await store.countReports({})).reduce((sum, { reports }) => sum + reports, 0);
        await store.saveSessions([makeSession()]);
        await store.saveReports([
          makeReport(),
          makeReport({ sessionId: 's2', projectId: 'prj_b' }),
          makeReport({ sessionId: 's3', projectId: 'prj_c', at: at(90) }),
          makeReport({ sessionId: 's4', projectId: 'prj_c' }),
        ]);
        await store.forget({ kind: 'session', id: 's1' }, how);
        assert.equal(await count(), 3);
        await store.forget({ kind: 'project', ids: ['prj_b'] }, how);
        assert.equal(await count(), 2);
        await retainAll(store, makeLimits({ factsBefore: at(50), textBefore: at(50) }));
        assert.equal(await count(), 1);
      }),
    );
  });
}
