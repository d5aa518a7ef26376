import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { toLanguage } from '../../src/base/model/skill.ts';
import { findStack } from '../../src/capture/projects/languages.ts';
import { makeStackFinder } from '../../src/loop/compile-lessons.ts';

describe('the languages of a project', () => {
  it('are found by the files at its top', () => {
    assert.deepEqual(findStack(['README.md', 'pyproject.toml', 'go.mod']), ['go', 'python']);
    assert.deepEqual(findStack(['package.json']), ['javascript']);
    assert.deepEqual(findStack(['package.json', 'tsconfig.json']), ['javascript', 'typescript']);
    assert.deepEqual(findStack(['Shop.csproj', 'infra.tf']), ['csharp', 'terraform']);
  });

  it('are none if no file shows one', () => {
    assert.deepEqual(findStack(['README.md', 'constructor', '__proto__', '.gitignore', 'x.']), []);
  });

  it('have one name, whatever a tag calls them', () => {
    assert.deepEqual(['py', 'TS', 'golang', 'C#', 'cobol', 'constructor'].map(toLanguage), [
      'python',
      'typescript',
      'go',
      'csharp',
      'cobol',
      'constructor',
    ]);
  });

  it('are read from the folders of a project, and again when one has changed', () => {
    const root = mkdtempSync(join(tmpdir(), 'ob-stack-'));
    try {
      const [one, two] = [join(root, 'one'), join(root, 'two')];
      for (const folder of [one, two]) mkdirSync(folder);
      writeFileSync(join(one, 'go.mod'), '');
      const find = makeStackFinder();
      assert.deepEqual(find([one, two, join(root, 'gone')]), ['go']);
      writeFileSync(join(two, 'Cargo.toml'), '');
      assert.deepEqual(find([one, two]), ['go', 'rust']);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
