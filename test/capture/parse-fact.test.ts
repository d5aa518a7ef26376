import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Delivery } from '../../src/base/model/delivery.ts';
import { FACT_VERSION } from '../../src/base/model/fact.ts';
import { parseFact } from '../../src/capture/journal/read-facts.ts';
import { makeFact } from './make-fact.ts';

const ORIGIN = { v: FACT_VERSION, agent: 'claude-code', sessionId: 'one', at: '2026-01-01T00:00:00.000Z' };
const DELIVERY: Delivery = {
  id: 'dlv_1',
  kind: 'call',
  lessonId: 'les_1',
  agent: 'claude-code',
  sessionId: 'one',
  contextId: '',
  callId: 'c',
  mode: 'note',
  arm: 'shown',
  score: 1,
  bytes: 10,
  latencyUs: 10,
  deliveredAt: ORIGIN.at,
};
const FACTS = [
  makeFact('a'),
  { ...makeFact('b', { exitCode: 1, outcome: 'failure', durationMs: 5, durationSource: 'agent' }), how: 'hearsay' },
  { ...ORIGIN, kind: 'seen', cwd: '/x', transcriptPath: '/x/t.jsonl' },
  { ...ORIGIN, kind: 'ended', reason: 'clear' },
  { ...ORIGIN, kind: 'delivered', delivery: DELIVERY },
];
const parse = (value: unknown) => parseFact(JSON.stringify(value));
const without = (fields: object, key: string) => Object.fromEntries(Object.entries(fields).filter(([k]) => k !== key));

describe('a line of the spool', () => {
  it('is the fact that was written', () => {
    for (const fact of FACTS) assert.deepEqual(parse(fact), fact);
  });

  it('is not a fact if it has another version or kind', () => {
    for (const v of [0, 2, '1', null]) assert.equal(parse({ ...ORIGIN, kind: 'seen', v }), undefined);
    for (const kind of ['', 'unknown', 'constructor', 'toString', '__proto__', 5])
      assert.equal(parse({ ...ORIGIN, kind }), undefined);
  });

  it('is not a fact without a field that the store needs, because it would hold up all facts after it', () => {
    const call = makeFact('a');
    for (const key of Object.keys(call.call))
      assert.equal(parse({ ...call, call: without(call.call, key) }), undefined, key);
    for (const key of Object.keys(DELIVERY))
      assert.equal(parse({ ...ORIGIN, kind: 'delivered', delivery: without(DELIVERY, key) }), undefined, key);
    for (const key of ['v', 'agent', 'sessionId', 'at', 'kind', 'how', 'call'])
      assert.equal(parse(without(call, key)), undefined, key);
    assert.equal(parse({ ...ORIGIN, kind: 'ended' }), undefined);
  });

  it('is not a fact with a value that the store rejects', () => {
    for (const value of [{}, [], 'x', true, null]) {
      assert.equal(parse(makeFact('a', { exitCode: value as number })), undefined);
      assert.equal(parse(makeFact('a', { durationMs: value as number })), undefined);
    }
    assert.equal(parse({ ...ORIGIN, kind: 'seen', cwd: {} }), undefined);
    assert.equal(parse({ ...ORIGIN, kind: 'seen', transcriptPath: 5 }), undefined);
  });

  it('is parsed without throwing, whatever it is', () => {
    const line = fc.oneof(fc.string({ unit: 'binary' }), fc.json());
    fc.assert(fc.property(line, (text) => parseFact(text) === undefined));
    fc.assert(
      fc.property(fc.constantFrom(...FACTS), fc.nat(), (fact, at) => {
        const whole = JSON.stringify(fact);
        assert.equal(parseFact(whole.slice(0, at % whole.length)), undefined);
      }),
    );
    assert.equal(parseFact('['.repeat(100_000)), undefined);
  });

  it('is parsed without throwing with any value in any field', () => {
    const field = fc.constantFrom('v', 'agent', 'sessionId', 'at', 'kind', 'how', 'call', 'delivery', 'reason', 'cwd');
    fc.assert(
      fc.property(fc.constantFrom(...FACTS), field, fc.jsonValue(), (fact, key, value) => {
        const parsed = parse({ ...fact, [key]: value });
        assert.ok(parsed === undefined || parsed.v === FACT_VERSION);
      }),
    );
  });
});
