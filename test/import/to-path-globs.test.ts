import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toGlobRegex } from '../../src/keep/manifest/compiled-triggers.ts';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { toPathGlobs } from '../../src/loop/import/foreign-triggers.ts';
import { toRuns } from '../to-runs.ts';

const PATHS = ['src/a.ts', 'src/deep/b.tsx', 'db/migrations/1.sql', 'package.json', 'web/package.json', 'x/.env.local'];

describe('a pattern on paths as globs', () => {
  for (const source of [
    '\\.sql$',
    '^src/.*\\.ts$',
    'migrations/.*\\.sql$',
    '\\.tsx?$',
    '(^|/)package\\.json$',
    '\\.(?:ts|js)$',
    '\\.env(\\..*)?$',
    'a|migrations',
    'src/[^/]+$',
  ]) {
    it(`says the same: ${source}`, () => {
      const globs = toPathGlobs(source);
      assert.ok(globs !== undefined);
      for (const path of PATHS) {
        const isMatch = globs.some((glob) => new RegExp(toGlobRegex(glob)).test(path));
        assert.equal(isMatch, new RegExp(source).test(path), `${source} ${globs} ${path}`);
      }
    });
  }

  it('is nothing where no glob says it', () => {
    for (const source of ['[a-z]+\\.ts', 'a{2}', '\\bsrc\\b', '.*', '', '[^a]x', 'a\\*', '(a(b|c))'])
      assert.equal(toPathGlobs(source), undefined, source);
  });

  it('gives globs that can be compiled, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string(), (source) => {
        for (const glob of toPathGlobs(source) ?? []) assert.ok(isLinearRegex(toGlobRegex(glob)), `${source} ${glob}`);
      }),
      { numRuns: toRuns(500) },
    );
  });
});
