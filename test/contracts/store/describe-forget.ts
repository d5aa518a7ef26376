/** The contract of forgetting: everything about the subject is removed, nothing else is, and its ids stay known. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../../src/base/model/lesson.ts';
import type { ForgetRequest } from '../../../src/base/storage/forgotten.ts';
import { dropEvidence } from '../../../src/distill/lessons/drop-evidence.ts';
import { MIGRATION_TABLE } from '../../../src/keep/store/engines/migrate-store.ts';
import { FORGETTABLE } from '../../../src/keep/store/maintenance/forget.ts';
import {
  at,
  makeCall,
  makeChange,
  makeDelivery,
  makeEpisode,
  makeFailure,
  makeLesson,
  makeProject,
  makeScanState,
  makeSession,
  makeSignature,
} from './make-samples.ts';
import { type OpenTestStore, type TestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const SECRETLY = makeSignature('kraken');
const NOW = at(500);
const really = { at: NOW, dryRun: false, dropEvidence };
const S1: ForgetRequest = { kind: 'session', id: 's1' };
const PROJECT: ForgetRequest = { kind: 'project', ids: ['prj_a'] };
/** Tables without captured or learned data. */
const KEPT: readonly string[] = [];

/** Two projects with a session each; s1 of project a says "kraken" wherever it can. */
async function fill({ store }: TestStore): Promise<void> {
  await store.saveProjects([makeProject({ name: 'kraken', root: '/home/ann/kraken' })]);
  await store.saveProjects([makeProject({ id: 'prj_b', name: 'shop', root: '/home/ann/shop' })]);
  await store.saveSessions([makeSession({ cwd: '/home/ann/kraken', branch: 'kraken' })]);
  await store.saveSessions([makeSession({ sessionId: 's2', projectId: 'prj_b' })]);
  await store.saveCalls(
    [
      makeFailure(SECRETLY, { callId: 'c1', message: 'kraken', inputSummary: 'kraken', outputSummary: 'kraken' }),
      makeFailure(GH, { callId: 'c2', occurredAt: at(1) }),
      makeFailure(GH, { callId: 'c3', sessionId: 's2', projectId: 'prj_b', occurredAt: at(2) }),
      makeCall({ callId: 'c4', sessionId: 's2', projectId: 'prj_a', inputSummary: 'kraken', occurredAt: at(3) }),
      makeCall({ callId: 'c5', sessionId: 's2', projectId: 'prj_b', occurredAt: at(4) }),
    ],
    'observed',
  );
  await store.saveFindings([], [makeEpisode({ intentKey: 'kraken' })]);
  await store.saveFindings(
    [],
    [makeEpisode({ id: 'epi_2', sessionId: 's2', failingCallId: 'c3', fixingCallId: 'c5' })],
  );
  await store.saveDelivery(makeDelivery());
  await store.saveDelivery(makeDelivery({ id: 'dlv_2', sessionId: 's2', callId: 'c5', lessonId: 'les_both' }));
  const memo = '{"cwd":"/home/ann/kraken"}';
  await store.saveScanStates([makeScanState({ path: '/t/-home-ann-kraken/s1.jsonl', memo, tail: 'kraken' })]);
  await store.saveScanStates([makeScanState({ path: '/t/-home-ann-shop/s2.jsonl' })]);
  for (const lesson of LESSONS) await store.saveLesson(lesson, makeChange('new'));
}

const from = (sessionId: string, words: string) => ({
  agent: 'claude-code',
  sessionId,
  at: at(1),
  excerpt: `${words} failed\nfixed by: ${words} --fixed`,
});
const learned = (id: string, fields: Partial<Lesson>) =>
  makeLesson({ id, slug: id, scope: { kind: 'user' }, contentHash: id, ...fields });
const LESSONS: readonly Lesson[] = [
  learned('les_only', { evidence: [from('s1', 'kraken')], mistake: 'kraken failed' }),
  learned('les_both', {
    evidence: [from('s1', 'kraken'), from('s2', 'squid')],
    summary: '`gh` has no `--x`: use `kraken --fixed`',
    mistake: 'kraken failed',
    remediation: 'kraken --fixed',
    occurrences: 2,
    sessions: 2,
    projects: 2,
  }),
  learned('les_other', { evidence: [from('s2', 'squid')], mistake: 'squid failed' }),
  learned('les_user', { evidence: [], origin: { kind: 'user', by: 'ann', trust: 'stated' } }),
];

async function readAll({ query }: TestStore): Promise<string> {
  const tables = await Promise.all(FORGETTABLE.map((table) => query(`select * from ${table}`)));
  return JSON.stringify(tables);
}

export function describeForget(open: OpenTestStore): void {
  describe('forgetting', () => {
    it(
      'covers every table',
      withStore(open, async ({ engine }) => {
        const tables = (await engine.db.introspection.getTables()).filter((table) => !table.isView);
        const names = tables.map(({ name }) => name).filter((name) => !name.startsWith(MIGRATION_TABLE));
        const known: readonly string[] = [...FORGETTABLE, ...KEPT];
        assert.deepEqual(
          names.filter((name) => !known.includes(name)),
          [],
          'a new table: say in src/keep/store/forget-*.ts how its rows are forgotten',
        );
      }),
    );

    it(
      'a lesson removes its text, history and deliveries, and leaves the calls and all other lessons',
      withStore(open, async (test) => {
        await fill(test);
        const before = await test.store.listLessons();
        const [doomed] = before;
        assert.ok(doomed !== undefined);
        const calls = await test.store.listCalls({});
        const planned = await test.store.forget({ kind: 'lesson', ids: [doomed.id] }, { ...really, dryRun: true });
        assert.equal((await test.store.listLessons()).length, before.length);
        assert.deepEqual(await test.store.forget({ kind: 'lesson', ids: [doomed.id, 'les_nobody'] }, really), planned);
        assert.equal(planned.lessons, 1);
        assert.equal(await test.store.findLesson(doomed.id), undefined);
        assert.deepEqual(await test.store.listLessonHistory(doomed.id), []);
        assert.deepEqual(await test.store.listDeliveries({ lessonId: doomed.id }), []);
        assert.equal((await test.store.listLessons()).length, before.length - 1);
        assert.deepEqual(await test.store.listCalls({}), calls);
        assert.ok((await test.store.listForgotten()).some(({ kind, id }) => kind === 'lesson' && id === doomed.id));
      }),
    );

    it(
      'a session removes its own data and leaves the rest as it was',
      withStore(open, async (test) => {
        await fill(test);
        const report = await test.store.forget(S1, really);
        const { sessions, calls, signatures, episodes, deliveries, lessons, lessonsChanged, transcripts } = report;
        assert.deepEqual(
          { sessions, calls, signatures, episodes, deliveries, lessons, lessonsChanged, transcripts },
          {
            sessions: 1,
            calls: 2,
            signatures: 1,
            episodes: 1,
            deliveries: 1,
            lessons: 1,
            lessonsChanged: 1,
            transcripts: 1,
          },
        );
        assert.deepEqual(
          (await test.store.listCalls({})).map(({ callId }) => callId),
          ['c3', 'c4', 'c5'],
        );
        assert.deepEqual(await test.query('select id, count, sessions from signatures'), [
          { id: GH.id, count: 1, sessions: 1 },
        ]);
        assert.deepEqual(
          (await test.store.listDeliveries({})).map(({ id }) => id),
          ['dlv_2'],
        );
      }),
    );

    it(
      'removes its part from a lesson that has other evidence, including words and history',
      withStore(open, async (test) => {
        await fill(test);
        await test.store.forget(S1, really);
        const slugs = (await test.store.listLessons()).map(({ slug }) => slug);
        assert.deepEqual(slugs, ['les_both', 'les_other', 'les_user']);
        const both = await test.store.findLesson('les_both');
        const { mistake, remediation, summary, occurrences, sessions, evidence } = both as Lesson;
        assert.deepEqual(
          { mistake, remediation, summary, occurrences, sessions },
          {
            mistake: 'squid failed',
            remediation: 'squid --fixed',
            summary: '`gh` has no `--x`: use `squid --fixed`',
            occurrences: 1,
            sessions: 1,
          },
        );
        assert.deepEqual(evidence, [from('s2', 'squid')]);
        assert.equal((await test.store.listLessonHistory('les_both')).length, 1);
        assert.doesNotMatch(JSON.stringify(await test.store.listLessonHistory('les_both')), /kraken/);
      }),
    );

    it(
      'a project removes its sessions, its calls in other sessions and the lessons of its scope',
      withStore(open, async (test) => {
        await fill(test);
        const own = { scope: { kind: 'project', id: 'prj_a' }, evidence: [] } as const;
        await test.store.saveLesson(learned('les_scoped', { ...own, mistake: 'kraken' }), makeChange('new'));
        const report = await test.store.forget(PROJECT, really);
        assert.deepEqual([report.projects, report.sessions, report.calls], [1, 1, 3]);
        assert.doesNotMatch(await readAll(test), /kraken/i);
        assert.equal(await test.store.findLesson('les_scoped'), undefined);
        const left = await test.store.listCalls({});
        assert.deepEqual(
          left.map(({ callId, precedingId }) => [callId, precedingId !== undefined]),
          [
            ['c3', false],
            ['c5', true],
          ],
        );
        assert.equal(left[1]?.precedingId, left[0]?.id);
        assert.equal((await test.store.findLesson('les_both'))?.projects, 1);
      }),
    );

    it(
      'remembers ids and no text, and scan states without file names',
      withStore(open, async (test) => {
        await fill(test);
        await test.store.forget(PROJECT, really);
        assert.deepEqual(await test.store.listForgotten(), [
          { kind: 'project', id: 'prj_a', at: NOW },
          { kind: 'session', id: 's1', at: NOW },
        ]);
        const paths = (await test.query('select path from scan_state order by path')).map(({ path }) => String(path));
        assert.equal(paths.length, 2);
        assert.match(paths[0] ?? '', /^#\w+$/);
        assert.equal(paths[1], '/t/-home-ann-shop/s2.jsonl');
        const [nameless] = await test.query("select memo, tail, byte_offset from scan_state where path like '#%'");
        assert.deepEqual([nameless?.memo, nameless?.tail, Number(nameless?.byte_offset)], [null, null, 0]);
      }),
    );

    it(
      'all empties every table',
      withStore(open, async (test) => {
        await fill(test);
        const report = await test.store.forget({ kind: 'all' }, really);
        assert.deepEqual([report.projects, report.sessions, report.calls, report.lessons], [2, 2, 5, 4]);
        assert.deepEqual([...new Set(Object.values(await test.store.countAll()))], [0]);
        assert.deepEqual(await test.store.listForgotten(), [{ kind: 'all', id: '', at: NOW }]);
        assert.equal(await test.store.saveCalls([makeFailure(GH, { occurredAt: at(600) })], 'observed'), 1);
      }),
    );

    for (const wish of [S1, PROJECT, { kind: 'all' } as const]) {
      it(
        `as a dry run (${wish.kind}) changes nothing and counts the same`,
        withStore(open, async (test) => {
          await fill(test);
          const before = await readAll(test);
          const dry = await test.store.forget(wish, { ...really, dryRun: true });
          assert.equal(await readAll(test), before);
          assert.deepEqual(await test.store.forget(wish, really), dry);
        }),
      );
    }

    it(
      'something unknown removes nothing and remembers it',
      withStore(open, async (test) => {
        await fill(test);
        const report = await test.store.forget({ kind: 'session', id: 'nobody' }, really);
        assert.equal(report.calls + report.sessions + report.lessons + report.lessonsChanged, 0);
        assert.deepEqual(await test.store.listForgotten(), [{ kind: 'session', id: 'nobody', at: NOW }]);
      }),
    );

    it(
      'includes the runs of sub-agents',
      withStore(open, async ({ store }) => {
        await store.saveSessions([makeSession()]);
        await store.saveSessions([makeSession({ sessionId: 'child', parentSessionId: 's1' })]);
        await store.saveSessions([makeSession({ sessionId: 'grandchild', parentSessionId: 'child' })]);
        assert.equal((await store.forget(S1, really)).sessions, 3);
      }),
    );
  });
}
