import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { DeliveryCell } from '../../src/base/statistics/delivery-counts.ts';
import { NO_SUMS } from '../../src/base/statistics/estimates.ts';
import { poolEffect } from '../../src/measure/effects.ts';
import { makeStatsReport, type StatsInput, sumDeliveries } from '../../src/measure/make-stats-report.ts';
import { toRuns } from '../to-runs.ts';

const NO_AFTER = {
  failingAttempts: NO_SUMS,
  callsToSuccess: NO_SUMS,
  secondsToSuccess: NO_SUMS,
  tokensToSuccess: NO_SUMS,
};

function makeCell(fields: Partial<DeliveryCell> = {}): DeliveryCell {
  return {
    ...{ key: 'claude-code', lessonId: 'les_1', kind: 'call', mode: 'note', arm: 'shown', count: 1, bytes: 0 },
    ...{ again: 0, failed: 0, ownWorked: 0, ownFailed: 0, after: NO_AFTER, followed: 0, cameBack: 0 },
    ...fields,
  };
}

function makeInput(cells: readonly DeliveryCell[], fields: Partial<StatsInput> = {}): StatsInput {
  return {
    cells: { project: [], agent: cells, day: [] },
    ...{ missed: [], feedback: [], recurrences: [], lessons: [], names: new Map() },
    ...fields,
  };
}

const tally = (judged: number, again: number) => ({ judged, again, failed: again });

describe('deliveries, summed', () => {
  it("are shown or withheld, by mode; those of a session's start are not judged", () => {
    const figures = sumDeliveries([
      makeCell({ outcome: 'clean', count: 3, bytes: 900 }),
      makeCell({ outcome: 'ignored', count: 1, bytes: 301 }),
      makeCell({ mode: 'pause', count: 2, bytes: 100 }),
      makeCell({ kind: 'session-start', count: 4, bytes: 40 }),
      makeCell({ arm: 'holdout', outcome: 'failed_anyway', count: 5, bytes: 0 }),
    ]);
    assert.deepEqual([figures.shown, figures.withheld, figures.atStart], [10, 5, 4]);
    assert.deepEqual(figures.modes, { note: 4, pause: 2, rewrite: 0, block: 0 });
    assert.deepEqual(figures.outcomes, { clean: 3, ignored: 1, failed_anyway: 0, incomplete: 0, open: 2 });
    assert.equal(figures.withheldOutcomes.failed_anyway, 5);
    assert.deepEqual([figures.bytes, figures.tokens], [1341, 336]);
  });

  it('were false alarms if their own call worked', () => {
    const cells = [makeCell({ count: 4, ownWorked: 1, ownFailed: 2 }), makeCell({ arm: 'holdout', ownWorked: 1 })];
    assert.deepEqual(sumDeliveries(cells).falseAlarms, { calls: 4, worked: 2, share: 0.5, interval: [0.15, 0.85] });
    assert.deepEqual(sumDeliveries([]).falseAlarms, { calls: 0, worked: 0 });
  });

  it('have an effect once five of each arm are judged; open and incomplete ones do not count', () => {
    const shown = makeCell({ outcome: 'clean', count: 20 });
    const withheld = makeCell({ arm: 'holdout', outcome: 'ignored', count: 4, again: 4 });
    const open = [
      makeCell({ arm: 'holdout', count: 9 }),
      makeCell({ arm: 'holdout', outcome: 'incomplete', count: 9 }),
    ];
    assert.equal(sumDeliveries([shown, withheld, ...open]).effect, undefined);
    const { effect } = sumDeliveries([shown, { ...withheld, count: 5, again: 5 }]);
    assert.deepEqual(
      [effect?.with, effect?.without],
      [
        { trials: 20, failures: 0 },
        { trials: 5, failures: 5 },
      ],
    );
    assert.ok((effect?.interval[0] ?? 0) > 0);
  });
});

describe('the effect of all lessons together', () => {
  it('does not depend on which lessons were withheld more often', () => {
    // Neither lesson changes anything; the one that always fails is withheld most, the other one shown most.
    const useless = [
      { note: tally(10, 10), withheld: tally(90, 90) },
      { note: tally(90, 0), withheld: tally(10, 0) },
    ];
    const effect = poolEffect(useless);
    assert.ok(effect !== undefined && effect.interval[0] < 0 && effect.interval[1] > 0, JSON.stringify(effect));
  });

  it('leaves out lessons with only one arm, and is undefined for too few', () => {
    assert.equal(poolEffect([{ note: tally(50, 0), withheld: tally(0, 0) }]), undefined);
    assert.equal(poolEffect([]), undefined);
    const pooled = poolEffect([
      { note: tally(50, 50), withheld: tally(0, 0) },
      { note: tally(20, 2), withheld: tally(8, 6) },
    ]);
    assert.deepEqual(
      [pooled?.with, pooled?.without],
      [
        { trials: 20, failures: 2 },
        { trials: 8, failures: 6 },
      ],
    );
  });

  it('of one lesson is that of the lesson', () => {
    const count = fc.integer({ min: 5, max: 60 });
    fc.assert(
      fc.property(count, count, fc.double({ min: 0, max: 1, noNaN: true }), (shown, withheld, share) => {
        const again = (n: number) => Math.round(n * share);
        const pooled = poolEffect([{ note: tally(shown, again(shown)), withheld: tally(withheld, again(withheld)) }]);
        assert.deepEqual(pooled?.with, { trials: shown, failures: again(shown) });
      }),
      { numRuns: toRuns(30) },
    );
  });
});

describe('the report', () => {
  it('groups by lesson, most shown first, with before and after if nothing was withheld', () => {
    const cells = [makeCell(), makeCell({ lessonId: 'les_2', count: 7 })];
    const rates = { before: { trials: 40, failures: 20 }, after: { trials: 40, failures: 0 } };
    const report = makeStatsReport(
      makeInput(cells, {
        names: new Map([['les_2', 'gh-stat']]),
        recurrences: [
          {
            lessonId: 'les_1',
            firstFiredAt: '2026-01-01',
            before: { trials: 4, failures: 4 },
            after: { trials: 9, failures: 0 },
          },
          { lessonId: 'les_2', firstFiredAt: '2026-01-01', ...rates },
        ],
      }),
    );
    assert.deepEqual(
      report.by.lesson.map(({ key, name, beforeAfter }) => [key, name, beforeAfter?.before.share]),
      [
        ['les_2', 'gh-stat', 0.5],
        ['les_1', 'les_1', undefined],
      ],
    );
    assert.deepEqual(report.recurrence, {
      lessons: 2,
      before: { trials: 44, failures: 24, share: 0.545, interval: [0.401, 0.683] },
      after: { trials: 49, failures: 0, share: 0, interval: [0, 0.073] },
    });
    assert.deepEqual([report.lessons, report.effects], [2, { helpful: 0, harmful: 0, unclear: 2 }]);
  });

  it('counts lessons that help and lessons that harm', () => {
    const cells = ['helps', 'harms', 'unclear'].flatMap((lessonId) => [
      makeCell({ lessonId, outcome: 'clean', count: 30, again: lessonId === 'harms' ? 28 : 1 }),
      makeCell({ lessonId, arm: 'holdout', outcome: 'ignored', count: 12, again: lessonId === 'helps' ? 11 : 1 }),
    ]);
    assert.deepEqual(makeStatsReport(makeInput(cells)).effects, { helpful: 1, harmful: 1, unclear: 1 });
  });

  it('puts days into weeks, newest first', () => {
    const day = (key: string) => makeCell({ key });
    const input = makeInput([]);
    const days = [day('2026-01-04'), day('2026-01-05'), day('2026-01-11'), day('2025-12-29')];
    const { by } = makeStatsReport({ ...input, cells: { ...input.cells, day: days } });
    assert.deepEqual(
      by.week.map(({ key, shown }) => [key, shown]),
      [
        ['2026-01-05', 2],
        ['2025-12-29', 2],
      ],
    );
  });

  it('warns when more than half of the lessons are CRITICAL', () => {
    const at = (...priorities: number[]) =>
      makeStatsReport(makeInput([], { lessons: priorities.map((priority) => ({ priority })) })).priorities;
    assert.deepEqual(at(9, 10, 7, 4), {
      active: 4,
      levels: { CRITICAL: 2, HIGH: 1, MEDIUM: 1, LOW: 0 },
      isInflated: false,
    });
    assert.equal(at(9, 10, 7).isInflated, true);
    assert.equal(at().isInflated, false);
  });
});
