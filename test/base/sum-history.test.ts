import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { HistoryCell } from '../../src/base/statistics/history.ts';
import { groupHistory, HISTORY_GROUPS, sumHistory } from '../../src/base/statistics/history.ts';

function makeCell(fields: Partial<HistoryCell> = {}): HistoryCell {
  const counts = { calls: 1, failures: 0, masked: 0, denied: 0, cancelled: 0, hookFailures: 0 };
  const place = { agent: 'a', sessionId: 's1', projectId: 'prj_a', day: '2026-01-01' };
  return { ...place, ...counts, first: '2026-01-01T01:00:00.000Z', last: '2026-01-01T02:00:00.000Z', ...fields };
}

const count = fc.nat({ max: 50 });
const cell = fc
  .record({
    agent: fc.constantFrom('a', 'b'),
    sessionId: fc.constantFrom('s1', 's2', 's3'),
    projectId: fc.constantFrom('prj_a', 'prj_b'),
    day: fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
    counts: fc.tuple(count, count, count, count, count),
  })
  .map(({ day, counts: [ok, failures, masked, denied, cancelled], ...rest }) =>
    makeCell({
      ...rest,
      day: day.toISOString().slice(0, 10),
      calls: ok + failures + masked + denied + cancelled,
      failures,
      masked,
      denied,
      cancelled,
    }),
  );

describe('a sum of history', () => {
  it('counts a session once, whatever its days and projects', () => {
    const cells = [
      makeCell(),
      makeCell({ day: '2026-01-02' }),
      makeCell({ projectId: 'prj_b' }),
      makeCell({ agent: 'b' }),
    ];
    assert.deepEqual([sumHistory(cells).sessions, sumHistory(cells).calls], [2, 4]);
  });

  it('counts no session that has only hook runs', () => {
    const { sessions, hookFailures } = sumHistory([makeCell({ calls: 0, hookFailures: 3 })]);
    assert.deepEqual([sessions, hookFailures], [0, 3]);
  });

  it('computes the failure rate of the calls that ran', () => {
    assert.equal(sumHistory([makeCell({ calls: 10, failures: 2, denied: 1, cancelled: 1 })]).failureRate, 0.25);
    assert.equal(sumHistory([makeCell({ denied: 1 })]).failureRate, undefined);
    assert.equal(sumHistory([]).failureRate, undefined);
  });

  it('is the same for every grouping', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 30 }), fc.constantFrom(...HISTORY_GROUPS), (cells, by) => {
        const groups = groupHistory(cells, by);
        const total = sumHistory(cells);
        for (const field of ['calls', 'failures', 'masked', 'denied', 'cancelled'] as const)
          assert.equal(
            groups.reduce((all, group) => all + group[field], 0),
            total[field],
          );
        assert.equal(new Set(groups.map(({ key }) => key)).size, groups.length);
        for (const { sessions, failureRate = 0 } of groups)
          assert.ok(sessions <= total.sessions && failureRate >= 0 && failureRate <= 1);
      }),
    );
  });

  it('by week begins on a Monday that is at most six days before', () => {
    fc.assert(
      fc.property(cell, (one) => {
        const [week] = groupHistory([one], 'week');
        const monday = new Date(`${week?.key}T00:00:00Z`);
        const days = (Date.parse(`${one.day}T00:00:00Z`) - monday.getTime()) / 86_400_000;
        return monday.getUTCDay() === 1 && days >= 0 && days <= 6;
      }),
    );
  });

  it('by day is newest first, by anything else largest first', () => {
    const cells = [makeCell({ day: '2026-01-01', calls: 9 }), makeCell({ day: '2026-01-03', agent: 'b' })];
    assert.deepEqual(
      groupHistory(cells, 'day').map(({ key }) => key),
      ['2026-01-03', '2026-01-01'],
    );
    assert.deepEqual(
      groupHistory(cells, 'agent').map(({ key }) => key),
      ['a', 'b'],
    );
  });
});
