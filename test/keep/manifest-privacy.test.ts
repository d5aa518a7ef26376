import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/settings.ts';
import { compileManifest } from '../../src/keep/compile-manifest.ts';
import { openManifest } from '../../src/match/open-manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

describe('the settings in the manifest', () => {
  const settings = { ...DEFAULT_SETTINGS, minScore: 0.9, store: { url: 'postgres://me:hunter2@db/x' } };
  const bytes = compileManifest({
    lessons: [makeTestLesson({})],
    settings,
    generatedAt: '2026-01-01T00:00:00.000Z',
    render: (lesson) => lesson.summary,
  });

  it('are those of the user', () => {
    assert.equal(openManifest(bytes)?.header.settings.minScore, 0.9);
  });

  it('do not put the password of the store on the disk', () => {
    assert.doesNotMatch(bytes.toString(), /hunter2|postgres/);
  });
});
