/** The contract of findings: one for each failing call, with what is still stored of its calls. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_FINDINGS_PER_PROJECT } from '../../../src/base/model/finding.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import {
  at,
  makeCall,
  makeChange,
  makeFailure,
  makeFinding,
  makeLesson,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { makeLimits, retainAll, storeThen } from './retain-all.ts';
import { type OpenTestStore, type TestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');

export function describeFindings(open: OpenTestStore): void {
  describe('findings', () => {
    it(
      'contain the verdict on a failing call, and show with sessions where a lesson was learned',
      withStore(open, async ({ store }) => {
        const evidence = [{ agent: 'claude-code', sessionId: 's7', at: at(1) }];
        await store.saveLesson(makeLesson({ evidence }), makeChange('new'));
        await store.saveLesson(
          makeLesson({ id: 'les_2', slug: 'bare', contentHash: 'x', evidence: [] }),
          makeChange('new'),
        );
        await store.saveSessions([makeSession({ sessionId: 's7', projectId: 'prj_session' })]);
        await store.saveFindings([makeFinding({ lessonId: 'les_1', projectId: 'prj_finding' })]);
        await store.saveFindings([makeFinding({ id: 'fnd_2', kind: 'wrong-path', verdict: 'dropped' })]);
        const { agent, sessionId, failingCallId } = makeFinding();
        const past = await store.listPastFindings([{ agent, sessionId, failingCallId }]);
        assert.deepEqual(past.map(({ verdict, lessonId }) => [verdict, lessonId]).sort(), [
          ['dropped', undefined],
          [makeFinding().verdict, 'les_1'],
        ]);
        assert.deepEqual(await store.listPastFindings([{ agent, sessionId, failingCallId: 'other' }]), []);
        const places = await store.listLessonProjects(['les_1', 'les_2']);
        assert.deepEqual([...(places.get('les_1') ?? [])].sort(), ['prj_finding', 'prj_session']);
        assert.equal(places.get('les_2'), undefined);
      }),
    );

    it(
      'are returned as they were saved, newest first, with the text of their calls and the lesson',
      withStore(open, async ({ store }) => {
        const lesson = makeLesson();
        await store.saveLesson(lesson, makeChange('new'));
        const failed = makeFailure(GH, { callId: 'c1', inputSummary: 'gh pr diff --stat', message: 'unknown flag' });
        await store.saveCalls([failed, makeCall({ callId: 'c2', inputSummary: 'gh pr diff' })], 'observed');
        const first = makeFinding({ lessonId: lesson.id, file: '/t/s1.jsonl', lines: [3, 9] });
        const second = makeFinding({ id: 'fnd_2', failingCallId: 'c7', verdict: 'dropped', at: at(2) });
        await store.saveFindings([first]);
        await store.saveFindings([second]);
        const told = { failed: 'gh pr diff --stat', message: 'unknown flag', fixed: 'gh pr diff', lesson: lesson.slug };
        assert.deepEqual(await store.listFindings(), [
          { ...second, fixed: 'gh pr diff' },
          { ...first, ...told },
        ]);
      }),
    );

    it(
      'of the same failing call are one, and the newer verdict wins',
      withStore(open, async ({ store }) => {
        await store.saveFindings([makeFinding({ verdict: 'dropped', reason: 'fires on its own fix' })]);
        await store.saveFindings([
          makeFinding({ id: 'fnd_2', verdict: 'draft', reason: 'seen again', lessonId: 'les_1' }),
        ]);
        const [only, ...others] = await store.listFindings();
        assert.deepEqual([only?.id, only?.verdict, only?.lessonId, others.length], ['fnd_1', 'draft', 'les_1', 0]);
      }),
    );

    it(
      'are found by project with all its ids, by agent, session and verdict',
      withStore(open, async ({ store }) => {
        await store.saveFindings([makeFinding()]);
        await store.saveFindings([
          makeFinding({ id: 'fnd_2', agent: 'codex', projectId: 'prj_b', verdict: 'dropped' }),
        ]);
        const ids = async (filter: Parameters<typeof store.listFindings>[0]) =>
          (await store.listFindings(filter)).map(({ id }) => id);
        assert.deepEqual(await ids({ projectIds: ['prj_a'] }), ['fnd_1']);
        assert.deepEqual(await ids({ projectIds: [] }), []);
        assert.deepEqual(await ids({ agent: 'codex' }), ['fnd_2']);
        assert.deepEqual(await ids({ sessionId: 'other' }), []);
        assert.deepEqual(await ids({ verdict: 'dropped' }), ['fnd_2']);
        assert.deepEqual(await ids({ limit: 1 }), ['fnd_2']);
        await store.joinProjects('prj_b', 'prj_a', { at: at(5), dryRun: false });
        assert.deepEqual(await ids({ projectIds: ['prj_a'] }), ['fnd_2', 'fnd_1']);
      }),
    );

    it(
      'are limited in each project: the oldest is dropped',
      withStore(open, async ({ store, engine }) => {
        const row = (n: number) => ({
          ...{ id: `fnd_${n}`, detector: 'd', kind: 'corrected-command' as const, agent: 'a', session_id: 's' },
          ...{ project_id: 'prj_a', failing_call_id: `c${n}`, fixing_call_id: 'f', signature_id: null },
          ...{ verdict: 'new' as const, reason: 'r', lesson_id: null, file: null, from_line: null, to_line: null },
          ...{ found_at: at(n), created_at: at(n) },
        });
        for (let n = 0; n < MAX_FINDINGS_PER_PROJECT; n += 500) {
          const rows = Array.from({ length: 500 }, (_, i) => row(n + i));
          await engine.db.insertInto('findings').values(rows).execute();
        }
        await store.saveFindings([makeFinding({ id: 'fnd_last', at: at(9_000) })]);
        await store.saveFindings([makeFinding({ id: 'fnd_other', sessionId: 's2', projectId: 'prj_b' })]);
        const ids = (await store.listFindings({ projectIds: ['prj_a'] })).map(({ id }) => id);
        assert.deepEqual([ids.length, ids[0], ids.at(-1)], [MAX_FINDINGS_PER_PROJECT, 'fnd_last', 'fnd_1']);
      }),
    );

    it(
      'are removed with their calls, and with their session',
      withStore(open, async ({ store, query }) => {
        await store.saveSessions([makeSession()]);
        await store.saveCalls([makeFailure(GH, { callId: 'c1', occurredAt: at(1) })], 'observed');
        await storeThen({ query });
        await store.saveFindings([makeFinding()]);
        await store.saveFindings([makeFinding({ id: 'fnd_2', sessionId: 's2' })]);
        await retainAll(store, makeLimits({ factsBefore: at(2) }));
        assert.deepEqual(
          (await store.listFindings()).map(({ id }) => id),
          ['fnd_2'],
        );
        await store.forget({ kind: 'session', id: 's2' }, { at: at(9), dryRun: false, dropEvidence });
        assert.deepEqual(await store.listFindings(), []);
      }),
    );
  });

  describe('evidence in a file that was rewritten', () => {
    const FILE = '/t/"s1".jsonl';
    const anew = (lines: Readonly<Record<string, number>>, file = FILE) => ({
      ...{ agent: 'claude-code', file },
      calls: Object.entries(lines).map(([callId, line]) => ({ sessionId: 's1', callId, line })),
    });
    const evidence = { agent: 'claude-code', sessionId: 's1', file: FILE, at: at(1), excerpt: 'gh --stat' };
    const fill = async (store: TestStore['store']) => {
      const elsewhere = { ...evidence, file: '/t/other.jsonl', lines: [3, 9] as const };
      const lesson = makeLesson({ evidence: [{ ...evidence, lines: [3, 9] }, elsewhere] });
      await store.saveLesson(lesson, makeChange('new'));
      await store.saveLesson({ ...lesson, priority: 6 }, makeChange('more'));
      await store.saveFindings([makeFinding({ lessonId: lesson.id, file: FILE, lines: [3, 9] })]);
      return elsewhere;
    };
    const read = async (store: TestStore['store']) => ({
      finding: (await store.listFindings())[0]?.lines,
      lesson: (await store.findLesson('les_1'))?.evidence,
    });

    it(
      'has the new lines of its calls, and other evidence stays',
      withStore(open, async ({ store }) => {
        const elsewhere = await fill(store);
        const stamp = await store.readLessonStamp();
        await store.moveEvidence(anew({ c0: 1, c1: 21, c2: 17 }));
        const now = [{ ...evidence, lines: [17, 21] }, elsewhere];
        assert.deepEqual(await read(store), { finding: [17, 21], lesson: now });
        // An undo from the history does not restore old lines.
        const [, second] = await store.listLessonHistory('les_1');
        assert.deepEqual([second?.before?.evidence, second?.after.evidence], [now, now]);
        assert.equal(await store.readLessonStamp(), stamp);
      }),
    );

    it(
      'has no line if a call is gone, and one again if it is back; the excerpt stays',
      withStore(open, async ({ store }) => {
        const elsewhere = await fill(store);
        await store.moveEvidence(anew({ c2: 5 }));
        assert.deepEqual(await read(store), { finding: undefined, lesson: [evidence, elsewhere] });
        await store.moveEvidence(anew({ c1: 4, c2: 5 }));
        assert.deepEqual(await read(store), {
          finding: [4, 5],
          lesson: [{ ...evidence, lines: [4, 5] }, elsewhere],
        });
      }),
    );

    it(
      'has no line if its calls are unknown',
      withStore(open, async ({ store }) => {
        await store.saveLesson(makeLesson({ evidence: [{ ...evidence, lines: [3, 9] }] }), makeChange('new'));
        await store.moveEvidence(anew({ c1: 4, c2: 5 }, '/t/other.jsonl'));
        assert.deepEqual((await read(store)).lesson, [{ ...evidence, lines: [3, 9] }]);
        await store.moveEvidence(anew({ c1: 4, c2: 5 }));
        assert.deepEqual((await read(store)).lesson, [evidence]);
      }),
    );
  });
}
