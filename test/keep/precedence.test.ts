import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeShellCall } from '../triggers/make-call-view.ts';

const PROJECT = { kind: 'project', id: 'prj_a' } as const;
const FOREIGN = { kind: 'import', by: 'repository', trust: 'foreign' } as const;
const inFile = (slug: string) => ({ file: { slug, hash: 'h', contentHash: 'c' }, scope: PROJECT });
const make = (slug: string, fields: Partial<Lesson>): Lesson =>
  makeTestLesson({ slug, triggers: { programs: [{ name: 'gh' }] }, contentHash: 'same', ...fields });

function listFiringSlugs(lessons: readonly Lesson[], projectId = 'prj_a', sessionId = 'ses'): readonly string[] {
  const generatedAt = '2026-01-01T00:00:00.000Z';
  const bytes = compileManifest({ lessons, settings: DEFAULT_SETTINGS, generatedAt });
  const manifest = openManifest(bytes) ?? assert.fail('not a manifest');
  return matchLessons(manifest, { ...makeShellCall('gh pr'), projectId, sessionId })
    .map(({ lesson }) => lesson.slug)
    .sort();
}

describe('the same lesson in several scopes', () => {
  const session = make('of-session', { scope: { kind: 'session', id: 'ses' } });
  const project = make('of-project', { scope: PROJECT });
  const shared = make('of-file', { ...inFile('of-file'), reviewedBy: 'user:me' });
  const user = make('of-user', { scope: { kind: 'user' } });
  const team = make('of-team', { scope: { kind: 'team' } });
  const all = [team, user, shared, project, session];

  it('fires in the nearest scope', () => {
    assert.deepEqual(listFiringSlugs(all), ['of-session']);
    assert.deepEqual(listFiringSlugs(all.slice(0, 4)), ['of-project']);
    assert.deepEqual(listFiringSlugs(all.slice(0, 3)), ['of-file']);
    assert.deepEqual(listFiringSlugs(all.slice(0, 2)), ['of-user']);
    assert.deepEqual(listFiringSlugs(all.slice(0, 1)), ['of-team']);
  });

  it('fires elsewhere in the other scopes', () => {
    assert.deepEqual(listFiringSlugs(all, 'prj_a', 'another session'), ['of-project']);
    assert.deepEqual(listFiringSlugs(all, 'prj_b', 'another session'), ['of-user']);
  });

  it('is also recognized by its name', () => {
    const renamed = make('x-1a2b', { ...inFile('x'), contentHash: 'other', reviewedBy: 'user:me' });
    const own = make('x', { contentHash: 'own' });
    assert.deepEqual(listFiringSlugs([own, renamed]), ['x-1a2b']);
    assert.deepEqual(listFiringSlugs([own, renamed], 'prj_b'), ['x']);
    assert.deepEqual(listFiringSlugs([own, make('y', { contentHash: 'y' })]), ['x', 'y']);
  });

  it("is the user's if the repository's is unconfirmed, which must not silence it", () => {
    const foreign = make('x-1a2b', { ...inFile('x'), contentHash: 'other', origin: FOREIGN });
    const own = make('x', { contentHash: 'own', priority: 9 });
    assert.deepEqual(listFiringSlugs([own, foreign]), ['x']);
    assert.deepEqual(listFiringSlugs([foreign]), ['x-1a2b']);
    assert.deepEqual(listFiringSlugs([foreign], 'prj_b'), []);
  });
});

describe('an unconfirmed lesson', () => {
  const compile = (fields: Partial<Lesson>) => {
    const lesson = make('one', { ...inFile('one'), origin: FOREIGN, priority: 10, mode: 'block', ...fields });
    const generatedAt = '2026-01-01T00:00:00.000Z';
    const bytes = compileManifest({ lessons: [lesson], settings: DEFAULT_SETTINGS, generatedAt });
    return openManifest(bytes)?.all()[0] ?? assert.fail('is silent');
  };

  it('only advises, and names its source', () => {
    const { mode, priority, text } = compile({});
    assert.deepEqual([mode, priority], ['note', 8]);
    assert.match(text, /^Unverified claim from a file of this repository \(\.oncebitten\/lessons\/one\.json\)/);
  });

  it('has its stated weight once a person here confirmed it', () => {
    const { mode, priority, text } = compile({ reviewedBy: 'user:me' });
    assert.deepEqual([mode, priority], ['pause', 10]);
    assert.match(text, /^=== CRITICAL lesson/);
  });
});
