import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FailedCall, FailureGroup } from '../../src/base/statistics/failures.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { identifyProject } from '../../src/loop/projects/identify-project.ts';
import { makeCall, makeFailure, makeSession, makeSignature } from '../contracts/store/make-samples.ts';
import { openShell, type Shell } from './open-shell.ts';

const GH = makeSignature('gh');
const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

describe('oncebitten sessions failures', () => {
  let shell: Shell;
  let project: string;
  before(async () => {
    shell = openShell();
    project = join(shell.home, 'shop');
    mkdirSync(project);
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    const here = identifyProject(project);
    await store.saveProjects([here]);
    await store.saveSessions([makeSession({ branch: 'main', projectId: here.id })]);
    const failed = { program: 'gh', message: 'unknown\u001b[31m flag', inputSummary: 'gh pr diff --stat' };
    await store.saveCalls(
      [
        makeFailure(GH, { ...failed, callId: 'c1', projectId: here.id, occurredAt: ago(1) }),
        makeFailure(GH, { ...failed, callId: 'c2', sessionId: 's2', masked: true, occurredAt: ago(10) }),
        makeCall({ callId: 'c3' }),
      ],
      'observed',
    );
    const cure = {
      agent: 'claude-code',
      projectId: here.id,
      fixingCallId: 'c9',
      signatureId: GH.id,
      kind: 'edit',
    } as const;
    const text = 'replace `--stat` with `--name-only`';
    await store.saveCures([
      { ...cure, sessionId: 's1', failingCallId: 'c1', text, at: ago(1) },
      { ...cure, sessionId: 's2', failingCallId: 'c2', text, at: ago(9) },
      { ...cure, sessionId: 's3', failingCallId: 'c4', text: 'add `--patch`', at: ago(2) },
    ]);
    await store.close();
  });
  after(() => shell.close());

  const list = (...args: string[]) => shell.list<FailureGroup>('sessions', 'failures', ...args);
  const each = (...args: string[]) => shell.list<FailedCall>('sessions', 'failures', '--each', ...args);

  it('tells what worked afterwards, in most sessions', async () => {
    const [group] = (await list()) as readonly (FailureGroup & { cure?: { text: string; sessions: number } })[];
    assert.deepEqual([group?.cure?.text, group?.cure?.sessions], ['replace `--stat` with `--name-only`', 2]);
  });

  it('counts by form', async () => {
    const [group, ...others] = await list();
    assert.deepEqual([group?.signature, group?.sessions, group?.program], [GH.id, 2, 'gh']);
    assert.deepEqual(
      [group?.count, group?.masked, group?.isHook],
      [1, 1, false],
      'a hidden exit code is counted apart',
    );
    assert.equal(others.length, 0);
    const { stdout } = await shell.run(['sessions', 'failures']);
    assert.match(stdout, /^1 of 3 calls in 2 sessions failed\./);
    assert.match(stdout, /^FAILED +MASKED +SESSIONS +FIRST .*\n1 +1 +2 .* gh +sig1_gh +unknown/m);
    assert.equal(stdout.includes('\u001b'), false, 'what an agent printed does not steer the terminal');
  });

  it('tells each call', async () => {
    const calls = await each();
    assert.deepEqual(
      calls.map(({ exitCode, branch, masked, command }) => [exitCode, branch, masked, command]),
      [
        [1, 'main', false, 'gh pr diff --stat'],
        [1, undefined, true, 'gh pr diff --stat'],
      ],
    );
    const { stdout } = await shell.run(['sessions', 'failures', '--each']);
    assert.match(stdout, /TIME \(UTC\) +SESSION +EXIT +MASKED +BRANCH +COMMAND +MESSAGE/);
    assert.match(stdout, /1 +masked +- +gh pr diff --stat/);
  });

  it('takes filters', async () => {
    assert.equal((await each('--since', '7d')).length, 1);
    assert.equal((await each('--since', ago(20))).length, 2);
    assert.equal((await each('--project', project)).length, 1);
    assert.equal((await each('--project', identifyProject(project).id)).length, 1);
    assert.equal((await each('--project', 'shop')).length, 1);
    assert.equal((await each('--session', 's2')).length, 1);
    assert.equal((await each('--agent', 'claude-code', '--limit', '1')).length, 1);
    for (const agent of ['cursor', 'copilot', 'codex']) assert.deepEqual(await each('--agent', agent), []);
    assert.equal((await each('--signature', 'sig1_none')).length, 0);
    assert.equal((await each('--unresolved')).length, 2);
  });

  it('says what is wrong with one', async () => {
    for (const [args, said, expected] of [
      [['--since', 'soon'], /--since soon: .*\n {2}next: .*2h, 7d/, 2],
      [['--limit', '0'], /--limit 0: /, 2],
      [['--agent', 'hal'], /agent hal: /, 2],
      [['--project', '/nowhere'], /project \/nowhere: .*\n {2}next: .*prj_/, 1],
      [['--session', 'nobody'], /session nobody: .*\n {2}next: .*oncebitten sessions/, 1],
    ] as const) {
      const { code, stderr } = await shell.run(['sessions', 'failures', ...args]);
      assert.equal(code, expected);
      assert.match(stderr, said);
    }
  });
});
