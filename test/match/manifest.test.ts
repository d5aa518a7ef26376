import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MANIFEST_VERSION } from '../../src/base/model/manifest.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { CallView } from '../../src/base/triggers/call-view.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { toGlobRegex } from '../../src/keep/manifest/compiled-triggers.ts';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { type Manifest, openManifest } from '../../src/match/manifest.ts';
import { findCandidates } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeCallView, makeShellCall } from '../triggers/make-call-view.ts';

const compile = (lessons: Parameters<typeof compileManifest>[0]['lessons']) =>
  compileManifest({
    lessons,
    settings: DEFAULT_SETTINGS,
    generatedAt: '2026-01-01T00:00:00.000Z',
  });
const open = (bytes: Buffer): Manifest => openManifest(bytes) ?? assert.fail('not a manifest');

describe('the manifest', () => {
  it('is one JSON document that also gives single lessons by key', () => {
    const bytes = compile([
      makeTestLesson({ slug: 'gh', triggers: { programs: [{ name: 'gh' }] } }),
      makeTestLesson({ slug: 'ünïcode', triggers: { programs: [{ name: 'git' }, { name: 'gh' }] } }),
      makeTestLesson({ slug: 'edits', triggers: { tools: ['edit'] } }),
    ]);
    assert.equal(JSON.parse(bytes.toString()).lessons.length, 3);
    const manifest = open(bytes);
    const slugs = (call: CallView) =>
      manifest.list(findCandidates(manifest.header.index, call)).map((lesson) => lesson.slug);
    assert.deepEqual(slugs(makeShellCall('gh')), ['gh', 'ünïcode']);
    assert.deepEqual(slugs(makeCallView({ tool: 'edit' })), ['edits']);
    assert.deepEqual(slugs(makeShellCall('constructor; __proto__')), []);
    assert.deepEqual(
      manifest.all().map((lesson) => lesson.slug),
      ['gh', 'ünïcode', 'edits'],
    );
    assert.equal(manifest.get(3), undefined);
  });

  it('leaves out lessons that may not fire', () => {
    const bytes = compile([
      makeTestLesson({ status: 'draft' }),
      makeTestLesson({ status: 'archived' }),
      makeTestLesson({ confidence: 0.49 }),
      makeTestLesson({ needsReview: true }),
    ]);
    assert.equal(open(bytes).header.count, 0);
    assert.deepEqual(JSON.parse(bytes.toString()).lessons, []);
  });

  it('returns every lesson exactly, whatever text it contains', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (summaries) => {
        const manifest = open(compile(summaries.map((summary) => makeTestLesson({ summary, triggers: {} }))));
        assert.deepEqual(
          manifest.all().map((lesson) => lesson.summary),
          summaries.map((summary) => Buffer.from(JSON.stringify(summary)).toString()).map((json) => JSON.parse(json)),
        );
      }),
    );
  });

  it('is undefined if it is truncated, empty, foreign or of another version', () => {
    const bytes = compile([makeTestLesson({})]);
    for (const broken of [
      '',
      '{}',
      'x\ny\n',
      bytes.toString().replace(`"version":${MANIFEST_VERSION}`, '"version":1'),
    ]) {
      assert.equal(openManifest(Buffer.from(broken)), undefined);
    }
    for (let cut = 0; cut < bytes.length; cut += 7) void openManifest(bytes.subarray(0, cut))?.all();
  });
});

describe('a path glob', () => {
  const holds = (glob: string, path: string) => new RegExp(toGlobRegex(glob)).test(path);

  it('matches like a shell would', () => {
    assert.ok(holds('**/migrations/*.sql', '/repo/db/migrations/001.sql'));
    assert.ok(!holds('**/migrations/*.sql', '/repo/db/migrations/old/001.sql'));
    assert.ok(holds('package.json', '/repo/package.json'));
    assert.ok(!holds('package.json', '/repo/xpackage.json'));
    assert.ok(holds('src/**/*.{ts,tsx}', '/repo/src/a/b.tsx'));
    assert.ok(holds('file.[!c]s', '/file.ts'));
    assert.ok(!holds('a+b.txt', '/aab.txt'));
  });

  it('always becomes a linear-time regex that compiles', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        (glob) => void new RegExp(toGlobRegex(glob.replaceAll(/[[\]{}]/g, ''))),
      ),
    );
    for (const glob of ['**/a/**/b/**/c', '{a,b{c}', '[a', '[]', '{}', 'a{b,*.c}'])
      assert.ok(isLinearRegex(toGlobRegex(glob)), glob);
    assert.ok(!isLinearRegex('(?=a)b'));
    assert.ok(!isLinearRegex('(a)\\1'));
  });
});
