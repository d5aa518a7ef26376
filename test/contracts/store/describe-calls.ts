/** The contract of calls: one row each, which report wins, and the order in which they are returned. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Call, StoredCall } from '../../../src/base/model/call.ts';
import { at, makeCall, makeFailure, makeFullCall, makeSignature } from './make-samples.ts';
import { type OpenTestStore, withStore } from './test-store.ts';

export function describeCalls(open: OpenTestStore): void {
  describe('saving calls', () => {
    it(
      'returns exactly the saved fields',
      withStore(open, async ({ store }) => {
        const calls = [makeFullCall(), makeCall({ callId: 'c2', occurredAt: at(1) })];
        assert.equal(await store.saveCalls(calls, 'observed'), 2);
        assert.deepEqual((await store.listCalls({})).map(withoutIds), calls);
      }),
    );

    it(
      'saves nothing for an empty batch',
      withStore(open, async ({ store }) => {
        assert.equal(await store.saveCalls([], 'observed'), 0);
        assert.deepEqual(await store.listCalls({}), []);
      }),
    );

    it(
      'keeps one row and one id for a call, however often it is reported',
      withStore(open, async ({ store }) => {
        assert.equal(await store.saveCalls([makeCall(), makeCall()], 'observed'), 1);
        const [first] = await store.listCalls({});
        assert.equal(await store.saveCalls([makeCall({ exitCode: 0 })], 'observed'), 0);
        assert.equal(await store.saveCalls([makeCall()], 'hearsay'), 0);
        assert.deepEqual(await store.listCalls({}), [{ ...first, exitCode: 0 }]);
      }),
    );

    it(
      'separates calls of different agents, sessions and call ids',
      withStore(open, async ({ store }) => {
        const calls = [
          makeCall(),
          makeCall({ agent: 'codex' }),
          makeCall({ sessionId: 's2' }),
          makeCall({ callId: 'c2' }),
        ];
        assert.equal(await store.saveCalls(calls, 'observed'), 4);
      }),
    );

    it(
      'lets observed facts win and keeps fields that they lack',
      withStore(open, async ({ store }) => {
        await store.saveCalls([makeCall({ outcome: 'partial', durationMs: 5, program: 'ls' })], 'hearsay');
        await store.saveCalls([makeCall({ outcome: 'success', durationMs: 7, exitCode: 0 })], 'observed');
        const expected = makeCall({ outcome: 'success', durationMs: 7, exitCode: 0, program: 'ls' });
        assert.deepEqual((await store.listCalls({})).map(withoutIds), [expected]);
      }),
    );

    it(
      'lets the later of two reports in one batch win the same way',
      withStore(open, async ({ store }) => {
        await store.saveCalls([makeCall({ exitCode: 1, program: 'ls' }), makeCall({ exitCode: 2 })], 'observed');
        assert.deepEqual((await store.listCalls({})).map(withoutIds), [makeCall({ exitCode: 2, program: 'ls' })]);
      }),
    );

    it(
      'adds only unknown calls from hearsay, the first report of each',
      withStore(open, async ({ store }) => {
        await store.saveCalls([makeCall({ exitCode: 0 })], 'observed');
        const told = [
          makeCall({ exitCode: 9, program: 'x' }),
          makeCall({ callId: 'c2' }),
          makeCall({ callId: 'c2', exitCode: 1 }),
        ];
        assert.equal(await store.saveCalls(told, 'hearsay'), 1);
        const expected = [makeCall({ exitCode: 0 }), makeCall({ callId: 'c2' })];
        assert.deepEqual((await store.listCalls({})).map(withoutIds), expected);
      }),
    );

    it(
      'keeps one row of a call that is reported many times at once',
      withStore(open, async ({ store }) => {
        const call = makeFailure(makeSignature('gh'));
        const added = await Promise.all(Array.from({ length: 12 }, () => store.saveCalls([call], 'observed')));
        assert.equal(
          added.reduce((sum, n) => sum + n),
          1,
        );
        assert.equal((await store.listCalls({})).length, 1);
      }),
    );

    it(
      'saves a batch of thousands, and again without a new row',
      withStore(open, async ({ store }) => {
        const calls = Array.from({ length: 2_100 }, (_, i) => makeCall({ callId: `c${i}`, occurredAt: at(i) }));
        assert.equal(await store.saveCalls(calls, 'observed'), 2_100);
        assert.equal(await store.saveCalls(calls, 'observed'), 0);
        assert.deepEqual((await store.listCalls({})).map(withoutIds), calls);
      }),
    );

    it(
      'saves nothing of a batch when one call of it cannot be saved, and names the cause',
      withStore(open, async ({ store, query }) => {
        const broken = { ...makeCall({ callId: 'c2' }), occurredAt: undefined } as unknown as Call;
        const batch = [makeFailure(makeSignature('gh')), broken];
        await assert.rejects(store.saveCalls(batch, 'observed'), (error: Error) => {
          assert.match(error.message, /saveCalls failed: .*null/i);
          return error.cause instanceof Error;
        });
        assert.deepEqual(await store.listCalls({}), []);
        assert.deepEqual(await query('select * from signatures'), []);
        assert.equal(await store.saveCalls([makeCall()], 'observed'), 1);
      }),
    );

    it(
      'keeps very long text, and drops characters that an engine cannot store',
      withStore(open, async ({ store }) => {
        const message = '長い'.repeat(500_000);
        await store.saveCalls(
          [makeCall({ callId: 'a\0b', message, program: 'x\0', inputSummary: '\ud800!' })],
          'observed',
        );
        assert.equal(await store.saveCalls([makeCall({ callId: 'ab' })], 'hearsay'), 0);
        const [call] = await store.listCalls({ program: 'x\0' });
        const expected = makeCall({ callId: 'ab', message, program: 'x', inputSummary: '\ufffd!' });
        assert.deepEqual(call && withoutIds(call), expected);
      }),
    );
  });

  describe('the order of calls', () => {
    it(
      'is by time, and by report if the time is the same',
      withStore(open, async ({ store }) => {
        const order = ['c3', 'c1', 'c2'].map((callId) => makeCall({ callId }));
        await store.saveCalls([...order, makeCall({ callId: 'late', occurredAt: at(9) })], 'observed');
        await store.saveCalls(
          [makeCall({ callId: 'c0' }), makeCall({ callId: 'early', occurredAt: at(-1) })],
          'observed',
        );
        assert.deepEqual(toCallIds(await store.listCalls({})), ['early', 'c3', 'c1', 'c2', 'c0', 'late']);
      }),
    );

    it(
      'is by time in any format of the agent',
      withStore(open, async ({ store }) => {
        const times = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.1Z', '2026-01-01T01:00:00.123456+01:00'];
        const calls = times.map((occurredAt, i) => makeCall({ callId: `c${i}`, occurredAt }));
        await store.saveCalls(calls.toReversed(), 'observed');
        assert.deepEqual(toCallIds(await store.listCalls({})), ['c0', 'c1', 'c2']);
      }),
    );

    it(
      'keeps the newest when limited, still oldest first',
      withStore(open, async ({ store }) => {
        await store.saveCalls(
          [1, 2, 3, 4].map((n) => makeCall({ callId: `c${n}`, occurredAt: at(n) })),
          'observed',
        );
        assert.deepEqual(toCallIds(await store.listCalls({ limit: 2 })), ['c3', 'c4']);
        assert.deepEqual(await store.listCalls({ limit: 0 }), []);
      }),
    );

    it(
      'is filtered by all parts of a filter together',
      withStore(open, async ({ store }) => {
        const asked = { agent: 'codex', sessionId: 's2', contextId: 'sub', projectId: 'prj_b', program: 'ls' };
        const all = makeCall({ ...asked, callId: 'all' });
        const near = Object.keys(asked).map((key) => makeCall({ ...asked, callId: key, [key]: 'else' }));
        await store.saveCalls([all, ...near], 'observed');
        assert.deepEqual(toCallIds(await store.listCalls(asked)), ['all']);
        assert.equal((await store.listCalls({ agent: 'codex' })).length, 5);
      }),
    );

    it(
      'links each call to the one before it in its context, though they arrive late and out of order',
      withStore(open, async ({ store }) => {
        const call = (n: number, contextId = '') => makeCall({ callId: `c${n}`, contextId, occurredAt: at(n) });
        await store.saveCalls([call(5), call(1), call(2, 'sub')], 'observed');
        await store.saveCalls([call(3)], 'hearsay');
        await store.saveCalls(
          [call(4, 'sub'), makeCall({ callId: 'x', sessionId: 's2', occurredAt: at(2) })],
          'observed',
        );
        const links = { c1: '', x: '', c2: '', c3: 'c1', c4: 'c2', c5: 'c3' };
        assert.deepEqual(toLinks(await store.listCalls({})), links);

        await store.saveCalls([{ ...call(3), contextId: 'sub' }], 'observed');
        assert.deepEqual(toLinks(await store.listCalls({})), { ...links, c3: 'c2', c4: 'c3', c5: 'c1' });
      }),
    );

    it(
      'links calls of one session that are saved at the same time',
      withStore(open, async ({ store }) => {
        const calls = Array.from({ length: 10 }, (_, n) => makeCall({ callId: `c${n}`, occurredAt: at(n) }));
        await Promise.all(calls.map((call) => store.saveCalls([call], 'observed')));
        const links = calls.map(({ callId }, n) => [callId, n === 0 ? '' : `c${n - 1}`]);
        assert.deepEqual(toLinks(await store.listCalls({})), Object.fromEntries(links));
      }),
    );
  });

  describe('any reports of the same calls', () => {
    it(
      'give the same rows, in whatever order, batches and repetition they come',
      withStore(open, async ({ store, query }) => {
        let run = 0;
        const property = fc.asyncProperty(tellings, async ({ calls, told }) => {
          const sessionId = `run-${run++}`;
          const own = (call: Call) => ({ ...call, sessionId });
          let added = 0;
          for (const batch of told) added += await store.saveCalls(batch.map(own), 'observed');
          const stored = await store.listCalls({ sessionId });
          assert.equal(added, calls.length);
          assert.deepEqual(stored.map(withoutIds), calls.map(own));
          assert.deepEqual(toLinks(stored), toExpectedLinks(calls));
        });
        await fc.assert(property, { numRuns: 40 });
        const [row] = await query(`select count(*) as n from tool_outcomes where outcome = 'failure'`);
        const [sum] = await query('select sum(count) as n from signatures');
        assert.equal(Number(sum?.n ?? 0), row?.n);
      }),
    );
  });
}

const storableText = fc.string({ unit: 'grapheme', maxLength: 40 });

const callFields = fc.record(
  {
    contextId: fc.constantFrom('', 'sub'),
    outcome: fc.constantFrom('success', 'partial', 'cancelled', 'denied'),
    masked: fc.boolean(),
    signature: fc.constantFrom(makeSignature('gh'), makeSignature('ls')),
    message: storableText,
    exitCode: fc.integer(),
    program: storableText,
    durationMs: fc.nat(),
  },
  { requiredKeys: ['contextId', 'outcome', 'masked'] },
);

/** Calls oldest first, and batches in which each of them stands at least once. */
const tellings = fc
  .array(callFields, { minLength: 1, maxLength: 8 })
  .map((list) => list.map(toGeneratedCall))
  .chain((calls) =>
    fc.record({
      calls: fc.constant(calls),
      told: fc
        .tuple(
          fc.shuffledSubarray(calls),
          fc.shuffledSubarray(calls, { minLength: calls.length }),
          fc.nat(calls.length),
        )
        .map(([some, all, cut]) => [some, all.slice(0, cut), [...all.slice(cut), ...some], all]),
    }),
  );

function toGeneratedCall(fields: Partial<Call>, n: number): Call {
  const outcome = fields.signature ? 'failure' : (fields.outcome ?? 'success');
  return makeCall({ ...fields, outcome, callId: `c${n}`, occurredAt: at(n) });
}

function withoutIds({ id: _, precedingId: __, ...call }: StoredCall): Call {
  return call;
}

function toCallIds(calls: readonly StoredCall[]): string[] {
  return calls.map((call) => call.callId);
}

/** Call id -> call id of the one before, empty for none. */
function toLinks(calls: readonly StoredCall[]): Record<string, string> {
  const names = new Map(calls.map((call) => [call.id, call.callId]));
  return Object.fromEntries(calls.map((call) => [call.callId, names.get(call.precedingId ?? '') ?? '']));
}

function toExpectedLinks(calls: readonly Call[]): Record<string, string> {
  const links = calls.map((call, n) => {
    const before = calls.slice(0, n).findLast((other) => other.contextId === call.contextId);
    return [call.callId, before?.callId ?? ''];
  });
  return Object.fromEntries(links);
}
