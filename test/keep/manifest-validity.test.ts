import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson, LessonValidity } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const BEFORE = '2026-01-01T00:00:00.000Z';
const NOW = '2026-01-02T00:00:00.000Z';
const AFTER = '2026-01-03T00:00:00.000Z';

function countSpeaking(limits: Partial<LessonValidity>, fields: Partial<Lesson> = {}): number {
  const lesson = makeTestLesson({ validity: { models: [], agentVersions: [], ...limits }, ...fields });
  const input = { lessons: [lesson], settings: DEFAULT_SETTINGS, generatedAt: NOW };
  return openManifest(compileManifest(input))?.header.count ?? -1;
}

describe('a lesson with limits in time', () => {
  it('is in the manifest from its start time on, inclusive', () => {
    assert.equal(countSpeaking({ from: AFTER }), 0);
    assert.equal(countSpeaking({ from: NOW }), 1);
    assert.equal(countSpeaking({ from: BEFORE }), 1);
  });

  it('is in it until its end time, exclusive', () => {
    assert.equal(countSpeaking({ until: AFTER }), 1);
    assert.equal(countSpeaking({ until: NOW }), 0);
    assert.equal(countSpeaking({ from: BEFORE, until: AFTER }), 1);
  });

  it('also applies to drafts that fire in their own session', () => {
    const draft = { status: 'draft', provisional: [{ agent: 'a', sessionId: 's', until: AFTER }] } as const;
    assert.equal(countSpeaking({}, draft), 1);
    assert.equal(countSpeaking({ until: BEFORE }, draft), 0);
  });
});
