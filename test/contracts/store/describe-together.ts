/** The contract of saving many rows at once: the result is the same as one after the other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KeptFinding, MAX_FINDINGS_PER_PROJECT } from '../../../src/base/model/finding.ts';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeEpisode,
  makeFailure,
  makeLesson,
  makeProject,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

function makeFinding(fields: Partial<KeptFinding> = {}): KeptFinding {
  return {
    ...{ id: 'fnd_1', detector: 'distill/corrected-command@1', kind: 'corrected-command', agent: 'claude-code' },
    ...{ sessionId: 's1', projectId: 'prj_a', failingCallId: 'c1', fixingCallId: 'c2', verdict: 'dropped' },
    ...{ reason: 'fires on its own fix', at: at(1) },
    ...fields,
  };
}

export function describeTogether(open: OpenTestStore): void {
  describe('saving several rows at once', () => {
    it(
      'changes nothing for an empty list',
      withStore(open, async ({ store }) => {
        assert.equal(await store.saveProjects([]), false);
        await store.saveSessions([]);
        await store.saveFindings([]);
        assert.deepEqual(await store.hasEpisodes([]), []);
        assert.deepEqual(await store.listDeliveries({ sessions: [] }), []);
        assert.deepEqual(await store.listFindings(), []);
      }),
    );

    it(
      'keeps the first name of projects and every root path in the order of the reports',
      withStore(open, async ({ store }) => {
        const shop = (root: string) => makeProject({ root });
        const other = makeProject({ id: 'prj_other', name: 'other' });
        assert.equal(await store.saveProjects([shop('/b'), other, shop('/a'), shop('/b')]), true);
        assert.equal(await store.saveProjects([shop('/a'), other]), false);
        assert.equal(await store.saveProjects([shop('/a'), makeProject({ name: 'else', root: '/c' })]), true);
        assert.deepEqual((await store.listProjectRoots()).get(shop('/a').id), ['/b', '/a', '/c']);
        assert.deepEqual((await store.listProjects()).map(({ name }) => name).sort(), ['other', makeProject().name]);
      }),
    );

    it(
      'merges sessions as if they were reported one after the other',
      withStore(open, async ({ store }) => {
        const told = [
          makeSession({ cwd: '/late', startedAt: at(5), lastSeenAt: at(6), model: 'old' }),
          makeSession({ sessionId: 's2' }),
          makeSession({ cwd: '/early', startedAt: at(1), lastSeenAt: at(2), endedAt: at(2), endReason: 'exit' }),
          makeSession({ startedAt: at(3), lastSeenAt: at(9), model: 'new' }),
        ];
        await store.saveSessions(told);
        const together = await store.findSession('claude-code', 's1');
        for (const session of told) await store.saveSessions([{ ...session, agent: 'codex' }]);
        assert.deepEqual(together, { ...(await store.findSession('codex', 's1')), agent: 'claude-code' });
        assert.deepEqual([together?.cwd, together?.model, together?.lastSeenAt], ['/early', 'new', at(9)]);
        assert.deepEqual(await store.findSession('claude-code', 's2'), makeSession({ sessionId: 's2' }));
      }),
    );

    it(
      'answers for any number of episodes, in order',
      withStore(open, async ({ store }) => {
        await store.saveFindings([], [makeEpisode({ sessionId: 'it"s 1' })]);
        const known = makeEpisode({ sessionId: 'it"s 1' });
        const asked = [makeEpisode({ sessionId: 's3' }), known, makeEpisode({ failingCallId: 'c9' }), known];
        assert.deepEqual(await store.hasEpisodes(asked), [false, true, false, true]);
      }),
    );

    it(
      'keeps one finding per failing call, with its episodes',
      withStore(open, async ({ store, query }) => {
        const again = makeFinding({
          id: 'fnd_2',
          verdict: 'draft',
          reason: 'seen again',
          lessonId: 'les_1',
          at: at(8),
        });
        const other = makeFinding({ id: 'fnd_3', failingCallId: 'c0' });
        const episodes = [makeEpisode(), makeEpisode({ id: 'epi_2', confidence: 0.8 })];
        await store.saveFindings([makeFinding(), other, again], episodes);
        const kept = (await store.listFindings()).map(({ id, verdict, reason, at: foundAt }) => [
          id,
          verdict,
          reason,
          foundAt,
        ]);
        assert.deepEqual(kept.sort(), [
          ['fnd_1', 'draft', 'seen again', at(1)],
          ['fnd_3', 'dropped', 'fires on its own fix', at(1)],
        ]);
        assert.deepEqual(await query('select id, confidence from episodes'), [{ id: 'epi_1', confidence: 0.8 }]);
      }),
    );

    it(
      'drops the oldest findings of a project beyond the limit, however many come at once',
      withStore(open, async ({ store }) => {
        const make = (n: number) => makeFinding({ id: `fnd_${n}`, failingCallId: `c${n}`, at: at(n) });
        await store.saveFindings(Array.from({ length: MAX_FINDINGS_PER_PROJECT + 250 }, (_, n) => make(n)));
        const kept = await store.listFindings();
        assert.deepEqual([kept.length, kept.at(-1)?.id], [MAX_FINDINGS_PER_PROJECT, 'fnd_250']);
      }),
    );

    it(
      'saves a finding with its lesson or not at all',
      withStore(open, async ({ store }) => {
        const stamp = await store.readLessonStamp();
        const learned = { lesson: makeLesson(), change: makeChange('new'), episode: makeEpisode(), stamp };
        const finding = makeFinding({ verdict: 'new', lessonId: makeLesson().id });
        assert.equal(await store.saveLearned({ ...learned, stamp: 'of before', finding }), 'stale');
        assert.deepEqual(await store.listFindings(), []);
        assert.equal(await store.saveLearned({ ...learned, finding }), 'saved');
        assert.deepEqual(
          (await store.listFindings()).map(({ id, lesson }) => [id, lesson]),
          [['fnd_1', makeLesson().slug]],
        );
      }),
    );

    it(
      'finds deliveries of several sessions in one query',
      withStore(open, async ({ store }) => {
        for (const [id, agent, sessionId] of [
          ['dlv_1', 'claude-code', 's1'],
          ['dlv_2', 'codex', 's1'],
          ['dlv_3', 'claude-code', 's2'],
        ] as const)
          await store.saveDelivery(makeDelivery({ id, agent, sessionId }));
        const sessions = [
          { agent: 'claude-code', sessionId: 's2' },
          { agent: 'codex', sessionId: 's1' },
          { agent: 'codex', sessionId: 's2' },
        ];
        const found = await store.listDeliveries({ sessions });
        assert.deepEqual(found.map(({ id }) => id).sort(), ['dlv_2', 'dlv_3']);
      }),
    );

    it(
      'links calls of new and of known sessions to the call before them',
      withStore(open, async ({ store }) => {
        const call = (sessionId: string, n: number) => makeCall({ sessionId, callId: `c${n}`, occurredAt: at(n) });
        await store.saveCalls([call('s1', 1)], 'observed');
        await store.saveCalls([call('s2', 5), call('s1', 3), call('s2', 4), call('s3', 1)], 'observed');
        await store.saveCalls([call('s3', 2), call('s1', 2), call('s2', 6)], 'observed');
        for (const [sessionId, count] of [
          ['s1', 3],
          ['s2', 3],
          ['s3', 2],
        ] as const) {
          const calls = await store.listCalls({ sessionId });
          assert.equal(calls.length, count);
          assert.deepEqual(
            calls.map(({ precedingId }) => precedingId),
            [undefined, ...calls.map(({ id }) => id)].slice(0, count),
          );
        }
      }),
    );

    it(
      'lists the newest past calls of a project with all its ids, oldest first',
      withStore(open, async ({ store }) => {
        const gh = makeSignature('gh');
        const failed = makeFailure(gh, { callId: 'c2', occurredAt: at(2), inputSummary: 'gh x', targetPath: '/w/x' });
        const joined = makeCall({ callId: 'c3', occurredAt: at(3), projectId: 'prj_from', inputSummary: 'ls' });
        const elsewhere = makeCall({ callId: 'c4', occurredAt: at(4), projectId: 'prj_else' });
        await store.saveCalls([makeCall({ occurredAt: at(1) }), failed, joined, elsewhere], 'observed');
        await store.joinProjects('prj_from', failed.projectId, { at: at(9), dryRun: false });
        const { tool, rawTool, sessionId } = failed;
        const { message } = failed;
        const brief = { tool, rawTool, sessionId, signatureId: undefined, targetPath: undefined, message: undefined };
        const failure = { ...brief, outcome: 'failure', signatureId: gh.id, targetPath: '/w/x', message };
        assert.deepEqual(await store.listPastCalls(failed.projectId, 2), [
          { ...failure, callId: 'c2', inputSummary: 'gh x' },
          { ...brief, callId: 'c3', inputSummary: 'ls', outcome: joined.outcome },
        ]);
        const all = await store.listPastCalls(undefined, 2);
        assert.deepEqual(
          all.map(({ callId }) => callId),
          ['c3', 'c4'],
        );
      }),
    );
  });
}
