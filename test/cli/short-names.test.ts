import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { findNamed } from '../../src/surfaces/cli/arguments/lessons.ts';
import { toProjectLabels } from '../../src/surfaces/cli/arguments/projects.ts';
import { shortenPaths } from '../../src/surfaces/cli/sessions/history.ts';
import { toPathLine, toShortLine } from '../../src/surfaces/cli/text.ts';
import { makeChange } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

describe('projects in a list', () => {
  const label = (...projects: readonly (readonly [name: string, root: string])[]) => [
    ...toProjectLabels(projects.map(([name, root], i) => ({ id: `prj_${i}`, name, root }))).values(),
  ];

  it('have their names, and as much before them as tells them apart', () => {
    assert.deepEqual(label(['shop', '/a/shop'], ['api', '/a/api']), ['shop', 'api']);
    assert.deepEqual(label(['shop', '/a/shop'], ['shop', '/b/shop'], ['api', '/b/api']), ['a/shop', 'b/shop', 'api']);
    assert.deepEqual(label(['x', '/a/w/x'], ['x', '/b/w/x'], ['x', '/c/x']), ['a/w/x', 'b/w/x', 'c/x']);
    assert.deepEqual(label(['7', '/trees/7']), ['trees/7']);
  });

  it('have their id after their name where nothing else tells them apart', () => {
    assert.deepEqual(label(['', ''], ['x', '/x'], ['x', '/x']), ['prj_0', 'x (prj_1)', 'x (prj_2)']);
  });

  it('are never taken for each other, whatever their names and folders are', () => {
    const part = fc.constantFrom('a', 'b', '7', '');
    const project = fc.tuple(
      part,
      fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
    );
    fc.assert(
      fc.property(fc.array(project, { maxLength: 8 }), (projects) => {
        const labels = label(...projects);
        return labels.length === projects.length && new Set(labels).size === labels.length;
      }),
    );
  });
});

describe('a path where there is little room', () => {
  it('shows its end', () => {
    assert.equal(toPathLine('/a/b/c.ts', 9), '/a/b/c.ts');
    assert.equal(toPathLine('/a/bb/c.ts', 9), '…/bb/c.ts');
    assert.equal(toPathLine('no-path-at-all', 9), 'no-path-…');
  });

  it('in a message is its last two names, if the message would be cut', () => {
    const message = 'open /home/ann/shop/src/a.ts: no such file';
    assert.equal(shortenPaths(message, 80), message);
    assert.equal(shortenPaths(message, 20), 'open …/src/a.ts: no such file');
    assert.equal(shortenPaths('a/b and /c/d are long enough', 5), 'a/b and /c/d are long enough');
  });
});

describe('a sentence where there is little room', () => {
  const SENTENCE =
    '`gh api` finds no such place: replace `repos/{owner}/{repo}/pulls` with `repos/{owner}/{repo}/issues`';

  it('is never cut inside backticks, however little that is', () => {
    for (let columns = 10; columns < SENTENCE.length + 5; columns++) {
      const line = toShortLine(SENTENCE, columns);
      assert.ok(line.length <= columns);
      assert.equal(line.split('`').length % 2, 1, line);
    }
    assert.equal(toShortLine(SENTENCE, 200), SENTENCE);
  });

  it('is whole up to a word in the error about a short name that two lessons have', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'oncebitten-names-'));
    const store = await openSqliteStore(join(folder, 'oncebitten.db'));
    t.after(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });
    for (const end of ['a1b2', 'c3d4']) {
      const lesson = makeTestLesson({ id: `les_${end}`, slug: `gh-api-${end}`, summary: SENTENCE });
      await store.saveLesson({ ...lesson, contentHash: end }, makeChange('new'));
    }
    const error = await findNamed(store, 'gh-api').catch((thrown: unknown) => thrown);
    assert.ok(error instanceof UserError);
    assert.match(error.next, /gh-api-a1b2.*gh-api-c3d4/);
    for (const [, told = ''] of error.next.matchAll(/\((.*?)\)/g)) assert.equal(told.split('`').length % 2, 1, told);
  });
});
