import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import type { CallView } from '../../src/base/triggers/call-view.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { matchLessons, scoreLesson } from '../../src/match/match-lessons.ts';
import { judgeNear } from '../../src/match/near-misses.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toRuns } from '../to-runs.ts';
import { makeShellCall } from '../triggers/make-call-view.ts';
import { callArbitrary, lessonsArbitrary } from './lesson-arbitrary.ts';

const judge = (lessons: readonly Lesson[], call: CallView, settings: Partial<Settings> = {}) => {
  const bytes = compileManifest({
    lessons,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    generatedAt: '2026-01-01T00:00:00.000Z',
  });
  const manifest = openManifest(bytes) ?? assert.fail('not a manifest');
  const { matches, misses } = judgeNear(manifest, call);
  const found = matchLessons(manifest, call).map(({ lesson }) => lesson.slug);
  // The check of all lessons and the index must agree, including the order.
  assert.deepEqual(
    matches.map(({ lesson }) => lesson.slug),
    found,
  );
  return {
    found,
    missed: Object.fromEntries(misses.map(({ lesson, silence, because }) => [lesson.slug, because ?? silence])),
  };
};
const find = (lessons: readonly Lesson[], call: CallView) => judge(lessons, call).found;

const isHere = ({ scope }: Lesson, call: CallView) =>
  (scope.kind !== 'project' || scope.id === call.projectId) &&
  (scope.kind !== 'session' || scope.id === call.sessionId);
const gatesHold = (lesson: Lesson, call: CallView) =>
  isHere(lesson, call) && judgeTriggers(lesson.triggers, call).holds;
const isCritical = (lesson: Lesson) => lesson.priority >= 9;

describe('matching a call', () => {
  const gh = { programs: [{ name: 'gh' }] };
  const call = makeShellCall('gh pr diff 1 --stat');

  it('ranks CRITICAL first, then by score, then by slug', () => {
    const lessons = [
      makeTestLesson({ slug: 'b-high', priority: 8, triggers: { tools: ['shell'], ...gh } }),
      makeTestLesson({ slug: 'a-high', priority: 7, triggers: { tools: ['shell'], ...gh } }),
      makeTestLesson({ slug: 'wide-critical', priority: 9, triggers: {} }),
      makeTestLesson({ slug: 'medium', priority: 5, triggers: gh }),
      makeTestLesson({ slug: 'narrow-critical', priority: 10, triggers: { tools: ['shell'], ...gh } }),
    ];
    const ranked = ['narrow-critical', 'wide-critical', 'a-high', 'b-high', 'medium'];
    assert.deepEqual(find(lessons, call), ranked);
    assert.deepEqual(find(lessons.toReversed(), call), ranked);
  });

  it('ranks unconfirmed lessons below all others, whatever they score', () => {
    const foreign = { kind: 'import', by: 'repository', trust: 'foreign' } as const;
    const triggers = { tools: ['shell' as const], ...gh };
    const lessons = [
      makeTestLesson({ slug: 'a-claim', priority: 10, triggers, origin: foreign }),
      makeTestLesson({ slug: 'b-confirmed', priority: 6, triggers, origin: foreign, reviewedBy: 'user:me' }),
      makeTestLesson({ slug: 'own-medium', priority: 5, triggers: gh }),
    ];
    const ranked = ['b-confirmed', 'own-medium', 'a-claim'];
    assert.deepEqual(find(lessons, call), ranked);
    assert.deepEqual(find(lessons.toReversed(), call), ranked);
  });

  it('ranks what a model proposed below what calls have taught, until a person approves it', () => {
    const model = { kind: 'model', by: 'model/reader@1', trust: 'observed' } as const;
    const triggers = { tools: ['shell' as const], ...gh };
    const lessons = [
      makeTestLesson({ slug: 'a-proposed', priority: 10, confidence: 1, triggers, origin: model }),
      makeTestLesson({ slug: 'b-approved', priority: 6, triggers, origin: model, reviewedBy: 'user:me' }),
      makeTestLesson({ slug: 'own-medium', priority: 5, triggers: gh }),
    ];
    assert.deepEqual(find(lessons, call), ['b-approved', 'own-medium', 'a-proposed']);
  });

  it('keeps to the lesson’s project and session', () => {
    const lessons = [
      makeTestLesson({ slug: 'here', triggers: gh, scope: { kind: 'project', id: 'prj_here' } }),
      makeTestLesson({ slug: 'there', triggers: gh, scope: { kind: 'project', id: 'prj_there' } }),
      makeTestLesson({ slug: 'now', triggers: gh, scope: { kind: 'session', id: 'now' } }),
      makeTestLesson({ slug: 'past', triggers: gh, scope: { kind: 'session', id: 'then' } }),
      makeTestLesson({ slug: 'all', triggers: gh, scope: { kind: 'team' } }),
    ];
    const { found, missed } = judge(lessons, call);
    assert.deepEqual(found, ['all', 'here', 'now']);
    assert.deepEqual(missed, { there: 'another project', past: 'another session' });
  });

  it('gives the reason for every near miss', () => {
    const lessons = [
      makeTestLesson({ slug: 'other-words', triggers: { programs: [{ name: 'gh', sub: ['issue'] }] } }),
      makeTestLesson({ slug: 'weak', priority: 3, triggers: gh }),
      makeTestLesson({ slug: 'far', triggers: { programs: [{ name: 'kubectl' }] } }),
    ];
    assert.deepEqual(judge(lessons, call), {
      found: [],
      missed: { 'other-words': 'no command here is `gh issue`', weak: 'low score' },
    });
  });

  it('accepts a score at the threshold, and CRITICAL lessons below it', () => {
    const medium = makeTestLesson({ slug: 'medium', priority: 5, triggers: gh });
    const critical = makeTestLesson({ slug: 'critical', priority: 9, triggers: {} });
    assert.deepEqual(judge([medium, critical], call, { minScore: 0.7 }).found, ['critical', 'medium']);
    assert.deepEqual(judge([medium, critical], call, { minScore: 2 }).found, ['critical']);
  });
});

describe('matching any call against any lessons', () => {
  it('finds what a search through all lessons finds, and nothing else', () => {
    fc.assert(
      fc.property(lessonsArbitrary, callArbitrary, (lessons, call) => {
        const expected = lessons.filter(
          (lesson) =>
            gatesHold(lesson, call) && (isCritical(lesson) || scoreLesson(lesson).total >= DEFAULT_SETTINGS.minScore),
        );
        assert.deepEqual(find(lessons, call).toSorted(), expected.map((lesson) => lesson.slug).toSorted());
      }),
      { numRuns: toRuns(1000) },
    );
  });

  it('puts every CRITICAL lesson whose gates hold before all others', () => {
    fc.assert(
      fc.property(lessonsArbitrary, callArbitrary, (lessons, call) => {
        const critical = lessons.filter((lesson) => isCritical(lesson) && gatesHold(lesson, call));
        const found = find(lessons, call);
        assert.deepEqual(found.slice(0, critical.length).toSorted(), critical.map((lesson) => lesson.slug).toSorted());
      }),
      { numRuns: toRuns(300) },
    );
  });

  it('gives the same order whatever order the lessons are in', () => {
    fc.assert(
      fc.property(
        lessonsArbitrary.chain((lessons) =>
          fc.tuple(fc.constant(lessons), fc.shuffledSubarray([...lessons], { minLength: lessons.length })),
        ),
        callArbitrary,
        ([lessons, shuffled], call) => assert.deepEqual(find(shuffled, call), find(lessons, call)),
      ),
      { numRuns: toRuns(300) },
    );
  });
});
