import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findNearestKey, SETTING_GROUPS, SETTING_KEYS } from '../../src/keep/settings/setting-keys.ts';

const NAMES = [...SETTING_KEYS.map(({ name }) => name), ...SETTING_GROUPS];

describe('the nearest setting', () => {
  it('is found for a typo, another spelling and the name of the variable', () => {
    for (const [given, meant] of [
      ['minScroe', 'minScore'],
      ['min_score', 'minScore'],
      ['MINSCORE', 'minScore'],
      ['store.uri', 'store.url'],
      ['maxLessonPerInjection', 'maxLessonsPerInjection'],
      ['scoring.confidence.bse', 'scoring.confidence.base'],
      ['ONCEBITTEN_STORE_URL', 'store.url'],
      ['AGENT_MEMORY_OUTCOME_MAX_PER_PROJECT', 'retention.perProject'],
      ['retenton', 'retention'],
    ])
      assert.equal(findNearestKey(given ?? ''), meant, given);
  });

  it('is found in another group too', () => {
    for (const [given, meant] of [
      ['textDays', 'retention.textDays'],
      ['retention.minScore', 'minScore'],
      ['store.factDays', 'retention.factDays'],
      ['selfReportedMin', 'scoring.confidence.selfReportedMin'],
    ])
      assert.equal(findNearestKey(given ?? ''), meant, given);
  });

  it('is undefined for a word that is like no setting', () => {
    for (const given of ['', 'colour', 'x', 'telemetry.enabledForEverybody', 'a'.repeat(5000)])
      assert.equal(findNearestKey(given), undefined, given.slice(0, 40));
  });

  it('is itself, and is always a setting', () => {
    for (const name of NAMES) assert.equal(findNearestKey(name), name);
    fc.assert(
      fc.property(fc.string(), (given) => {
        const nearest = findNearestKey(given);
        assert.ok(nearest === undefined || NAMES.includes(nearest));
      }),
    );
  });
});
