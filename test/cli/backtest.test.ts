import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ListedFinding } from '../../src/base/model/finding.ts';
import { FAILURE_CLASSES } from '../../src/base/statistics/failures.ts';
import type { Audit } from '../../src/loop/checks/audit-lessons.ts';
import type { BacktestReport } from '../../src/measure/make-backtest-report.ts';
import { type FileCall, writeSession } from '../stories/session-file.ts';
import { openShell, type Shell } from './open-shell.ts';

const wrong = (id: string): FileCall => ({
  ...{ id, command: 'gh pr diff 7 --stat', error: 'Exit code 1\nunknown flag: --stat' },
});
const right = (id: string): FileCall => ({ id, command: 'gh pr diff 7 --name-only', output: 'a.ts' });

describe('oncebitten stats backtest, findings and audit', { timeout: 900_000 }, () => {
  let shell: Shell;
  let sessions: string;
  before(() => {
    shell = openShell();
    sessions = join(shell.home, 'sessions');
    const cwd = join(shell.home, 'shop');
    const atMs = Date.UTC(2026, 0, 2);
    writeSession(join(sessions, 'one.jsonl'), { session: 'one', cwd, atMs }, [wrong('a'), right('b')]);
    writeSession(join(sessions, 'two.jsonl'), { session: 'two', cwd, atMs: atMs + 3_600_000 }, [
      wrong('c'),
      right('d'),
    ]);
  });
  after(() => shell.close());

  it('replay a folder of sessions and keep nothing of it', async () => {
    const report = await shell.json<BacktestReport>('stats', 'backtest', '--agent', 'claude-code', '--path', sessions);
    assert.deepEqual([report.sessions, report.calls, report.failures, report.deliveries], [2, 4, 2, 1]);
    assert.deepEqual(Object.keys(report.classes), [...FAILURE_CLASSES]);
    const { repeats, warned, hits, recall, precision } = report.classes.command;
    assert.deepEqual([repeats, warned, hits, recall, precision], [1, 1, 1, 1, 1]);
    assert.equal(report.examples[0]?.kind, 'hit');
    assert.deepEqual(await shell.list('lessons', 'list'), []);
    assert.deepEqual(await shell.list('sessions', 'findings'), []);
  });

  it('tell a person the same in words', async () => {
    const { stdout, code } = await shell.run(['stats', 'backtest', '--agent', 'claude-code', '--path', sessions]);
    assert.equal(code, 0);
    assert.match(stdout, /^4 calls in 2 sessions/);
    assert.match(stdout, /Of 2 failures, 1 repeated an earlier one/);
    assert.match(stdout, /wrong call +2 +1 +1 +100 %/);
  });

  it('look away where they are told to', async () => {
    mkdirSync(shell.dataDir, { recursive: true });
    const config = join(shell.dataDir, 'config.jsonc');
    writeFileSync(config, JSON.stringify({ privateProjects: [join(shell.home, 'shop')] }));
    const report = await shell.json<BacktestReport>('stats', 'backtest', '--agent', 'claude-code', '--path', sessions);
    assert.equal(report.calls, 0);
    writeFileSync(config, '{}');
  });

  it('audit files without keeping them, and the store after a scan', async () => {
    const files = await shell.json<Audit>('lessons', 'audit', '--agent', 'claude-code', '--path', sessions);
    assert.deepEqual([files.candidates, files.active, files.merged, files.pastCalls], [2, 1, 1, 4]);
    assert.equal((await shell.json<Audit>('lessons', 'audit')).candidates, 0);
    await shell.json('scan', '--agent', 'claude-code', '--path', sessions);
    const stored = await shell.json<Audit>('lessons', 'audit');
    assert.deepEqual([stored.candidates, stored.active, stored.merged, stored.dropped], [2, 1, 1, 0]);
    assert.deepEqual([stored.neverFire.length, stored.fireTooOften.length, stored.duplicates.length], [0, 0, 0]);
    const { stdout } = await shell.run(['lessons', 'audit']);
    assert.match(stdout, /mistakes found in past sessions +2/);
  });

  it('say what was seen and what came of it', async () => {
    const findings = await shell.list<ListedFinding>('sessions', 'findings');
    assert.deepEqual(
      findings.map(({ verdict, failingCallId, fixed }) => [verdict, failingCallId, fixed]),
      [
        ['merged', 'c', 'gh pr diff 7 --name-only'],
        ['new', 'a', 'gh pr diff 7 --name-only'],
      ],
    );
    assert.deepEqual(findings[1]?.lines, [1, 3]);
    assert.equal(findings[0]?.lesson, findings[1]?.lesson);
    assert.equal((await shell.list<ListedFinding>('sessions', 'findings', '--verdict', 'new')).length, 1);
    const { code, stderr } = await shell.run(['sessions', 'findings', '--verdict', 'maybe']);
    assert.equal(code, 2);
    assert.match(stderr, /new, draft, merged, dropped/);
  });

  it('refuse a folder that is not there', async () => {
    for (const command of ['backtest', 'audit']) {
      const { code, stderr } = await shell.run([command, '--path', join(shell.home, 'nowhere')]);
      assert.equal(code, 1);
      assert.match(stderr, /does not exist/);
    }
  });
});
