/** `start`, `failures`, `patterns`, `stats` and `backtest` on one history say the same about its calls. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ProjectSummary } from '../../src/base/model/project.ts';
import type { FailureCounts } from '../../src/base/statistics/failure-ledger.ts';
import type { KnownFailure, KnownPattern, LeftOut } from '../../src/loop/measuring/failure-list.ts';
import type { FullBacktest } from '../../src/loop/replay/backtest.ts';
import type { BacktestReport } from '../../src/measure/make-backtest-report.ts';
import type { StatsReport } from '../../src/measure/make-stats-report.ts';
import type { StartReport } from '../../src/surfaces/cli/install/start-report.ts';
import type { Page } from '../../src/surfaces/cli/paging.ts';
import { renderFailureCounts } from '../../src/surfaces/cli/sessions/failures.ts';
import type { PatternReport } from '../../src/surfaces/cli/sessions/patterns.ts';
import { appendCalls, type FileCall, writeSession } from '../stories/session-file.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

describe('one history', { timeout: 900_000 }, () => {
  let shell: Shell;
  let counts: FailureCounts;
  let repeated: StartReport['repeated'];
  before(async () => {
    shell = openShell();
    const sessions = join(shell.home, '.claude', 'projects');
    mkdirSync(sessions, { recursive: true });
    cpSync(join(ROOT, 'samples/sessions'), sessions, { recursive: true });
    ({ counts, repeated } = await shell.json<StartReport>('start'));
  });
  after(() => shell.close());

  const pick = ({ sessions, calls, failures, repeats, avoidable }: FailureCounts) => ({
    ...{ sessions, calls, failures, repeats, avoidable },
  });

  it('has failures that repeat, and some that could have been avoided', () => {
    assert.ok(counts.sessions > 1 && counts.avoidable > 0 && counts.avoidable <= counts.repeats);
    assert.ok(counts.repeats < counts.failures && counts.failures < counts.calls);
  });

  it('is counted alike by start, failures and stats', async () => {
    const sentence = renderFailureCounts(counts);
    for (const command of ['failures', 'stats'])
      assert.ok((await shell.run([command])).stdout.replace(/\s+/g, ' ').includes(sentence), command);
    const { calls } = await shell.json<StatsReport>('stats');
    assert.deepEqual(calls === undefined ? undefined : pick(calls), pick(counts));
  });

  it('is counted alike by the groups that failures lists', async () => {
    const groups = (await shell.list<KnownFailure>('sessions', 'failures', '--all')).filter(({ isHook }) => !isHook);
    const sum = (field: 'count' | 'masked') => groups.reduce((all, group) => all + group[field], 0);
    assert.deepEqual([sum('count'), sum('masked')], [counts.failures, counts.masked]);
  });

  it('is counted alike with and without the failures that no other call would have avoided', async () => {
    const { items, leftOut } = await shell.json<Page<KnownFailure> & { leftOut: LeftOut }>('sessions', 'failures');
    const listed = items.reduce((sum, { count, isHook }) => sum + (isHook ? 0 : count), 0);
    const left = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
    assert.ok(left > 0 && listed > 0);
    assert.equal(listed + left, counts.failures);
    assert.deepEqual(repeated.leftOut, leftOut);
  });

  it('has the same repeated failures in start, failures and patterns', async () => {
    const failures = await shell.list<KnownFailure>('sessions', 'failures');
    const again = failures.filter(({ sessions }) => sessions > 1);
    assert.ok(again.length > 5 && again.every(({ cure, lesson }) => cure !== null && lesson !== null));
    // Only the list of failures says how many calls it took to get past each kind.
    const known = again.map(({ attempts: _, ...kind }: KnownFailure & { readonly attempts?: unknown }) => kind);
    assert.deepEqual(repeated.items, known);
    assert.deepEqual([repeated.total, repeated.next], [again.length, null]);
    const pick = ({
      times,
      sessions,
      cure,
      lesson,
      program,
      template,
      lastAt,
      ...one
    }: KnownFailure | KnownPattern) => ({
      ...{ times, sessions, cure, lesson, program, template, lastAt, class: one.class, ids: one.signatureIds },
    });
    const patterns = await shell.list<KnownPattern>('sessions', 'patterns', '--kind', 'repeated-failure');
    const report = await shell.json<PatternReport>('sessions', 'patterns');
    assert.equal(report.failures, counts.failures + counts.masked);
    const byId = (a: { ids: readonly string[] }, b: { ids: readonly string[] }) => (`${a.ids}` < `${b.ids}` ? -1 : 1);
    assert.deepEqual(patterns.map(pick).sort(byId), again.map(pick).sort(byId));
  });

  it('says the same words about a failure in start and failures', async () => {
    const [first] = repeated.items;
    assert.ok(first?.cure && first.lesson);
    const words = `4 times in 4 sessions; known fix: ${first.cure.text}; lesson: ${first.lesson.slug}`;
    for (const stdout of [(await shell.run(['start'])).stdout, await shell.show(['sessions', 'failures'], 80)])
      assert.ok(stdout.replace(/\s+/g, ' ').includes(words), stdout);
  });

  it('is counted alike by a back-test', async () => {
    const { sessions, calls, failures, all, learnable, masked } = await shell.json<BacktestReport>('stats', 'backtest');
    const told = { sessions, calls, failures, repeats: all.repeats, avoidable: learnable.repeats };
    assert.deepEqual(told, pick(counts));
    assert.equal(masked.failures, counts.masked);
  });

  it('is still counted by start after the agent has removed its session files', async () => {
    rmSync(join(shell.home, '.claude'), { recursive: true });
    const after = await shell.json<{ sample: boolean; files: number; counts: FailureCounts }>('start');
    assert.deepEqual([after.sample, after.files], [false, 0]);
    assert.deepEqual(pick(after.counts), pick(counts));
  });
});

describe('the history of joined projects', { timeout: 900_000 }, () => {
  let shell: Shell;
  const START = Date.now() - 3_600_000;
  const makeMistake = (session: string): readonly FileCall[] => [
    { id: `${session}-a`, command: 'gh pr diff 7 --stat', error: 'Exit code 1\nunknown flag: --stat' },
    { id: `${session}-b`, command: 'gh pr diff 7 --name-only', output: 'a.ts' },
  ];
  before(async () => {
    shell = openShell();
    const folders = ['/gone/shop', '/gone/old-shop', '/gone/ledger', '/other/ledger'];
    for (const [n, cwd] of folders.entries()) {
      const [session, atMs] = [`session-${n}`, START + n * 600_000];
      const file = join(shell.home, '.claude/projects', `p${n}`, `${session}.jsonl`);
      writeSession(file, { session, cwd, atMs }, makeMistake(session));
      // A session that began elsewhere goes on in the shop.
      if (cwd === '/gone/ledger')
        appendCalls(file, { session, cwd: '/gone/shop', atMs: atMs + 60_000 }, makeMistake(`${session}-later`));
    }
    await shell.json('scan');
    await shell.json('data', 'projects', 'join', '/gone/old-shop', '/gone/shop');
  });
  after(() => shell.close());

  it('is counted alike for each project by stats, failures, a back-test and the list of projects', async () => {
    const projects = await shell.list<ProjectSummary>('data', 'projects', 'list');
    assert.deepEqual(projects.map(({ calls }) => calls).sort(), [2, 2, 6]);
    const { perProject } = await shell.json<FullBacktest>('stats', 'backtest');
    assert.deepEqual(
      perProject.map(({ projectId, calls }) => [projectId, calls]).sort(),
      projects.map(({ id, calls }) => [id, calls]).sort(),
    );
    for (const { id } of projects) {
      const { calls } = await shell.json<StatsReport>('stats', '--project', id);
      const report = await shell.json<FullBacktest>('stats', 'backtest', '--project', id);
      const told = [report.sessions, report.calls, report.failures, report.all.repeats, report.learnable.repeats];
      assert.deepEqual(told, [calls?.sessions, calls?.calls, calls?.failures, calls?.repeats, calls?.avoidable]);
      const kinds = await shell.list<KnownFailure>('sessions', 'failures', '--project', id, '--all');
      assert.equal(
        kinds.reduce((sum, { count }) => sum + count, 0),
        calls?.failures,
      );
      const row = perProject.find(({ projectId }) => projectId === id);
      assert.deepEqual(
        [row?.sessions, row?.failures, row?.repeats],
        told.filter((_, n) => [0, 2, 3].includes(n)),
      );
    }
  });

  it('has a row with a name for each project, and none for the part of another', async () => {
    const { perProject } = await shell.json<FullBacktest>('stats', 'backtest');
    assert.deepEqual(perProject.map(({ name }) => name).sort(), ['gone/ledger', 'other/ledger', 'shop']);
  });
});
