/** The contract of queries for failures. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Store } from '../../../src/base/contracts/store.ts';
import type { Call } from '../../../src/base/model/call.ts';
import { toIntentKey } from '../../../src/base/shell/intent.ts';
import type { FailureFilter } from '../../../src/base/statistics/failures.ts';
import { at, makeCall, makeFailure, makeSession, makeSignature } from './make-samples.ts';
import { makeLimits, retainAll, storeThen } from './retain-all.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

const GH = makeSignature('gh');
const LS = makeSignature('ls');

async function fill(store: Store): Promise<void> {
  await store.saveSessions([makeSession({ branch: 'main' })]);
  await store.saveCalls(
    [
      makeFailure(GH, { callId: 'c1', inputSummary: 'gh pr', program: 'gh', intentKey: 'gh pr', occurredAt: at(1) }),
      makeFailure(GH, { callId: 'c2', sessionId: 's2', projectId: 'prj_b', intentKey: 'gh pr', occurredAt: at(2) }),
      makeFailure(LS, { callId: 'c3', agent: 'codex', masked: true, occurredAt: at(3) }),
      makeCall({ callId: 'c4', outcome: 'failure', tool: 'edit', rawTool: 'Edit', occurredAt: at(4) }),
      makeCall({ callId: 'c5', intentKey: 'gh pr', occurredAt: at(5) }),
      makeCall({ callId: 'c6', outcome: 'denied', occurredAt: at(6) }),
    ],
    'observed',
  );
}

export function describeFailures(open: OpenTestStore): void {
  describe('failures', () => {
    it(
      'are counted by session, signature and place, newest first',
      withStore(open, async ({ store }) => {
        await fill(store);
        const { cells, signatures, isCut } = await store.listFailureCells({ limit: 10 });
        const own = { agent: 'claude-code', contextId: '', isHook: false, count: 1, masked: 0, objects: 1 };
        const said = { tool: 'shell', message: 'no such file x', object: 'no such file x' };
        assert.deepEqual(
          cells.map(({ object, ...cell }) => (cell.message === undefined ? cell : { ...cell, object })),
          [
            { ...own, sessionId: 's1', projectId: 'prj_a', tool: 'edit', first: at(4), last: at(4) },
            {
              ...{
                ...own,
                ...said,
                agent: 'codex',
                sessionId: 's1',
                projectId: 'prj_a',
                signatureId: LS.id,
                masked: 1,
              },
              ...{ first: at(3), last: at(3) },
            },
            {
              ...{ ...own, ...said, sessionId: 's2', projectId: 'prj_b', signatureId: GH.id, intentKey: 'gh pr' },
              ...{ first: at(2), last: at(2) },
            },
            {
              ...{ ...own, ...said, sessionId: 's1', projectId: 'prj_a', signatureId: GH.id, intentKey: 'gh pr' },
              ...{ program: 'gh', first: at(1), last: at(1) },
            },
          ],
        );
        assert.deepEqual([signatures.map(({ id }) => id), isCut], [[GH.id, LS.id], false]);
      }),
    );

    it(
      'count the files or messages that they are about; without a text, each is about another',
      withStore(open, async ({ store, query }) => {
        await store.saveCalls(
          ['no x', 'no x', 'no y'].map((message, n) => makeFailure(GH, { callId: `c${n}`, message })),
          'observed',
        );
        const read = async () => (await store.listFailureCells({ limit: 9 })).cells[0];
        const cell = await read();
        assert.deepEqual([cell?.count, cell?.objects, cell?.object, cell?.message], [3, 2, 'no x', 'no x']);
        await storeThen({ query });
        await retainAll(store, makeLimits({ textBefore: at(1), factsBefore: at(-1) }));
        const bare = await read();
        assert.deepEqual([bare?.count, bare?.objects, bare?.message, bare?.signatureId], [3, 3, undefined, GH.id]);
      }),
    );

    it(
      'are listed one by one, newest first, with their branch',
      withStore(open, async ({ store }) => {
        await fill(store);
        const calls = await store.listFailedCalls({ limit: 10 });
        assert.deepEqual(
          calls.map(({ at: time, masked }) => [time, masked]),
          [
            [at(4), false],
            [at(3), true],
            [at(2), false],
            [at(1), false],
          ],
        );
        const { id: _, ...last } = calls[3] as (typeof calls)[number];
        assert.deepEqual(last, {
          at: at(1),
          agent: 'claude-code',
          sessionId: 's1',
          projectId: 'prj_a',
          tool: 'shell',
          rawTool: 'Bash',
          program: 'gh',
          command: 'gh pr',
          exitCode: 1,
          message: 'no such file x',
          signature: GH.id,
          branch: 'main',
          masked: false,
        });
      }),
    );

    it(
      'are filtered by all parts of a filter together',
      withStore(open, async ({ store }) => {
        await fill(store);
        const times = async (filter: Partial<FailureFilter>) =>
          (await store.listFailedCalls({ limit: 10, ...filter })).map((call) => call.at);
        assert.deepEqual(await times({ projectIds: ['prj_b'] }), [at(2)]);
        assert.deepEqual(await times({ projectIds: ['prj_a', 'prj_b'], since: at(2) }), [at(4), at(3), at(2)]);
        assert.deepEqual(await times({ agent: 'codex' }), [at(3)]);
        assert.deepEqual(await times({ sessionId: 's2' }), [at(2)]);
        assert.deepEqual(await times({ signatures: [GH.id] }), [at(2), at(1)]);
        assert.deepEqual(await times({ signatures: [GH.id], sessionId: 's1' }), [at(1)]);
        assert.deepEqual(await times({ unresolved: true }), [at(4), at(3), at(2)]);
        assert.deepEqual(await times({ limit: 1 }), [at(4)]);
        assert.deepEqual(await times({ signatures: [] }), []);
        const { cells } = await store.listFailureCells({ limit: 10, unresolved: true, signatures: [GH.id] });
        assert.deepEqual(
          cells.map(({ last }) => last),
          [at(2)],
        );
      }),
    );

    it(
      'are settled by a later success of the same intent, also by a line of several commands',
      withStore(open, async ({ store }) => {
        const key = (command: string, outcome: 'failure' | 'success') =>
          toIntentKey({ tool: 'shell', rawTool: 'Bash', command, outcome });
        const shell = (callId: string, command: string, outcome: 'failure' | 'success', minute: number) =>
          makeCall({ callId, outcome, intentKey: key(command, outcome), occurredAt: at(minute), exitCode: 1 });
        await store.saveCalls(
          [
            shell('c1', 'git push', 'failure', 1),
            shell('c2', 'npm run deploy', 'failure', 2),
            shell('c3', 'make docs', 'failure', 3),
            shell('c4', 'npm run seed', 'failure', 4),
            shell('c5', 'git commit -m x && git push && npm run deploy', 'success', 5),
            shell('c6', 'make docs', 'success', 6),
            shell('c7', 'git push', 'failure', 7),
            shell('c8', 'git status && npm run publish && npm run seed', 'failure', 8),
          ],
          'observed',
        );
        const expected = [at(4), at(7), at(8)];
        assert.deepEqual(
          (await store.readUnsettled('prj_a', at(0))).failures.map((failure) => failure.at),
          expected,
        );
        const failures = await store.listFailedCalls({ limit: 9, unresolved: true });
        assert.deepEqual(failures.map((failure) => failure.at).reverse(), expected);
      }),
    );

    it(
      'are separate from refusals of hooks and rules, which any later call of the intent that ran settles',
      withStore(open, async ({ store }) => {
        const make = (callId: string, command: string, minute: number, more: Partial<Call>) => {
          const outcome = more.outcome ?? 'denied';
          const intentKey = toIntentKey({ tool: 'shell', rawTool: 'Bash', command, outcome });
          return makeCall({ callId, outcome, intentKey, inputSummary: command, occurredAt: at(minute), ...more });
        };
        await store.saveCalls(
          [
            make('c1', 'git commit -m x', 1, { outcomeType: 'hook-denial', outputSummary: 'no' }),
            make('c2', 'git add . && git commit -m x', 2, { outcomeType: 'told-hook-denial' }),
            make('c3', 'git add .', 3, { outcome: 'success' }),
            make('c4', 'rm -rf build', 4, { outcomeType: 'rule-denial' }),
            make('c5', 'npm publish', 5, { outcomeType: 'own-refusal' }),
            make('c6', 'npm version', 6, { outcomeType: 'user-refusal' }),
            make('c7', 'git push', 7, { outcomeType: 'hook-denial' }),
            make('c8', 'git push', 8, { outcome: 'failure', exitCode: 1 }),
          ],
          'observed',
        );
        const told = (await store.readUnsettled('prj_a', at(0))).refusals;
        assert.deepEqual(
          told.map(({ at: when, by, command, intents }) => [when, by, command, intents]),
          [
            [at(1), 'hook', 'git commit -m x', ['shell git commit']],
            [at(2), 'hook', 'git add . && git commit -m x', ['shell git commit']],
            [at(4), 'rule', 'rm -rf build', ['shell rm']],
          ],
        );
        assert.equal(told[0]?.output, 'no');
        assert.equal((await store.readUnsettled('prj_a', at(3))).refusals.length, 1);
        assert.deepEqual((await store.readUnsettled('prj_b', at(0))).refusals, []);
        const failures = (await store.readUnsettled('prj_a', at(0))).failures.map((failure) => failure.at);
        assert.deepEqual(failures, [at(8)]);
        await store.markSurfaced(
          told.map(({ id }) => id),
          at(9),
        );
        assert.deepEqual((await store.readUnsettled('prj_a', at(0))).refusals, []);
      }),
    );

    it(
      'of hooks are listed with those of calls, unless the hook refused on purpose',
      withStore(open, async ({ store }) => {
        const hook = { tool: 'other', rawTool: 'hook:PostToolUse:Bash', outcome: 'failure' } as const;
        const inputSummary = '{"hook":"PostToolUse:Bash","command":"my-linter"}';
        await store.saveCalls(
          [
            makeCall({ ...hook, callId: 'h1', inputSummary, exitCode: 127, occurredAt: at(2) }),
            makeCall({ ...hook, callId: 'h2', inputSummary, occurredAt: at(3) }),
            makeFailure(GH, { callId: 'c1', intentKey: 'gh pr', occurredAt: at(1) }),
          ],
          'observed',
        );
        const told = (await store.readUnsettled('prj_a', at(0))).failures;
        assert.deepEqual(
          told.map((failure) => [failure.at, failure.hook]),
          [
            [at(1), undefined],
            [at(2), 'PostToolUse:Bash'],
          ],
        );
        await store.markSurfaced(
          told.map(({ id }) => id),
          at(4),
        );
        assert.deepEqual((await store.readUnsettled('prj_a', at(0))).failures, []);
      }),
    );
  });
}
