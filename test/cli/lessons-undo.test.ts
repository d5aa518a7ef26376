/** What `lessons undo` takes back: one command at a time, whole, however large, and not stopped by what cannot be. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { openShell, type Shell } from './open-shell.ts';

/** More rows than one statement of the store takes. */
const MANY = 1_300;

interface Undo {
  readonly changes: readonly { readonly id: string }[];
  readonly lessons: readonly Lesson[];
  readonly passed: readonly { readonly slug: string }[];
}

describe('undo', { timeout: 900_000 }, () => {
  let shell: Shell;
  beforeEach(() => {
    shell = openShell();
  });
  afterEach(() => shell.close());

  const add = (n: number): Promise<Lesson> =>
    shell.json('lessons', 'add', '--summary', `no stat ${n}`, '--fix', `use ${n}`, '--program', `tool${n} diff`);
  const countOpen = async (): Promise<number> =>
    (await shell.list<Lesson>('lessons', 'list')).filter(({ status }) => status !== 'archived').length;

  it('takes a large import back whole, then the command before it, and brings both again', async () => {
    await add(1);
    const file = join(shell.home, 'CLAUDE.md');
    const rules = Array.from(
      { length: MANY },
      (_, n) => `- Never run \`tool${n} install -g\`, use \`other${n} add\`.\n`,
    );
    writeFileSync(file, `# Rules\n\n${rules.join('')}`);
    await shell.json('lessons', 'import', file);
    assert.equal(await countOpen(), MANY + 1);
    const { stdout } = await shell.run(['lessons', 'undo']);
    assert.equal(stdout.match(/^ {2}\S+: imported/gm)?.length, MANY, 'in a pipe nothing is left out');
    assert.equal(await countOpen(), 1);
    const { lessons } = await shell.json<Undo>('lessons', 'undo');
    assert.equal(lessons.length, 1);
    assert.equal(await countOpen(), 0);
    await shell.json('lessons', 'undo', '--redo');
    await shell.json('lessons', 'undo', '--redo');
    assert.equal(await countOpen(), MANY + 1);
  });

  it('takes back as many commands as it is called, also when all come at once', async () => {
    const numbers = Array.from({ length: 6 }, (_, n) => n);
    await Promise.all(numbers.map(add));
    const undone = await Promise.all(numbers.slice(0, 4).map(() => shell.json<Undo>('lessons', 'undo')));
    assert.deepEqual(
      undone.map(({ lessons }) => lessons.length),
      [1, 1, 1, 1],
    );
    assert.equal(new Set(undone.flatMap(({ changes }) => changes.map(({ id }) => id))).size, 4);
    assert.equal(await countOpen(), 2);
  });

  it('passes over what was changed again since, says so, and takes the command before', async () => {
    const { slug } = await add(1);
    const place = { url: '', file: join(shell.dataDir, 'oncebitten.db') };
    const draft = makeTestLesson({ id: 'les_R', slug: 'of-the-repository', status: 'draft', needsReview: true });
    const save = async (reason: string, fields: Partial<Lesson>): Promise<void> => {
      const store = await openStore(place);
      const now = (await store.findLesson(draft.id)) ?? draft;
      await store.saveLesson({ ...now, ...fields }, { by: 'repository', reason, at: new Date().toISOString() });
      await store.close();
    };
    await save('its file', {});
    await shell.json('lessons', 'approve', draft.slug);
    const approved = await shell.json<Lesson>('lessons', 'show', draft.slug);
    await save('its file changed', {
      status: 'draft',
      needsReview: true,
      confidence: approved.confidence / 2,
      reviewedBy: 'nobody',
      priority: 1,
    });
    const { stdout } = await shell.run(['lessons', 'undo']);
    assert.match(stdout, /Skipped: of-the-repository: approved \(it was changed again later\)/);
    assert.match(stdout, new RegExp(`Undone:\\n {2}${slug}: added .*archived`));
    assert.equal((await shell.json<Lesson>('lessons', 'show', slug)).status, 'archived');
    const { code, stderr } = await shell.run(['lessons', 'undo']);
    assert.equal(code, 1);
    assert.match(stderr, /changed again later/);
  });
});
