import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { ManifestHeader } from '../../src/base/model/manifest.ts';
import { isWithheld } from '../../src/base/model/may-fire.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { decideHoldout } from '../../src/measure/delivery-share.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const LEARNED = { kind: 'episode', by: 'test', trust: 'observed' } as const;
const UNKNOWN = { interval: [-0.2, 0.4] } as const;

describe('the share of sessions that a lesson is withheld from', () => {
  const decide = (fields: Partial<Lesson>, shown = 5, effect: { interval: readonly [number, number] } = UNKNOWN) =>
    decideHoldout(makeTestLesson({ origin: LEARNED, ...fields }), { shown }, effect, DEFAULT_SETTINGS.holdout);

  it('is zero before its first five deliveries, then a tenth', () => {
    assert.equal(decide({}, 4), undefined);
    assert.equal(decide({}, 5), 0.1);
    assert.equal(
      decideHoldout(makeTestLesson({ origin: LEARNED }), undefined, undefined, DEFAULT_SETTINGS.holdout),
      undefined,
    );
  });

  it('is smaller once the effect is known, in either direction', () => {
    assert.equal(decide({}, 50, { interval: [0.01, 0.4] }), 0.025);
    assert.equal(decide({}, 50, { interval: [-0.5, -0.1] }), 0.025);
  });

  it('is larger while it is measured again, and never over a half', () => {
    assert.equal(decide({ measure: { retest: 'x' } }, 50, { interval: [0.01, 0.4] }), 0.5);
    assert.equal(decide({ measure: { retest: 'x' } }, 0), 0.5, 'at once: what it did before counts no more');
  });

  it('is zero for a lesson that is CRITICAL, a person’s own, set by a person, true in one session only, or not firing', () => {
    assert.equal(decide({ priority: 9 }), undefined);
    assert.equal(decide({ origin: { kind: 'user', by: 'ann', trust: 'stated' } }), undefined);
    assert.equal(decide({ modeBy: 'ann' }), undefined);
    assert.equal(decide({ scope: { kind: 'session', id: 's' } }), undefined);
    assert.equal(decide({ status: 'draft' }), undefined);
    // A confirmed lesson is not proven to help.
    assert.equal(decide({ reviewedBy: 'ann' }), 0.1);
  });

  it('is zero if the settings say so', () => {
    assert.equal(
      decideHoldout(makeTestLesson({ origin: LEARNED }), { shown: 9 }, undefined, { share: 0, after: 5 }),
      undefined,
    );
  });
});

describe('whether a lesson is withheld from a session', () => {
  const header = { seed: 'seed1234', settings: DEFAULT_SETTINGS } as ManifestHeader;
  const isHeld = (n: number, fields: Partial<ManifestHeader> = {}, id = 'les_1') =>
    isWithheld({ id, withheld: 0.1 }, { agent: 'claude-code', sessionId: `s${n}` }, { ...header, ...fields });
  const list = (fields?: Partial<ManifestHeader>, id?: string) =>
    Array.from({ length: 20_000 }, (_, n) => n).filter((n) => isHeld(n, fields, id));

  it('approaches the share over many sessions', () => {
    const share = list().length / 20_000;
    assert.ok(Math.abs(share - 0.1) < 0.01, String(share));
  });

  it('is the same each time, and independent for another lesson or data home', () => {
    assert.deepEqual(list(), list());
    const both = (others: readonly number[]) => list().filter((n) => others.includes(n)).length;
    for (const others of [list({}, 'les_2'), list({ seed: 'seed5678' })]) {
      assert.ok(Math.abs(others.length / 20_000 - 0.1) < 0.01);
      assert.ok(both(others) < 400, 'as seldom as chance has it');
    }
  });

  it('is no if nothing was compiled for it, there is no seed, or the share is zero by now', () => {
    const none = { ...DEFAULT_SETTINGS, holdout: { share: 0, after: 5 } };
    const { seed: _, ...seedless } = header;
    const session = { agent: 'a', sessionId: 's' };
    assert.equal(isWithheld({ id: 'les_1' }, session, header), false);
    assert.equal(isWithheld({ id: 'les_1', withheld: 1 }, session, header), true);
    assert.equal(isWithheld({ id: 'les_1', withheld: 1 }, session, seedless as ManifestHeader), false);
    assert.deepEqual(list({ settings: none }), []);
  });
});
