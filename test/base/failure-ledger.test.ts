import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isFailedCall,
  type LedgerCall,
  makeFailureCounter,
  makeFailureJudge,
} from '../../src/base/statistics/failure-ledger.ts';

const call = (fields: Partial<LedgerCall> = {}): LedgerCall => ({
  ...{ agent: 'claude-code', sessionId: 'one', projectId: 'shop', rawTool: 'Bash', outcome: 'success', masked: false },
  ...{ program: 'gh', intentKey: 'shell gh pr diff' },
  ...fields,
});
const failed = (fields: Partial<LedgerCall> = {}) => call({ outcome: 'failure', signatureId: 'flag', ...fields });
const judge = (calls: readonly LedgerCall[]) => calls.map(makeFailureJudge()).at(-1);

describe('the ledger of failures', () => {
  it('counts calls of agents that failed openly as failed calls', () => {
    assert.equal(isFailedCall(failed()), true);
    for (const fields of [
      { masked: true },
      { rawTool: 'hook:Stop' },
      { outcome: 'denied' },
      { outcome: 'cancelled' },
    ] as const)
      assert.equal(isFailedCall(failed(fields)), false, JSON.stringify(fields));
  });

  it('counts a failure as a repeat if its signature occurred before in the session or the project', () => {
    assert.deepEqual(judge([failed()]), { isRepeat: false, isAvoidable: false });
    assert.equal(judge([failed(), failed({ sessionId: 'two' })])?.isRepeat, true);
    assert.equal(judge([failed(), failed({ sessionId: 'two', projectId: 'else' })])?.isRepeat, false);
    assert.equal(judge([failed(), failed({ projectId: 'else' })])?.isRepeat, true, 'the session moved');
    assert.equal(judge([failed({ masked: true }), failed()])?.isRepeat, false);
    assert.equal(judge([failed({ signatureId: undefined }), failed({ signatureId: undefined })])?.isRepeat, false);
  });

  it('counts a repeat as avoidable if a call of the same intent had worked after an earlier one', () => {
    const later = failed({ sessionId: 'two' });
    assert.equal(judge([failed(), later])?.isAvoidable, false);
    assert.equal(judge([failed(), call(), later])?.isAvoidable, true);
    assert.equal(judge([failed(), call({ intentKey: 'shell gh pr view' }), later])?.isAvoidable, false);
    assert.equal(judge([call(), failed(), later])?.isAvoidable, false);
    assert.equal(judge([failed(), call({ sessionId: 'three' }), later])?.isAvoidable, false);
  });

  it('counts the selected calls, with the others as their past', () => {
    const counter = makeFailureCounter(({ sessionId }) => sessionId === 'two');
    for (const one of [failed(), call(), failed({ sessionId: 'two' }), failed({ sessionId: 'two', masked: true })])
      counter.add(one);
    counter.add(failed({ sessionId: 'two', rawTool: 'hook:Stop' }));
    const counts = { sessions: 1, calls: 2, failures: 1, masked: 1, hookFailures: 1, repeats: 1, avoidable: 1 };
    const { cost, days, ...told } = counter.read();
    assert.deepEqual(told, counts);
    assert.deepEqual(days, []);
    assert.deepEqual([cost.begun, cost.solved], [1, 0]);
  });

  it('counts all selected calls, but only the failures of the asked kind, and what it took to get past each', () => {
    const counter = makeFailureCounter(undefined, ({ signatureId }) => signatureId === 'flag');
    const other = { intentKey: 'shell ls', signatureId: 'path' };
    for (const one of [failed(), failed(other), call(other), call()]) counter.add(one);
    const { calls, failures, cost } = counter.read();
    assert.deepEqual([calls, failures, cost.begun], [4, 1, 1]);
    const fixes = [...counter.readFixes()].map(([id, { begun, solved, calls: sums }]) => [id, begun, solved, sums.sum]);
    assert.deepEqual(fixes, [['flag', 1, 1, 3]]);
  });

  it('counts failures and repeats by day', () => {
    const counter = makeFailureCounter();
    for (const at of ['2026-01-30T23:59:00Z', '2026-01-31T00:01:00Z', '2026-01-31T10:00:00Z'])
      counter.add(failed({ at }));
    assert.deepEqual(counter.read().days, [
      { day: '2026-01-30', failures: 1, repeats: 0 },
      { day: '2026-01-31', failures: 2, repeats: 2 },
    ]);
  });

  it('counts what a failure cost: calls, seconds and tokens until a call of the same intent works', () => {
    const counter = makeFailureCounter();
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const tokens = (input: number) => ({ input, cached: 9_000, output: 10 });
    const other = { intentKey: 'shell ls' };
    for (const one of [
      failed({ at: at(0), durationMs: 2_000, tokens: tokens(500) }),
      call({ ...other, at: at(5), tokens: tokens(100) }),
      failed({ at: at(10), tokens: tokens(200) }),
      call({ sessionId: 'two', at: at(11), tokens: tokens(1) }),
      call({ at: at(20), durationMs: 1_000, tokens: tokens(300) }),
      call({ at: at(30), tokens: tokens(300) }),
    ])
      counter.add(one);
    const { begun, solved, calls, seconds, tokens: spent } = counter.read().cost;
    assert.deepEqual([begun, solved], [1, 1], 'the second failure is on the way');
    assert.deepEqual([calls.mean, seconds.mean, spent.mean], [3, 19, 630]);
  });
});
