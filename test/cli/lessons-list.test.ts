import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { renderSwitches } from '../../src/base/model/switches.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { CommandInput } from '../../src/surfaces/cli/command.ts';
import { type ListedLesson, run } from '../../src/surfaces/cli/lessons/list.ts';
import type { Page } from '../../src/surfaces/cli/paging.ts';
import { makeChange, makeProject } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

describe('lessons list', () => {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-list-'));
  const home = toDataHome(join(root, 'data'));
  before(async () => {
    const store = await openSqliteStore(home.storeFile);
    await store.saveProjects([makeProject({ id: 'prj_shop', name: 'shop' })]);
    const lessons = [
      makeTestLesson({ id: 'les_1', slug: 'speaks', priority: 9 }),
      makeTestLesson({ id: 'les_2', slug: 'of-shop', priority: 8, scope: { kind: 'project', id: 'prj_shop' } }),
      makeTestLesson({ id: 'les_3', slug: 'silent', priority: 7 }),
      makeTestLesson({ id: 'les_4', slug: 'hushed', priority: 6, status: 'draft' }),
      makeTestLesson({ id: 'les_5', slug: 'put-away', priority: 5, status: 'archived', tags: ['old'] }),
    ];
    for (const [n, lesson] of lessons.entries())
      await store.saveLesson({ ...lesson, contentHash: `hash-${n}` }, makeChange('new'));
    await store.close();
    const over = { lessonId: 'les_1', until: '2020-01-01T00:00:00.000Z' };
    const mutes = [{ lessonId: 'les_3' }, { lessonId: 'les_4', sessionId: 's1' }, over];
    writeFileSync(home.switchesFile, renderSwitches({ pauses: [], mutes }));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const list = async (options: object = {}) => {
    const { json, text } = await run({ home, arguments: [], options, env: {}, cwd: root } as unknown as CommandInput);
    const lessons = (json as Page<ListedLesson>).items;
    return { lessons, slugs: lessons.map(({ slug }) => slug), text };
  };

  it('leaves out what is archived, and says how to see it', async () => {
    const { slugs, text } = await list();
    assert.match(text, /speaks[\s\S]*of-shop[\s\S]*silent[\s\S]*hushed/);
    assert.doesNotMatch(text, /put-away/);
    assert.deepEqual(slugs, ['speaks', 'of-shop', 'silent', 'hushed']);
    assert.deepEqual((await list({ all: true })).slugs, ['speaks', 'of-shop', 'silent', 'hushed', 'put-away']);
    assert.match(text, /\n\n[^\n]*1 archived lesson\b.*oncebitten lessons list --all$/);
    assert.match((await list({ tag: ['old'] })).text, /^No lessons match[\s\S]*1 archived lesson\b/);
  });

  it('shows what is archived to who asks', async () => {
    assert.deepEqual((await list({ status: 'archived' })).slugs, ['put-away']);
    const { slugs, text } = await list({ all: true });
    assert.equal(slugs.length, 5);
    assert.match(text, /archived +all projects +put-away/);
    assert.doesNotMatch(text, /more/);
  });

  it('says which lesson a person muted, and whose project one is', async () => {
    const { lessons, text } = await list();
    assert.deepEqual(
      lessons.slice(0, 4).map(({ muted, project }) => [muted, project]),
      [
        [undefined, undefined],
        [undefined, 'shop'],
        ['everywhere', undefined],
        ['in some sessions', undefined],
      ],
    );
    assert.match(text, /active +all projects +speaks/);
    assert.match(text, /active +project shop +of-shop/);
    assert.match(text, /muted +all projects +silent/);
    assert.match(text, /draft, muted in some sessions +all projects +hushed/);
  });

  it('shows what each lesson says first: in one line where nobody looks, above the rest on a screen', async () => {
    const [, first = ''] = (await list()).text.split('\n');
    assert.match(first, /^`gh pr diff` has no `--stat`.*speaks/);
    const { text } = await run({
      ...{ home, arguments: [], options: {}, env: {}, cwd: root, columns: 100 },
    } as unknown as CommandInput);
    const lines = text.split('\n');
    assert.ok(lines.every((line) => line.length <= 100));
    const at = lines.findIndex((line) => line.startsWith('`gh pr diff` has no'));
    assert.match(lines[at + 1] ?? '', /^ {4}CRITICAL .*speaks/);
  });

  it('cuts no sentence inside backticks on a narrow screen', async () => {
    for (let columns = 28; columns < 60; columns++) {
      const { text } = await run({
        ...{ home, arguments: [], options: {}, env: {}, cwd: root, columns },
      } as unknown as CommandInput);
      const said = text.split('\n').filter((line) => line.startsWith('`gh'));
      assert.equal(said.length, 4);
      for (const line of said) assert.equal(line.split('`').length % 2, 1, line);
    }
  });

  it('lists only those of a type or an origin', async () => {
    assert.equal((await list({ type: 'warning' })).slugs.length, 4);
    assert.deepEqual((await list({ type: 'checklist' })).slugs, []);
    assert.equal((await list({ origin: 'user' })).slugs.length, 4);
    assert.deepEqual((await list({ origin: 'import' })).slugs, []);
    await assert.rejects(list({ origin: 'nobody' }), /--origin nobody/);
  });

  it('lists only lessons for all projects for a repository in which nothing has happened yet', async () => {
    assert.deepEqual((await list({ project: '.' })).slugs, ['speaks', 'silent', 'hushed']);
    await assert.rejects(list({ project: 'no-such-folder' }), /is neither a known project/);
  });
});
