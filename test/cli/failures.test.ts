import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FailedCall } from '../../src/base/statistics/failures.ts';
import { toLineSignature } from '../../src/base/text/signature.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import type { KnownFailure, LeftOut } from '../../src/loop/measuring/failure-list.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { renderFailureTitle } from '../../src/surfaces/cli/sessions/failures.ts';
import {
  makeCall,
  makeChange,
  makeFailure,
  makeLesson,
  makeProject,
  makeSession,
  makeSignature,
} from '../contracts/store/make-samples.ts';
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

  const list = (...args: string[]) => shell.list<KnownFailure>('sessions', 'failures', ...args);
  const each = (...args: string[]) => shell.list<FailedCall>('sessions', 'failures', '--each', ...args);

  it('tells what worked afterwards, in most sessions', async () => {
    const [group] = await list();
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

  it('counts the failures that another call would not fix, and lists them with --all', async () => {
    const other = openShell();
    const store = await openSqliteStore(join(other.dataDir, 'oncebitten.db'));
    const red = { ...makeSignature('go'), template: '--- FAIL: TestPay' };
    await store.saveCalls(
      [
        makeFailure(GH, { callId: 'c1' }),
        makeFailure(red, { callId: 'c2', message: '--- FAIL: TestPay' }),
        makeFailure(red, { callId: 'c3', sessionId: 's2', message: '--- FAIL: TestPay' }),
        makeCall({ callId: 'c4', outcome: 'failure', exitCode: 1, program: 'x' }),
      ],
      'observed',
    );
    await store.saveLesson(makeLesson({ signatureId: GH.id }), makeChange('new'));
    const read = (...args: string[]) =>
      other.json<{ items: KnownFailure[]; total: number; leftOut: LeftOut }>('sessions', 'failures', ...args);
    const few = await read();
    assert.deepEqual([few.total, few.leftOut], [1, { verdict: 2, status: 1 }]);
    assert.deepEqual(few.items[0]?.lesson, {
      ...{ id: 'les_1', slug: 'gh-pr-diff-stat-x7k2', summary: 'gh pr diff has no --stat', status: 'active' },
    });
    const { stdout } = await other.run(['sessions', 'failures']);
    assert.match(stdout, /2 failed tests.*, 1 exit code without a message\. List them, too: --all/);
    const all = await read('--all');
    assert.deepEqual([all.items.map((kind) => kind.class), all.leftOut], [['verdict', 'command', 'status'], {}]);
    assert.equal((await read('--signature', red.id)).items[0]?.class, 'verdict', 'who names one sees it');
    await store.saveLesson(makeLesson({ id: 'les_2', slug: 'pay-x7k2', signatureId: red.id }), makeChange('new'));
    assert.deepEqual((await read()).leftOut, { status: 1 }, 'what a lesson is about is listed');
    await store.close();
    await other.close();
  });

  it('shows what is known in the project, and a message that the known fix got past', async () => {
    const other = openShell();
    const store = await openSqliteStore(join(other.dataDir, 'oncebitten.db'));
    const field = toLineSignature('gh', 'Unknown JSON field: "actor"');
    await store.saveProjects(['prj_a', 'prj_b'].map((id) => makeProject({ id, name: id, root: `/gone/${id}` })));
    await store.saveCalls(
      [
        makeFailure(field, { callId: 'c1', message: 'Unknown JSON field: "actor"' }),
        makeFailure(field, { callId: 'c2', sessionId: 's2', message: 'Unknown JSON field: "owner"' }),
        makeFailure(field, {
          callId: 'c3',
          sessionId: 's3',
          projectId: 'prj_b',
          message: 'Unknown JSON field: "actor"',
        }),
      ],
      'observed',
    );
    const cured = {
      agent: 'claude-code',
      sessionId: 's2',
      projectId: 'prj_a',
      failingCallId: 'c2',
      fixingCallId: 'ok',
    };
    await store.saveCures([
      { ...cured, signatureId: field.id, kind: 'edit', text: 'replace `owner` with `author`', at: ago(1) },
    ]);
    const scope = { kind: 'project', id: 'prj_a' } as const;
    await store.saveLesson(makeLesson({ signatureId: field.id, scope }), makeChange('new'));
    await store.close();
    const read = async (...args: string[]) => (await other.list<KnownFailure>('sessions', 'failures', ...args))[0];
    const all = await read();
    assert.deepEqual([all?.times, all?.message], [3, 'Unknown JSON field: "owner"']);
    assert.deepEqual([all?.cure?.text, all?.lesson?.id], ['replace `owner` with `author`', 'les_1']);
    const [here, elsewhere] = [await read('--project', 'prj_a'), await read('--project', 'prj_b')];
    assert.deepEqual([here?.times, here?.cure?.sessions, here?.lesson?.id], [2, 1, 'les_1']);
    assert.deepEqual([elsewhere?.times, elsewhere?.cure, elsewhere?.lesson], [1, null, null]);
    await other.close();
  });

  it('shows every call of a kind, whichever of its signatures is named', async () => {
    const other = openShell();
    const store = await openSqliteStore(join(other.dataDir, 'oncebitten.db'));
    const forms = ['alpha', 'beta', 'gamma'].map((name) =>
      toLineSignature('deploy', `cannot reach the shard called ${name} in this zone`),
    );
    await store.saveCalls(
      forms.map((form, n) => makeFailure(form, { callId: `c${n}`, sessionId: `s${n}` })),
      'observed',
    );
    await store.close();
    const [kind, ...others] = await other.list<KnownFailure>('sessions', 'failures');
    assert.deepEqual([kind?.times, kind?.sessions, kind?.laterRepeats, others.length], [3, 3, 2, 0]);
    for (const { id } of forms) {
      const calls = await other.list<FailedCall>('sessions', 'failures', '--each', '--signature', id);
      assert.equal(calls.length, 3);
    }
    await other.close();
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

describe('the title of a failure', () => {
  for (const [program, message, expected] of [
    ['gh', 'unknown flag: --stat', 'gh: unknown flag: --stat'],
    ['tsc', '/bin/bash: line 1: tsc: command not found', 'tsc: command not found'],
    ['go', 'bash: go: command not found', 'go: command not found'],
    ['ls', 'zsh:1: no matches found: *.md', 'ls: no matches found: *.md'],
    ['ls', '(eval):1: no matches found: *.md', 'ls: no matches found: *.md'],
    ['dash', 'sh: 1: dash: not found', 'dash: not found'],
    ['other', 'Unknown skill: commit', 'Unknown skill: commit'],
    ['x', undefined, 'x: no message'],
  ] as const)
    it(`names the program once, without the place in a shell: ${message}`, () =>
      assert.equal(
        renderFailureTitle({ program, isHook: false, ...(message === undefined ? {} : { message }) }),
        expected,
      ));
});
