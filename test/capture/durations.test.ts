import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toDuration } from '../../src/base/model/call.ts';
import type { AgentEvent, CallResult, EventOf, EventOrigin } from '../../src/base/model/event.ts';
import { makeCallFollower } from '../../src/capture/calls/to-calls.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

function origin(second: number, fields: Partial<EventOrigin> = {}): EventOrigin {
  return { agent: 'a', sessionId: 's', contextId: '', at: at(second), source: 'hook', ...fields };
}

const CALL = { tool: 'shell', rawTool: 'Bash', input: { command: 'ls', json: '{"command":"ls"}' } } as const;

function start(callId: string, second: number, fields?: Partial<EventOrigin>): AgentEvent {
  return { ...origin(second, fields), kind: 'call-started', callId, ...CALL };
}

function end(callId: string, second: number, result: Partial<CallResult> = {}, fields?: Partial<EventOrigin>) {
  return {
    ...origin(second, fields),
    kind: 'call-ended',
    callId,
    ...CALL,
    result: { isError: false, text: '', ...result },
  } as const;
}

/** Call id -> duration and its source. */
function toDurations(events: readonly AgentEvent[]): Record<string, string> {
  const ends = events.filter((event) => event.kind === 'call-ended');
  return Object.fromEntries(
    ends.map(({ callId, result }) => {
      const { durationMs, durationSource } = toDuration(result);
      return [callId, durationMs === undefined ? '' : `${durationMs} ${durationSource}`];
    }),
  );
}

const follow = (...events: readonly AgentEvent[]) => toDurations(makeCallFollower().follow(events));

describe('the duration of a call', () => {
  it("is the agent's figure, whatever else is known", () => {
    assert.deepEqual(follow(start('c', 0), end('c', 5, { durationMs: 37 })), { c: '37 agent' });
  });

  it('is otherwise the time from start to end, by call id, also for parallel calls', () => {
    const told = follow(start('a', 0), start('b', 1), end('b', 3), end('a', 9));
    assert.deepEqual(told, { b: '2000 paired', a: '9000 paired' });
  });

  it('is otherwise the time since the previous call of the context, an estimate, if under five minutes', () => {
    const told = follow(end('a', 0), end('b', 4), end('c', 304), end('d', 5, {}, { contextId: 'sub' }));
    assert.deepEqual(told, { a: '', b: '4000 gap', c: '', d: '' });
    assert.deepEqual(follow(end('a', 0), end('b', 0)), { a: '', b: '' });
  });

  it('is unknown while it runs in the background, and known from its end', () => {
    const follower = makeCallFollower();
    assert.deepEqual(toDurations(follower.follow([start('c', 0), end('c', 1, { background: true })])), { c: '' });
    const told: EventOf<'background-ended'> = {
      ...origin(9, { contextId: 'elsewhere' }),
      kind: 'background-ended',
      callId: 'c',
      ...CALL,
      input: { json: '' },
      result: { isError: true, exitCode: 3, text: '' },
    };
    const [ended] = follower.follow([told]);
    assert.ok(ended?.kind === 'background-ended');
    assert.deepEqual([ended.result.pairedMs, ended.input, ended.contextId], [9000, CALL.input, '']);
  });

  it('is never negative and never invented if a clock goes backwards', () => {
    assert.deepEqual(follow(end('a', 100), start('b', 90), end('b', 50)), { a: '', b: '' });
    const calls = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean(), fc.integer({ min: -500, max: 500 })));
    fc.assert(
      fc.property(calls, (told) => {
        const events = told.map(([id, isStart, second]) => (isStart ? start(id, second) : end(id, second)));
        const ended = makeCallFollower()
          .follow(events)
          .filter((event) => event.kind === 'call-ended');
        assert.equal(ended.length, told.filter(([, isStart]) => !isStart).length);
        for (const { result } of ended) assert.ok((toDuration(result).durationMs ?? 0) >= 0);
      }),
    );
    assert.deepEqual(toDuration({ isError: false, text: '', durationMs: -5 }), {});
  });
});

describe('a call that was running when its session ended', () => {
  const over: AgentEvent = { ...origin(60), kind: 'session-ended', reason: 'other' };
  const unended = (...events: readonly AgentEvent[]) =>
    makeCallFollower()
      .follow([...events, over])
      .filter((event) => event.kind === 'call-ended' && event.result.unended === true)
      .map((event) => (event.kind === 'call-ended' ? event.callId : ''));

  it('is reported, with its start time', () => {
    const [event] = makeCallFollower().follow([start('c', 0), over]);
    assert.equal(event?.kind, 'call-started');
    assert.deepEqual(unended(start('c', 0), start('d', 1), end('c', 2)), ['d']);
  });

  it('is not invented for a call whose end was reported by any source, early or late', () => {
    const batch: AgentEvent = { ...origin(3), kind: 'batch-ended', calls: [end('c', 3)] };
    assert.deepEqual(unended(start('c', 0), batch), []);
    assert.deepEqual(unended(end('c', 2), start('c', 0)), []);
    assert.deepEqual(unended(start('c', 0), end('c', 2, {}, { source: 'transcript' })), []);
  });

  it('is not mixed up with one of another session', () => {
    assert.deepEqual(unended(start('c', 0, { sessionId: 'other' })), []);
  });

  it('is forgotten if there are too many', () => {
    const follower = makeCallFollower();
    for (let n = 0; n < 6000; n++) follower.follow([start(`c${n}`, 0)]);
    assert.ok(follower.follow([over]).length <= 5001);
  });
});
