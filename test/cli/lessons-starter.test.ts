import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { lessonInputSchema } from '../../src/keep/schemas/lesson-input-schema.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { findTriggerFault } from '../../src/loop/checks/trigger-faults.ts';
import { STARTER_LESSONS } from '../../src/surfaces/install/starter-lessons.ts';
import { openShell, type Shell } from './open-shell.ts';

describe('the starter pack', () => {
  it('has lessons that anybody could have written: valid, and none that speaks at everything or nothing', () => {
    for (const { key, backtest: _, ...lesson } of STARTER_LESSONS) {
      assert.equal(lessonInputSchema.safeParse(lesson).error, undefined, key);
      assert.equal(findTriggerFault(lesson.triggers), undefined, key);
    }
    assert.ok(STARTER_LESSONS.length >= 8 && STARTER_LESSONS.length <= 15);
  });

  it('has none that spoke more often at calls that worked than at calls that failed', () => {
    for (const { key, backtest } of STARTER_LESSONS) {
      assert.ok(backtest.tried > 0 && backtest.failed >= backtest.worked, key);
      assert.ok(backtest.failed + backtest.worked <= backtest.fired, key);
    }
  });

  describe('oncebitten lessons starter', () => {
    let shell: Shell;
    before(() => {
      shell = openShell();
    });
    after(() => shell.close());
    const starter = (...args: string[]) => shell.json<Record<string, string[]>>('lessons', 'starter', ...args);
    const list = () => shell.list<Lesson>('lessons', 'list', '--all');

    it('shows what there is and what it did in real sessions, and installs nothing', async () => {
      const { stdout } = await shell.run(['lessons', 'starter']);
      assert.match(
        stdout,
        /not installed {2}Read a file in this session before you edit it\n +fires on .*\n +tried on 5,685 calls/,
      );
      assert.match(stdout, /Install them: oncebitten lessons starter .*--install/);
      assert.deepEqual(await list(), []);
    });

    it('installs drafts with their figures, once', async () => {
      assert.equal((await starter('--install')).installed?.length, STARTER_LESSONS.length);
      const lessons = await list();
      assert.equal(lessons.length, STARTER_LESSONS.length);
      assert.ok(lessons.every(({ status, mode }) => status === 'draft' && mode === 'note'));
      assert.ok(lessons.every(({ evidence }) => evidence[0]?.excerpt?.startsWith('tried on ')));
      assert.deepEqual(await starter('--install'), { installed: [] });
    });

    it('removes those that nobody touched, and brings them back', async () => {
      await shell.run(['lessons', 'approve', 'tail-follow']);
      await shell.run(['lessons', 'reject', 'watch-mode']);
      const { removed = [] } = await starter('--remove');
      assert.equal(removed.length, STARTER_LESSONS.length - 2);
      assert.deepEqual(await starter('--remove'), { removed: [] });
      const open = (await list()).filter(({ status }) => status !== 'archived').map(({ slug }) => slug);
      assert.deepEqual(open, ['tail-follow']);
      assert.deepEqual((await starter('--install')).installed?.toSorted(), removed.toSorted());
      const statuses = Object.fromEntries((await list()).map(({ slug, status }) => [slug, status]));
      assert.deepEqual([statuses['watch-mode'], statuses['tail-follow']], ['archived', 'active']);
      assert.equal((await list()).length, STARTER_LESSONS.length);
    });

    it('leaves a lesson of the user alone that has the same name', async () => {
      const dir = join(shell.home, 'other');
      const store = await openSqliteStore(join(dir, 'oncebitten.db'));
      const { makeTestLesson } = await import('../fixtures/make-test-lesson.ts');
      const mine = makeTestLesson({ slug: 'tail-follow' });
      await store.saveLesson(mine, { by: 'user:test', reason: 'test', at: mine.createdAt });
      await shell.run(['lessons', 'starter', '--install'], { home: dir });
      assert.deepEqual(await store.findLesson('tail-follow'), mine);
      assert.equal((await store.listLessons()).length, STARTER_LESSONS.length + 1);
      await store.close();
    });

    it('wants one thing at a time', async () => {
      const { code, stderr } = await shell.run(['lessons', 'starter', '--install', '--remove']);
      assert.equal(code, 2);
      assert.match(stderr, /cannot install and remove at once/);
    });
  });
});
