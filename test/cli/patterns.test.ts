import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { PatternReport } from '../../src/surfaces/cli/sessions/patterns.ts';
import {
  makeCall,
  makeChange,
  makeFailure,
  makeLesson,
  makeProject,
  makeSignature,
} from '../contracts/store/make-samples.ts';
import { openShell, type Shell } from './open-shell.ts';

const GH = makeSignature('gh');
const LS = makeSignature('ls');
const day = (n: number): string => new Date(Date.UTC(2026, 2, n)).toISOString();

describe('oncebitten sessions patterns', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    await store.saveProjects([makeProject({ id: 'prj_shop', name: 'shop', root: join(shell.home, 'shop') })]);
    const plan = join(shell.home, 'shop/docs/plan\u001b[31m.md');
    const failed = { projectId: 'prj_shop', outcome: 'failure' } as const;
    await store.saveCalls(
      [1, 2, 3].flatMap((n) => [
        makeFailure(GH, { ...failed, sessionId: `s${n}`, callId: 'gh', occurredAt: day(n) }),
        makeFailure(LS, { ...failed, agent: 'codex', sessionId: `s${n}`, callId: 'ls', occurredAt: day(n + 9) }),
        makeCall({ ...failed, sessionId: `s${n}`, callId: 'r', tool: 'read', targetPath: plan, occurredAt: day(n) }),
        // Red, red, red, then green: nobody else ever saw it.
        makeFailure(makeSignature('go'), { ...failed, sessionId: 'tdd', callId: `t${n}`, occurredAt: day(n) }),
      ]),
      'observed',
    );
    await store.saveLesson(makeLesson({ signatureId: GH.id }), makeChange('new'));
    const cure = { agent: 'codex', sessionId: 's1', projectId: 'prj_shop', failingCallId: 'ls', fixingCallId: 'ok' };
    await store.saveCures([{ ...cure, signatureId: LS.id, kind: 'folder', text: 'run it from `src`', at: day(12) }]);
    await store.close();
  });
  after(() => shell.close());

  const patterns = (...args: string[]) => shell.json<PatternReport>('sessions', 'patterns', ...args);
  const whats = async (...args: string[]) => (await patterns(...args)).items.map(({ what }) => what).sort();

  it('lists what came back, with the lesson about it', async () => {
    const { failures, total, isCut, items: found } = await patterns();
    assert.deepEqual([failures, total, isCut], [12, 4, false]);
    const gh = found.find(({ what }) => what.startsWith('gh'));
    assert.deepEqual([gh?.kind, gh?.frequency, gh?.sessions, gh?.last], ['repeated-failure', 3, 3, day(3)]);
    assert.deepEqual(gh?.lessons, [{ id: 'les_1', slug: 'gh-pr-diff-stat-x7k2', status: 'active' }]);
    assert.equal(gh?.cure, null);
    const ls = found.find(({ what }) => what.startsWith('ls'));
    assert.deepEqual([ls?.times, ls?.cure?.text, ls?.lesson], [3, 'run it from `src`', null]);
    const read = found.find(({ kind }) => kind === 'always-breaks');
    assert.match(read?.summary ?? '', /^read docs\/plan.*\.md in shop failed every time, 3 of 3, in 3 sessions$/);
  });

  it('fits a screen of 80 columns and cannot steer it', async () => {
    const stdout = await shell.show(['sessions', 'patterns'], 80);
    assert.match(stdout, /^KIND +TIMES +SESSIONS +LAST SEEN +LESSON\n {4}PATTERN\n/);
    assert.match(stdout, /^repeated-failure +3 +3 +2026-03-03 +gh-pr-diff-stat-x7k2\n {4}gh: no such file <path>$/m);
    assert.match(stdout, /^ {4}ls: no such file <path>\n {4}known fix: run it from `src`$/m);
    assert.match(stdout, /^always-breaks +3 of 3 +3 +2026-03-03 +no lesson yet\n {4}read docs\/plan/m);
    assert.match(stdout, /^dominant-category +9 of 12 +7 +2026-03-12 +-\n {4}missing_path in shop$/m);
    assert.match(stdout, /oncebitten sessions failures .*--each --signature sig1_ls/);
    assert.equal(stdout.includes('\u001b'), false);
    const told = stdout.split('\n').filter((line) => !line.includes('oncebitten '));
    assert.ok(Math.max(...told.map((line) => line.length)) <= 80, stdout);
  });

  it('is one line for each pattern in a pipe', async () => {
    const { stdout } = await shell.run(['sessions', 'patterns']);
    assert.match(stdout, /^KIND +TIMES +SESSIONS +LAST SEEN +LESSON +KNOWN FIX +PATTERN\n/);
    assert.match(stdout, /^repeated-failure +3 +3 +2026-03-03 +gh-pr-diff-stat-x7k2 +- +gh: no such file <path>$/m);
    assert.match(stdout, /^dominant-category +9 of 12 +7 +2026-03-12 +- +- +missing_path in shop$/m);
    assert.equal(stdout.split('\n\n')[0]?.split('\n').length, 1 + (await patterns()).total);
  });

  it('takes filters, all together', async () => {
    assert.deepEqual(await whats('--agent', 'codex'), ['ls: no such file <path>']);
    assert.deepEqual(await whats('--since', '2026-03-05', '--project', 'shop'), ['ls: no such file <path>']);
    assert.equal((await whats('--kind', 'always-breaks')).length, 1);
    const { total, items: found } = await patterns('--limit', '1');
    assert.deepEqual([total, found.length], [4, 1]);
    assert.match((await shell.run(['sessions', 'patterns', '--limit', '1'])).stdout, /^Row 1 of 4\. .*--from 2/m);
  });

  it('says why there is nothing to see, and what to do', async () => {
    const said = async (...args: string[]) => (await shell.run(['sessions', 'patterns', ...args])).stdout;
    assert.match(await said('--kind', 'breaking-file'), /^No pattern of that kind in 12 failures\. See all: /);
    assert.match(await said('--since', '2026-03-12'), /^No patterns in 1 failure: no failure repeated in two sessions/);
    assert.match(
      await said('--since', '2026-04-01'),
      /^No failures match these filters\. See all: oncebitten sessions patterns/,
    );
    const empty = openShell();
    const { code, stdout } = await empty.run(['sessions', 'patterns']);
    assert.equal(code, 0);
    assert.match(stdout, /^No failures are known\. Learn from past sessions: oncebitten scan/);
    await empty.close();
  });

  it('says what is wrong with an option', async () => {
    for (const [args, said, expected = 2] of [
      [['--kind', 'moon'], /--kind moon: .*\n {2}next: .*repeated-failure, breaking-file/],
      [['--since', 'soon'], /--since soon: /],
      [['--limit', '0'], /--limit 0: /],
      [['--agent', 'hal'], /agent hal: /],
      [['--project', '/nowhere'], /project \/nowhere: /, 1],
    ] as const) {
      const { code, stderr } = await shell.run(['sessions', 'patterns', ...args]);
      assert.equal(code, expected, args.join(' '));
      assert.match(stderr, said);
    }
  });
});
