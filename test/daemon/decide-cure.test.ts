/** A failure is known in the main thread by the same signature as in the store, and told within bounds. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Cure } from '../../src/base/model/cure.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { toSignedFailure } from '../../src/capture/calls/to-calls.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { IN_MEMORY } from '../../src/keep/store/store-address.ts';
import { type CureContext, decideCure } from '../../src/loop/delivery/known-failures.ts';
import { listCuredFailures, readKnowledge } from '../../src/loop/delivery/read-knowledge.ts';
import { makeDigester } from '../../src/loop/digest-events.ts';
import { openCuredFailures } from '../../src/match/cure-book.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { at, makeDelivery, makeSession } from '../contracts/store/make-samples.ts';

const ERROR = 'unknown flag: --stat';

function makeEvent(fields: { command?: string; text?: string; sessionId?: string; callId?: string } = {}) {
  const { command = 'gh pr diff 7 --stat', text = ERROR, sessionId = 's2', callId = 'c1' } = fields;
  return {
    ...{ kind: 'call-ended', agent: 'claude-code', sessionId, contextId: '', at: at(0), source: 'hook', cwd: '/repo' },
    ...{ callId, tool: 'shell', rawTool: 'Bash', input: { command, json: JSON.stringify({ command }) } },
    result: { isError: true, exitCode: 1, text },
  } satisfies EventOf<'call-ended'>;
}

describe('the signature of a failure, made while an agent waits', () => {
  it('is the one that the worker stores, also where the texts contain secrets', async () => {
    const scan = makeSecretScan({ log: () => {} });
    const secret = 'hunter2-Zq81xKw0';
    const events = [
      makeEvent(),
      makeEvent({ command: `mysql -uroot -p${secret} shop`, text: `ERROR 1045: Access denied for ${secret}` }),
      makeEvent({ command: `curl -H "Authorization: Bearer ${secret}" x`, text: `error: token ${secret} rejected` }),
      makeEvent({ command: 'vault kv get secret/shop', text: `error: cannot read\n${secret}` }),
      makeEvent({ text: `${'a line of output\n'.repeat(3000)}${ERROR}\n${'another line\n'.repeat(3000)}` }),
      makeEvent({ command: 'npm test 2>&1 | tail -5', text: 'npm error Missing script: "test"' }),
    ];
    for (const [n, event] of events.entries()) {
      const digest = makeDigester({ trackedTools: () => ['shell'], scan });
      const [call] = (await digest([event])).calls.observed;
      const signed = toSignedFailure(event, event, 'prj_1');
      assert.equal(signed?.signature?.id, call?.signature?.id, String(n));
      assert.doesNotMatch(JSON.stringify(signed), new RegExp(secret));
    }
  });

  it('is not made for a call that did not fail', () => {
    const event = makeEvent({ command: 'grep nothing a.txt', text: '' });
    assert.equal(toSignedFailure(event, event, 'prj_1'), undefined);
  });
});

describe('a known fix', () => {
  let dir: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-cure-')));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const event = makeEvent();
  const signatureId = toSignedFailure(event, event, '')?.signature?.id ?? '';
  const cure: Cure = {
    ...{
      agent: 'claude-code',
      sessionId: 's1',
      projectId: 'prj_a',
      failingCallId: 'f',
      fixingCallId: 'g',
      signatureId,
    },
    ...{ kind: 'edit', text: 'replace `--stat` with `--name-only`', at: at(0) },
  };
  const decide = (
    asked: Parameters<typeof decideCure>[0],
    { settings = {}, ...context }: Partial<CureContext> & { settings?: Partial<Settings> } = {},
  ) => {
    const input = { lessons: [], settings: { ...DEFAULT_SETTINGS, ...settings }, generatedAt: at(0) };
    return decideCure(asked, {
      ...{ manifest: openManifest(compileManifest(input)) ?? assert.fail(), claimsDir: join(dir, 'claims') },
      ...{
        projectId: 'prj_a',
        switches: { pauses: [], mutes: [] },
        probe: false,
        elapsedUs: () => 0,
        knownFixes: 'all',
      },
      failures: openCuredFailures([{ projectId: 'prj_a', signatureId, cures: [cure], lessons: [] }]),
      ...context,
    });
  };

  it('is not looked up for a call that worked', () => {
    const failures = { has: () => assert.fail(), find: () => assert.fail() };
    assert.equal(decide({ ...event, result: { isError: false, text: ERROR } }, { failures }), undefined);
  });

  it('is told in its project only, in time, within the budget, and not when it is muted', () => {
    assert.equal(decide(event, { projectId: 'prj_b' }), undefined);
    assert.equal(decide(event, { elapsedUs: () => 10_000_000 }), undefined);
    assert.equal(decide(event, { settings: { injectionBudgetBytes: 20 } }), undefined);
    const mutes = [{ lessonId: `cure_${signatureId}` }];
    assert.equal(decide(event, { switches: { pauses: [], mutes } }), undefined);
    const { reply, deliveries = [] } = decide(event) ?? {};
    assert.deepEqual([reply?.kind, reply?.to], ['note', 'call-ended']);
    assert.deepEqual(
      deliveries.map(({ kind, lessonId, callId, arm }) => [kind, lessonId, callId, arm]),
      [['failure', `cure_${signatureId}`, 'c1', 'shown']],
    );
    assert.equal(decide(makeEvent({ callId: 'c2' })), undefined, 'once');
  });

  it('is told to a probe every time, and nothing is recorded', () => {
    for (const _ of [1, 2]) {
      const told = decide(event, { probe: true });
      assert.deepEqual([told?.reply?.kind, told?.deliveries], ['note', []]);
    }
    assert.notEqual(decide(event)?.reply, undefined);
  });

  it('is told once in a session where the user wants that', () => {
    const settings = { dedup: 'session' as const };
    assert.notEqual(decide({ ...event, contextId: 'sub1' }, { settings })?.reply, undefined);
    assert.equal(decide(event, { settings }), undefined);
  });
});

describe('the known fixes that the daemon is sent', () => {
  const cure: Cure = {
    ...{ agent: 'claude-code', sessionId: 's1', projectId: 'prj_a', failingCallId: 'f', fixingCallId: 'g' },
    ...{ signatureId: 'sig_1', kind: 'edit', text: 'replace `--stat` with `--name-only`', at: at(1) },
  };

  it('leave out those that did not help two times, unless they helped more often', async () => {
    const store = await openSqliteStore(IN_MEMORY);
    await store.saveSessions([makeSession({ projectId: 'prj_a' })]);
    await store.saveCures([cure, { ...cure, failingCallId: 'f2', signatureId: 'sig_2' }]);
    const use = async (n: number, outcome: 'clean' | 'ignored', more: object = {}): Promise<void> => {
      const ids = { id: `dlv_${n}`, callId: `call_${n}`, kind: 'failure', lessonId: 'cure_sig_1' } as const;
      await store.saveDelivery(makeDelivery({ ...ids, outcome, outcomeAt: at(5), ...more }));
    };
    const list = async () => (await readKnowledge(store, DEFAULT_SETTINGS)).cures.map((one) => one.signatureId).sort();
    await use(1, 'ignored');
    await use(2, 'ignored', { arm: 'holdout' });
    assert.deepEqual(await list(), ['sig_1', 'sig_2']);
    await use(3, 'ignored');
    assert.deepEqual(await list(), ['sig_2']);
    for (const n of [4, 5, 6]) await use(n, 'clean');
    assert.deepEqual(await list(), ['sig_1', 'sig_2']);
    const [one] = (await listCuredFailures(store, DEFAULT_SETTINGS)).filter(
      ({ signatureId }) => signatureId === 'sig_1',
    );
    assert.equal(one?.withheld, DEFAULT_SETTINGS.holdout.share, 'after five deliveries');
    const delivery = { ...DEFAULT_SETTINGS.delivery, knownFixes: false };
    assert.deepEqual((await readKnowledge(store, { ...DEFAULT_SETTINGS, delivery })).cures, []);
    await store.close();
  });

  it('are those of all folders of a project, under its one id', async () => {
    const store = await openSqliteStore(IN_MEMORY);
    for (const id of ['prj_a', 'prj_b']) await store.saveProjects([{ id, name: id, basis: 'path', root: `/${id}` }]);
    await store.saveCures([cure, { ...cure, projectId: 'prj_b', sessionId: 's2', failingCallId: 'f2' }]);
    await store.joinProjects('prj_a', 'prj_b', { at: at(2), dryRun: false });
    const { cures } = await readKnowledge(store, DEFAULT_SETTINGS);
    assert.deepEqual(
      cures.map(({ projectId, cures: own }) => [projectId, own.length]),
      [['prj_b', 2]],
    );
    await store.close();
  });
});
