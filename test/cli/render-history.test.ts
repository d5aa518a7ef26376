import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { HistoryCell } from '../../src/base/statistics/history.ts';
import { groupHistory, sumHistory } from '../../src/base/statistics/history.ts';
import { renderHistory } from '../../src/surfaces/cli/sessions/history.ts';

const toCell = (calls: number, failures: number): HistoryCell => ({
  ...{ agent: 'claude-code', sessionId: 's1', projectId: 'prj_1', day: '2026-03-02' },
  ...{ calls, failures, masked: 0, denied: 0, cancelled: 0, hookFailures: 0 },
  ...{ first: '2026-03-02T10:00:00.000Z', last: '2026-03-02T11:00:00.000Z' },
});

const render = (calls: number, failures: number): string => {
  const cells = [toCell(calls, failures)];
  const groups = groupHistory(cells, 'agent');
  const totals = { ...sumHistory(cells), silentSessions: 0 };
  return renderHistory({ totals, by: [{ by: 'agent', total: groups.length, groups }], signatures: [] }, true);
};

describe('the share of calls that failed', () => {
  it('is rounded once', () => {
    assert.match(render(42, 13), /13 failed \(31\.0 % of those that ran\)/);
    assert.match(render(42, 13), /^claude-code .* 31\.0 % /m);
    assert.match(render(1000, 309), / 30\.9 % /);
  });

  it('is never further from the truth than half a tenth of a percent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (calls, share) => {
        const failures = Math.floor(calls * share);
        const told = Number(/ \(([\d.]+) % of/.exec(render(calls, failures))?.[1]);
        assert.ok(Math.abs(told - (failures / calls) * 100) <= 0.05 + 1e-9, `${failures}/${calls}: ${told}`);
      }),
    );
  });
});
