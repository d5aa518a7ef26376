import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { type Manifest, openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeShellCall } from '../triggers/make-call-view.ts';

const NOW = '2026-01-02T12:00:00.000Z';
const SOON = '2026-01-03T00:00:00.000Z';
const session = (sessionId: string, until = SOON) => ({ agent: 'claude-code', sessionId, until });
const draft = (fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({
    slug: 'draft',
    status: 'draft',
    priority: 2,
    confidence: 0.6,
    scope: { kind: 'project', id: 'prj_here' },
    provisional: [session('now')],
    ...fields,
  });

function compile(lessons: readonly Lesson[], aliases = [{ fromId: 'prj_old', intoId: 'prj_here', at: NOW }]): Manifest {
  const input = { lessons, aliases, settings: DEFAULT_SETTINGS, generatedAt: NOW };
  return openManifest(compileManifest(input)) ?? assert.fail('not a manifest');
}
const find = (lessons: readonly Lesson[], sessionId: string, projectId = 'prj_here') =>
  matchLessons(compile(lessons), makeShellCall('gh pr diff 1 --stat', { sessionId, projectId }));

describe('a draft that was learned minutes ago', () => {
  it('fires in the sessions that taught it, and in no other', () => {
    const lessons = [draft({ provisional: [session('now'), session('beside')] })];
    assert.equal(find(lessons, 'now').length, 1);
    assert.equal(find(lessons, 'beside').length, 1);
    assert.equal(find(lessons, 'later').length, 0);
    assert.equal(find(lessons, 'now', 'prj_there').length, 0, 'it is still a lesson of its project');
    assert.match(find(lessons, 'now')[0]?.lesson.text ?? '', /^Lesson from earlier in this session/);
  });

  it('is silent after its time, and once it is no longer a draft', () => {
    assert.equal(find([draft({ provisional: [session('now', NOW)] })], 'now').length, 0);
    assert.equal(find([draft({ status: 'archived' })], 'now').length, 0);
    assert.equal(find([draft({ needsReview: true })], 'now').length, 0);
    assert.equal(find([draft({ confidence: 0.4 })], 'now').length, 0);
    const [active] = [draft({ status: 'active', priority: 5 })];
    assert.equal(find([active], 'now').length, 1);
    assert.equal(find([active], 'later').length, 1);
    assert.match(find([active], 'now')[0]?.lesson.text ?? '', /^Lesson from earlier work/);
  });
});

describe('the session conditions of lessons', () => {
  const asking = (...unless: readonly ({ ran: string } | { read: string })[]): Partial<Lesson> => ({
    triggers: { tools: ['edit'], session: { unless } },
  });

  it('are in the header, each once, for lessons that may fire', () => {
    const { header } = compile([
      makeTestLesson(asking({ ran: 'git pull' }, { read: '{path}' })),
      makeTestLesson(asking({ ran: 'git pull' })),
      makeTestLesson({ ...asking({ ran: 'rm' }), status: 'draft' }),
    ]);
    assert.deepEqual(header.asks, [{ ran: 'git pull' }, { read: '{path}' }]);
    assert.equal('asks' in compile([makeTestLesson({})]).header, false);
  });
});
