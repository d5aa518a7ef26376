import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AddedCount } from '../../src/base/model/delivery.ts';
import type { DeliveryCell } from '../../src/base/statistics/delivery-counts.ts';
import { NO_SUMS } from '../../src/base/statistics/estimates.ts';
import { makeStatsReport } from '../../src/measure/make-stats-report.ts';
import { renderStats } from '../../src/surfaces/cli/stats/stats.ts';

const NO_AFTER = {
  failingAttempts: NO_SUMS,
  callsToSuccess: NO_SUMS,
  secondsToSuccess: NO_SUMS,
  tokensToSuccess: NO_SUMS,
};

type Arm = readonly [judged: number, again: number];

/** Of one lesson, as one line. */
function render(shown: Arm, withheld: Arm, added: readonly AddedCount[] = []): string {
  const arms = [['shown', shown] as const, ['holdout', withheld] as const];
  const cells = arms.map(
    ([arm, [count, again]]): DeliveryCell => ({
      ...{ key: 'claude-code', lessonId: 'les_1', kind: 'call', mode: 'note', arm, count, bytes: 0, outcome: 'clean' },
      ...{ again, failed: again, ownWorked: 0, ownFailed: 0, after: NO_AFTER, followed: 0, cameBack: 0 },
    }),
  );
  const report = makeStatsReport({
    cells: { project: [], agent: cells, day: [] },
    ...{ missed: [], feedback: [], recurrences: [], lessons: [], names: new Map(), added },
  });
  const view = { limit: 5, isNarrowed: false, isOfOne: false, store: { lessons: 1, drafts: 0, calls: 9 } };
  return renderStats(report, view).replace(/\s+/g, ' ');
}

describe('what was prevented, in words', () => {
  it('is a number with its interval and both counts once its direction is certain', () => {
    const text = render([40, 2], [10, 8]);
    assert.match(
      text,
      /Prevented \d+ fewer repeats per 100 times shown \(95 % interval \d+ to \d+\); .* 2 of 40 shown and 8 of 10 withheld/,
    );
    assert.match(text, /les_1 40 10 40 0 0 - \d+ \(\d+\.\.\d+\)/);
    const worse = render([40, 30], [20, 1]);
    assert.match(worse, /Prevented \d+ more repeats per 100 times shown \(95 % interval -\d+ to -\d+\)/);
  });

  it('is not yet known while it may as well be nothing, or while too few were withheld', () => {
    const text = render([38, 6], [7, 1]);
    assert.match(text, /Prevented not yet known: between -\d+ and \d+ fewer repeats/);
    assert.match(text, /after 6 of 38 shown and 1 of 7 withheld/);
    assert.match(text, /les_1 38 7 38 0 0 - \? \(-\d+\.\.\d+\)/);
    assert.match(render([38, 6], [4, 1]), /Prevented not yet known: .*\(so far 38 and 4\)/);
  });
});

describe('the legend', () => {
  it('says what AGAIN counts of a checklist, which no call fails', () => {
    assert.match(render([5, 1], [0, 0]), /AGAIN [^A-Z]*checklist.*OPEN /);
  });
});

describe('the text that was added, in words', () => {
  it('has each kind with its number of texts', () => {
    const text = render(
      [5, 0],
      [0, 0],
      [
        { kind: 'note', texts: 1, bytes: 40 },
        { kind: 'protocol', texts: 2, bytes: 2_000 },
      ],
    );
    assert.match(text, /: 40 bytes in 1 note, 2,000 bytes in 2 report requests /);
  });
});
