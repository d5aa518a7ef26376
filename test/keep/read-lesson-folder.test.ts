import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { renderLessonFile } from '../../src/keep/sharing/lesson-file.ts';
import {
  listLessonNames,
  MAX_FILES,
  readLessonFolder,
  stampLessonFolder,
  toLessonFolder,
  toLessonPath,
} from '../../src/keep/sharing/lesson-folder.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'oncebitten-folder-'));
  root = join(base, 'repository');
  mkdirSync(toLessonFolder(root), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (slug: string, text = renderLessonFile(makeTestLesson({}), slug)): void =>
  writeFileSync(toLessonPath(root, slug), text);
const reasons = (): readonly string[] => readLessonFolder(root).faults.map(({ reason }) => reason);

describe('the lesson files of a repository', () => {
  it('are read, whatever else is in the folder', () => {
    put('one');
    put('two');
    put('broken', '{\n"slug": 1}');
    writeFileSync(join(toLessonFolder(root), 'README.md'), '# hi');
    writeFileSync(join(toLessonFolder(root), '.one.json.tmp'), 'x');
    const { lessons, faults, names } = readLessonFolder(root);
    assert.deepEqual([...lessons.keys()], ['one', 'two']);
    assert.deepEqual(names, ['broken.json', 'one.json', 'two.json']);
    assert.deepEqual(
      faults.map(({ file, line }) => [file, line]),
      [[toLessonPath(root, 'broken'), 2]],
    );
  });

  it('are none if there is no folder, or something else', () => {
    rmSync(toLessonFolder(root), { recursive: true });
    assert.deepEqual(readLessonFolder(root), { lessons: new Map(), faults: [], names: [] });
    writeFileSync(toLessonFolder(root), 'a file');
    assert.match(reasons()[0] ?? '', /cannot be read/);
  });

  it('are not read through links that lead out of the repository', () => {
    const outside = join(base, 'outside.json');
    writeFileSync(outside, renderLessonFile(makeTestLesson({}), 'linked'));
    symlinkSync(outside, toLessonPath(root, 'linked'));
    put('real');
    symlinkSync(toLessonPath(root, 'real'), toLessonPath(root, 'inside'));
    symlinkSync(join(base, 'nowhere'), toLessonPath(root, 'dangling'));
    assert.deepEqual([...readLessonFolder(root).lessons.keys()], ['real']);
    assert.deepEqual(reasons(), [
      'cannot be read (ENOENT)',
      'slug: is not the name of the file',
      'leads out of the repository and is not read',
    ]);
    rmSync(toLessonFolder(root), { recursive: true });
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), toLessonFolder(root));
    assert.deepEqual(reasons(), ['leads out of the repository and is not read']);
  });

  it('are small files: nothing that is large, or not a file, is opened', { timeout: 900_000 }, () => {
    put('large', ' '.repeat(40_000));
    mkdirSync(toLessonPath(root, 'folder'));
    execFileSync('mkfifo', [toLessonPath(root, 'pipe')]);
    assert.deepEqual(reasons(), ['is not a file', 'is larger than 32 KB', 'is not a file']);
  });

  it('are several hundred at most', () => {
    for (let i = 0; i < MAX_FILES + 5; i++) put(`n${String(i).padStart(4, '0')}`);
    const { lessons, faults } = readLessonFolder(root);
    assert.equal(lessons.size, MAX_FILES);
    assert.match(faults[0]?.reason ?? '', /has 305 files, only the first 300/);
  });
});

describe('the stamp of the folder', () => {
  const stamp = (): string => stampLessonFolder(root, listLessonNames(root)).text;
  const age = (slug: string): void => utimesSync(toLessonPath(root, slug), 1_000, 1_000);

  it('changes when a file is added, changed or removed, and not otherwise', () => {
    put('one');
    age('one');
    const seen = new Set([stamp()]);
    assert.ok(seen.has(stamp()));
    for (const change of [() => put('two'), () => put('one', '{}'), () => rmSync(toLessonPath(root, 'two'))]) {
      change();
      assert.ok(!seen.has(stamp()));
      seen.add(stamp());
    }
  });

  it('says when a second change could have the same time', () => {
    put('one');
    assert.equal(stampLessonFolder(root, ['one.json']).isFresh, true);
    assert.equal(stampLessonFolder(join(base, 'none'), []).isFresh, false);
  });
});
