import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openUsage, toUsage } from '../../src/agents/token-usage.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';

const usage = (output: number) => ({ input: 100, cached: 1000, output });
const ended = (callId: string, contextId = ''): AgentEvent => ({
  ...{
    kind: 'call-ended',
    agent: 'x',
    sessionId: 's',
    contextId,
    at: '2026-01-01T00:00:00.000Z',
    source: 'transcript',
  },
  ...{ callId, tool: 'shell', rawTool: 'Bash', input: { json: '{}' }, result: { isError: false, text: '' } },
});
const tokensOf = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.kind === 'call-ended' ? event.tokens : undefined));

describe('the tokens of an answer', () => {
  it('go to the first call that ends after it, once', () => {
    const reader = openUsage();
    assert.deepEqual(tokensOf(reader.attach([ended('a')])), [undefined]);
    reader.add('', usage(5));
    assert.deepEqual(tokensOf(reader.attach([ended('b'), ended('c')])), [usage(5), undefined]);
  });

  it('count once although each row of the answer repeats them, with their growth', () => {
    const reader = openUsage();
    reader.add('', usage(1), 'msg_1');
    reader.add('', usage(8), 'msg_1');
    assert.deepEqual(tokensOf(reader.attach([ended('a')])), [usage(8)]);
    reader.add('', usage(8), 'msg_1');
    assert.deepEqual(tokensOf(reader.attach([ended('b')])), [{ input: 0, cached: 0, output: 0 }]);
    reader.add('', usage(3), 'msg_2');
    reader.add('', usage(4), 'msg_3');
    assert.deepEqual(tokensOf(reader.attach([ended('c')])), [{ input: 200, cached: 2000, output: 7 }]);
  });

  it('stay in their context', () => {
    const reader = openUsage();
    reader.add('sub', usage(5));
    assert.deepEqual(tokensOf(reader.attach([ended('a'), ended('b', 'sub')])), [undefined, usage(5)]);
  });

  it('are integers, whatever the source contains', () => {
    assert.equal(toUsage(undefined, 5, undefined), undefined);
    assert.deepEqual(toUsage(-5, Number.NaN, 1e300), { input: 0, cached: 0, output: 1_000_000_000 });
  });
});
