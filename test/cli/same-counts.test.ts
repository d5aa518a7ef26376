/** `start`, `failures`, `stats` and `backtest` on one history say the same about its calls. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FailureCounts } from '../../src/base/statistics/failure-ledger.ts';
import type { FailureGroup } from '../../src/base/statistics/failures.ts';
import type { BacktestReport } from '../../src/measure/make-backtest-report.ts';
import type { StatsReport } from '../../src/measure/stats-report.ts';
import { renderFailureCounts } from '../../src/surfaces/cli/sessions/failures.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

describe('one history', { timeout: 180_000 }, () => {
  let shell: Shell;
  let counts: FailureCounts;
  before(async () => {
    shell = openShell();
    const sessions = join(shell.home, '.claude', 'projects');
    mkdirSync(sessions, { recursive: true });
    cpSync(join(ROOT, 'samples/sessions'), sessions, { recursive: true });
    ({ counts } = await shell.json<{ counts: FailureCounts }>('start'));
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
    const groups = (await shell.list<FailureGroup>('failures', '--all')).filter(({ isHook }) => !isHook);
    const sum = (field: 'count' | 'masked') => groups.reduce((all, group) => all + group[field], 0);
    assert.deepEqual([sum('count'), sum('masked')], [counts.failures, counts.masked]);
  });

  it('is counted alike by a back-test', async () => {
    const { sessions, calls, failures, all, learnable, masked } = await shell.json<BacktestReport>('backtest');
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
