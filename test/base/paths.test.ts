import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEditDistance } from '../../src/base/text/edit-distance.ts';
import {
  endsWithPath,
  isInFolder,
  isSameBaseName,
  isSamePath,
  toBaseName,
  toPatternFolder,
  toPlainPath,
} from '../../src/base/text/paths.ts';

describe('paths by their text', () => {
  it('takes the last name', () => {
    assert.equal(toBaseName('./node_modules/.bin/tsc'), 'tsc');
    assert.equal(toBaseName('tsc'), 'tsc');
  });

  it('drops `./` before and `/` after a path', () => {
    assert.equal(toPlainPath('./src/api//'), 'src/api');
    assert.equal(toPatternFolder('./src/api/...'), 'src/api');
    assert.equal(toPatternFolder('./...'), '');
  });

  it('compares whole names from the end', () => {
    assert.equal(endsWithPath('/repo/src/api/users.ts', 'api/users.ts'), true);
    assert.equal(endsWithPath('./src/', 'src'), true);
    assert.equal(endsWithPath('/repo/src/old-users.ts', 'users.ts'), false);
    assert.equal(endsWithPath('users.ts', 'api/users.ts'), false);
    assert.equal(endsWithPath('/repo/users.ts', ''), false);
  });

  it('recognizes the same file from any folder', () => {
    assert.equal(isSamePath('users.ts', '/repo/users.ts'), true);
    assert.equal(isSamePath('/repo/users.ts', './users.ts'), true);
    assert.equal(isSamePath('/repo/a/users.ts', '/repo/b/users.ts'), false);
    assert.equal(isSameBaseName('/repo/a/users.ts', '/repo/b/users.ts'), true);
    assert.equal(isSameBaseName('/repo/a/', '/repo/b/'), false);
  });

  it('knows whether a path is in a folder', () => {
    assert.equal(isInFolder('src/api', 'src'), true);
    assert.equal(isInFolder('src', 'src'), true);
    assert.equal(isInFolder('src-old/api', 'src'), false);
  });
});

describe('edit distance', () => {
  for (const [a, b, distance] of [
    ['commit', 'commit', 0],
    ['comit', 'commit', 1],
    ['psuh', 'push', 1],
    ['stauts', 'staturs', 2],
    ['', 'abc', 3],
    ['abc', '', 3],
  ] as const) {
    it(`of \`${a}\` and \`${b}\` is ${distance}`, () => assert.equal(toEditDistance(a, b), distance));
  }
});
