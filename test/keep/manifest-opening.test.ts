import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { type ManifestHeader, toCriticalKey } from '../../src/base/model/manifest.ts';
import type { ProjectAlias } from '../../src/base/model/project.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const generatedAt = '2026-01-01T00:00:00.000Z';

const compile = (lessons: readonly Lesson[], aliases: readonly ProjectAlias[] = []) => {
  const input = { lessons, aliases, settings: DEFAULT_SETTINGS, generatedAt };
  return openManifest(compileManifest(input)) ?? assert.fail('is no manifest');
};
const make = (slug: string, fields: Partial<Lesson> = {}): Lesson => makeTestLesson({ slug, priority: 9, ...fields });
const inProject = (id: string) => ({ scope: { kind: 'project', id } as const });

describe('lessons for the start of sessions', () => {
  const slugs = (lessons: readonly Lesson[], projectId: string) =>
    compile(lessons)
      .find([toCriticalKey(projectId)])
      .map(({ slug }) => slug);

  it('are the CRITICAL ones, by project, weightiest first', () => {
    const lessons = [
      make('b'),
      make('a'),
      make('sure', { confidence: 0.9 }),
      make('ten', { priority: 10 }),
      make('high', { priority: 8 }),
      make('here', inProject('prj_here')),
      make('then', { scope: { kind: 'session', id: 'then' } }),
      make('team', { scope: { kind: 'team' }, confidence: 0.5 }),
    ];
    assert.deepEqual(slugs(lessons, ''), ['ten', 'sure', 'a', 'b', 'team']);
    assert.deepEqual(slugs(lessons, 'prj_here'), ['here']);
    assert.deepEqual(slugs(lessons, 'prj_there'), []);
  });

  it('are bounded, however many there are', () => {
    const many = Array.from({ length: 200 }, (_, n) => make(`lesson-${1000 + n}`));
    assert.deepEqual([slugs(many, '').length, slugs(many, '')[0]], [25, 'lesson-1000']);
  });

  it('have a short text, and no others have one', () => {
    const { all } = compile([
      make('a', { summary: 'Sum.', mistake: '', remediation: '' }),
      make('high', { priority: 8 }),
    ]);
    const short = all().map((lesson) => lesson.short);
    assert.deepEqual(short.toSorted(), ['- a: Sum.', undefined]);
  });

  it('include those of a joined project', () => {
    const { find } = compile([make('a', inProject('old'))], [{ fromId: 'old', intoId: 'new', at: generatedAt }]);
    assert.equal(find([toCriticalKey('new')]).length, 1);
  });
});

describe('drafts that wait', () => {
  it('are counted by project, as a person sees them in review', () => {
    const lessons = [
      make('active'),
      make('draft', { status: 'draft' }),
      make('one', { status: 'draft', ...inProject('old') }),
      make('unsure', { needsReview: true, ...inProject('new') }),
      make('gone', { status: 'archived', needsReview: true }),
    ];
    const count = (header: ManifestHeader) =>
      Object.fromEntries(
        Object.entries(header.openings ?? {}).map(([id, { waiting }]) => [id, Number.parseInt(waiting ?? '0', 10)]),
      );
    assert.deepEqual(count(compile(lessons).header), { '': 1, old: 2, new: 2 });
    const joined = compile(lessons, [{ fromId: 'old', intoId: 'new', at: generatedAt }]);
    assert.deepEqual(count(joined.header), { '': 1, new: 3 });
  });

  it('are not mentioned when there are none', () => {
    assert.equal(compile([make('active')]).header.openings?.['']?.waiting, undefined);
  });
});
