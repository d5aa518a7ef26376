import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeAims } from '../../src/measure/make-backtest-report.ts';

type Share = number | null;
const judge = (command: readonly [Share, Share], verdict: readonly [Share, Share], per100: number, calls = 100) => {
  const toClass = ([precision, recall]: readonly [Share, Share]) => ({ precision, recall });
  const classes = { command: toClass(command), verdict: toClass(verdict) };
  return judgeAims({ calls, classes, deliveriesPer100Calls: per100 });
};
const listMet = (...given: Parameters<typeof judge>) => judge(...given).map(({ isMet }) => isMet);

describe('the targets of a back-test', () => {
  it('are precision and recall of commands and verdicts, and few warnings', () => {
    const bounds = judge([1, 1], [1, 1], 0).map(({ of, figure, atLeast, atMost }) => [of, figure, atLeast ?? atMost]);
    assert.deepEqual(bounds, [
      ['command', 'precision', 0.6],
      ['command', 'recall', 0.35],
      ['verdict', 'precision', 0.3],
      ['verdict', 'recall', 0.3],
      ['all', 'deliveriesPer100Calls', 1],
    ]);
  });

  it('are met at the bound, and not beside it', () => {
    assert.deepEqual(listMet([0.6, 0.35], [0.3, 0.3], 1), [true, true, true, true, true]);
    assert.deepEqual(listMet([0.599, 0.349], [0.299, 0.299], 1.001), [false, false, false, false, false]);
  });

  it('are neither met nor missed if there is nothing to measure', () => {
    assert.deepEqual(listMet([null, 0], [null, null], 0), [null, false, null, null, true]);
    assert.deepEqual(listMet([null, null], [null, null], 0, 0), [null, null, null, null, null]);
  });
});
