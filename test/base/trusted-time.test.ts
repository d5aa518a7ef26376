import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ClockSight, judgeClock, type TimeRecord } from '../../src/loop/upkeep/trusted-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const THEN = Date.UTC(2026, 0, 1);
const RECORD: TimeRecord = { trustedAt: new Date(THEN).toISOString() };

function see(days: number, fields: Partial<ClockSight> = {}): ClockSight {
  return { nowMs: THEN + days * DAY_MS, ranMs: 0, fileTimes: () => [], ...fields };
}
const judge = (days: number, fields: Partial<ClockSight> = {}, record = RECORD) =>
  judgeClock(record, see(days, fields));
const onDays = (...days: readonly number[]) => ({ fileTimes: () => days.map((day) => THEN + day * DAY_MS) });

describe('a clock', () => {
  it('is trusted for three days after the newest trusted time, which moves with it', () => {
    const { distrust, record } = judge(2.9);
    assert.equal(distrust, undefined);
    assert.equal(record.trustedAt, new Date(THEN + 2.9 * DAY_MS).toISOString());
    assert.equal(judge(5.8, {}, record).distrust, undefined);
  });

  it('is not trusted beyond that, nor before the newest trusted time, and the record stays', () => {
    for (const [days, why] of [
      [3.1, 'ahead'],
      [800, 'ahead'],
      [-0.5, 'behind'],
      [-800, 'behind'],
    ] as const) {
      const { distrust, record } = judge(days);
      assert.deepEqual([distrust, record.trustedAt], [why, RECORD.trustedAt]);
    }
    assert.equal(judge(-0.01).distrust, undefined, 'corrected by some minutes');
  });

  it('is not trusted if files are written with another time', () => {
    assert.equal(judge(1, { fileSystemMs: THEN }).distrust, 'files');
    assert.equal(judge(1, { fileSystemMs: THEN + DAY_MS }).distrust, undefined);
  });

  it('is trusted when a time server has just set it', () => {
    assert.equal(judge(30, { syncedMs: THEN + 30 * DAY_MS }).distrust, undefined);
    assert.equal(judge(-30, { syncedMs: THEN - 30 * DAY_MS }).distrust, undefined);
    assert.equal(judge(800, { syncedMs: THEN }).distrust, 'ahead', 'set before the clock jumped');
  });

  it('is trusted if files of others cover the time, and not if they begin after a jump', () => {
    assert.equal(judge(10, onDays(2, 4, 6.5, 9)).distrust, undefined);
    assert.equal(judge(10, onDays(2, 9)).distrust, 'ahead');
    assert.equal(judge(800, onDays(-1, 0, 799, 799.5, 800)).distrust, 'ahead');
    assert.equal(judge(800, onDays(900)).distrust, 'ahead', 'a file from the future');
  });

  it('is trusted after an hour of running time on each of three days, also after a month off', () => {
    for (const [start, step] of [
      [31, 1],
      [-31, 1],
      [31, 7],
    ] as const) {
      let record = RECORD;
      const trusted = [0, 1, 2].map((n) => {
        const judged = judgeClock(record, see(start + n * step, { ranMs: 25 * 60_000 }));
        record = judged.record;
        return judged.distrust === undefined;
      });
      assert.deepEqual(trusted, [false, false, true]);
      assert.deepEqual(record, { trustedAt: new Date(THEN + (start + 2 * step) * DAY_MS).toISOString() });
    }
  });

  it('is not trusted for days that only the clock counted', () => {
    let record = RECORD;
    for (const day of [31, 32, 33, 34, 35]) {
      const judged = judgeClock(record, see(day, { ranMs: 1_000 }));
      assert.equal(judged.distrust, 'ahead');
      record = judged.record;
    }
    const jumped = judgeClock(record, see(500, { ranMs: 2 * HOUR_MS }));
    assert.deepEqual([jumped.distrust, jumped.record.trial?.days.length], ['ahead', 1], 'a new jump begins anew');
  });

  it('never moves the trusted time by more than three days without a witness', () => {
    const days = fc.array(fc.double({ min: -2_000, max: 2_000, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(days, (all) => {
        let record = RECORD;
        for (const day of all) {
          const before = Date.parse(record.trustedAt);
          ({ record } = judgeClock(record, see(day)));
          const moved = Date.parse(record.trustedAt) - before;
          assert.ok(moved >= 0 && moved <= 3 * DAY_MS);
        }
      }),
    );
  });
});
