import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeliveryCell } from '../../src/base/delivery-counts.ts';
import { makeStatsReport } from '../../src/measure/make-stats-report.ts';
import { renderStats } from '../../src/surfaces/cli/render-stats.ts';

type Arm = readonly [judged: number, again: number];

/** Of one lesson, as one line. */
function render(shown: Arm, withheld: Arm): string {
  const arms = [['shown', shown] as const, ['holdout', withheld] as const];
  const cells = arms.map(
    ([arm, [count, again]]): DeliveryCell => ({
      ...{ key: 'claude-code', lessonId: 'les_1', kind: 'call', mode: 'note', arm, count, bytes: 0, outcome: 'clean' },
      ...{ again, failed: again, ownWorked: 0, ownFailed: 0 },
    }),
  );
  const report = makeStatsReport({
    cells: { project: [], agent: cells, day: [] },
    ...{ missed: [], feedback: [], recurrences: [], lessons: [], names: new Map() },
  });
  const view = { limit: 5, isNarrowed: false, isOfOne: false, store: { lessons: 1, drafts: 0, calls: 9 } };
  return renderStats(report, view).replace(/\s+/g, ' ');
}

describe('the effect, in words', () => {
  it('is a number once its direction is certain', () => {
    const text = render([40, 2], [10, 8]);
    assert.match(
      text,
      /Effect of 100 calls, \d+ mistakes less with a lesson \(95 %: \d+ to \d+\): it came again in 5 %/,
    );
    assert.match(text, /les_1 40 10 40 0 0 - \d+ \(\d+\.\.\d+\)/);
    const worse = render([40, 30], [20, 1]);
    assert.match(worse, /Effect of 100 calls, \d+ mistakes more with a lesson \(95 %: -\d+ to -\d+\)/);
  });

  it('is not known while it may as well be none: the rates are told, and no number that contradicts them', () => {
    const text = render([38, 6], [7, 1]);
    assert.match(text, /Effect not known yet, in 100 calls from \d+ mistakes more to \d+ mistakes less \(95 %\): it/);
    assert.match(text, /it came again in 16 % of 38 shown, in 14 % of 7 withheld by chance/);
    assert.doesNotMatch(text, /mistakes less with a lesson/);
    assert.match(text, /les_1 38 7 38 0 0 - \? \(-\d+\.\.\d+\)/);
    assert.match(text, /\?: not known yet/);
  });
});
