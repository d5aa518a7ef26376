import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { ProjectAlias } from '../../src/base/model/project.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { NO_SWITCHES } from '../../src/base/model/switches.ts';
import type { Promoted } from '../../src/keep/manifest/compile-manifest.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { listCritical } from '../../src/loop/delivery/decide-opening.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeShellCall } from '../triggers/make-call-view.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PROJECT = { kind: 'project', id: 'prj_a' } as const;
const make = (slug: string, fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({ id: `les_${slug}`, slug, triggers: { programs: [{ name: 'gh' }] }, ...fields });
const inProject = (slug: string, projectId = 'prj_a'): Promoted => ({ lessonId: `les_${slug}`, projectId });

interface Given {
  readonly promoted: readonly Promoted[];
  readonly aliases?: readonly ProjectAlias[];
}

function open(lessons: readonly Lesson[], { promoted, aliases = [] }: Given) {
  const settings = DEFAULT_SETTINGS;
  const bytes = compileManifest({ lessons, promoted, aliases, settings, generatedAt: AT });
  return openManifest(bytes) ?? assert.fail('not a manifest');
}

const listFiringSlugs = (lessons: readonly Lesson[], given: Given, projectId = 'prj_a'): readonly string[] =>
  matchLessons(open(lessons, given), { ...makeShellCall('gh pr'), projectId }).map(({ lesson }) => lesson.slug);

describe('a lesson in a file of a project', () => {
  it('does not fire there, and does again when it is rolled back', () => {
    const own = make('own', { scope: PROJECT });
    assert.deepEqual(listFiringSlugs([own], { promoted: [inProject('own')] }), []);
    assert.deepEqual(listFiringSlugs([own], { promoted: [] }), ['own']);
  });

  it('fires in other projects if it is for all', () => {
    const promoted = [inProject('user')];
    assert.deepEqual(listFiringSlugs([make('user')], { promoted }), []);
    assert.deepEqual(listFiringSlugs([make('user')], { promoted }, 'prj_b'), ['user']);
  });

  it('does not fire if it is CRITICAL, neither at a call nor at the start of a session', () => {
    const critical = make('critical', { priority: 10, reviewedBy: 'user:ann' });
    const given = { promoted: [inProject('critical')] };
    assert.deepEqual(listFiringSlugs([critical], given), []);
    const listed = (projectId: string) =>
      listCritical(open([critical], given), { projectId, sessionId: 'ses', at: AT, switches: NO_SWITCHES });
    assert.equal(listed('prj_a').length, 0);
    assert.equal(listed('prj_b').length, 1);
  });

  it('keeps the lessons silent that it replaced', () => {
    const own = make('own', { scope: PROJECT, contentHash: 'same' });
    const user = make('user', { contentHash: 'same' });
    assert.deepEqual(listFiringSlugs([own, user], { promoted: [inProject('own')] }), []);
    assert.deepEqual(listFiringSlugs([own, user], { promoted: [inProject('own')] }, 'prj_b'), ['user']);
  });

  it('is silent in the project under all its ids', () => {
    const aliases = [{ fromId: 'prj_old', intoId: 'prj_a', at: AT }];
    const own = make('own', { scope: { kind: 'project', id: 'prj_old' } });
    assert.deepEqual(listFiringSlugs([own], { promoted: [inProject('own')], aliases }), []);
    assert.deepEqual(listFiringSlugs([make('user')], { promoted: [inProject('user', 'prj_old')], aliases }), []);
  });
});
