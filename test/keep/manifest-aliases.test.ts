import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { ProjectAlias } from '../../src/base/model/project.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeShellCall } from '../triggers/make-call-view.ts';

const of = (id: string, fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({
    slug: `of-${id}`,
    triggers: { programs: [{ name: 'gh' }] },
    scope: { kind: 'project', id },
    contentHash: id,
    ...fields,
  });
const alias = (fromId: string, intoId: string): ProjectAlias => ({ fromId, intoId, at: '2026-01-01T00:00:00.000Z' });

function find(lessons: readonly Lesson[], aliases: readonly ProjectAlias[], projectId: string): readonly string[] {
  const generatedAt = '2026-01-01T00:00:00.000Z';
  const bytes = compileManifest({
    lessons,
    aliases,
    settings: DEFAULT_SETTINGS,
    generatedAt,
  });
  const manifest = openManifest(bytes) ?? assert.fail('not a manifest');
  const call = { ...makeShellCall('gh pr'), projectId };
  return matchLessons(manifest, call).map(({ lesson }) => lesson.slug);
}

describe('lessons of joined projects', () => {
  const aliases = [alias('prj_old', 'prj_new'), alias('prj_older', 'prj_new')];

  it('fire in all of them, and nowhere else', () => {
    const lessons = [of('prj_old'), of('prj_new'), of('prj_else')];
    for (const id of ['prj_old', 'prj_older', 'prj_new'])
      assert.deepEqual(find(lessons, aliases, id), ['of-prj_new', 'of-prj_old']);
    assert.deepEqual(find(lessons, aliases, 'prj_else'), ['of-prj_else']);
    assert.deepEqual(find(lessons, [], 'prj_new'), ['of-prj_new']);
  });

  it('fire once if they have the same content', () => {
    const twins = [of('prj_old', { contentHash: 'same' }), of('prj_new', { contentHash: 'same' })];
    assert.deepEqual(find(twins, aliases, 'prj_new'), ['of-prj_old']);
    assert.deepEqual(find(twins, [], 'prj_new'), ['of-prj_new']);
  });
});
