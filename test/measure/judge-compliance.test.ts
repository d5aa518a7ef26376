import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeCompliance } from '../../src/measure/judge-compliance.ts';

const count = (reports: number, unreported: number, malformed = 0) => ({
  agent: 'claude-code',
  model: `model-${reports}`,
  isSubagent: false,
  ...{ reports, unreported, malformed },
});

describe('compliance', () => {
  it('is the share of reports among all failures that were learned from, and names the source to rely on', () => {
    const { groups } = judgeCompliance([count(8, 2), count(7, 3), count(4, 6), count(3, 7), count(0, 5)]);
    assert.deepEqual(
      groups.map(({ share, primary }) => [share, primary]),
      [
        [0.8, 'tags'],
        [0.7, 'both'],
        [0.4, 'both'],
        [0.3, 'heuristics'],
        [0, 'heuristics'],
      ],
    );
  });

  it('has no verdict if nothing was learned; malformed reports are counted separately', () => {
    assert.deepEqual(judgeCompliance([]).total, { reports: 0, malformed: 0, unreported: 0 });
    assert.deepEqual(judgeCompliance([count(0, 0, 3)]).groups[0]?.primary, undefined);
  });

  it('of all agents is that of their sums', () => {
    const { total } = judgeCompliance([count(9, 0, 1), count(1, 10, 1)]);
    assert.deepEqual(total, { reports: 10, malformed: 2, unreported: 10, share: 0.5, primary: 'both' });
  });
});
