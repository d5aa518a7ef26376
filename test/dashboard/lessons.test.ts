/** Lessons in the dashboard: list, search, one lesson, try a command, decide, edit, mute, undo, review by keyboard. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkAccess, type Dashboard, openDashboard, SKIP } from './open-dashboard.ts';

interface Listed {
  readonly id: string;
  readonly slug: string;
  readonly summary: string;
  readonly status: string;
}

describe('lessons in the dashboard', { skip: SKIP }, () => {
  let board: Dashboard;
  before(async () => {
    board = await openDashboard();
  });
  after(() => board.close());

  const list = (...words: readonly string[]): Promise<readonly Listed[]> =>
    board.story.list<Listed>('lessons', 'list', ...words);
  const toText = (summary: string): string => summary.replaceAll('`', '');

  it('lists every lesson by its sentence and finds one by a word', async () => {
    const lessons = await list();
    const { page, complaints, context } = await board.visit('/lessons');
    const rows = page.locator('.rows > li > a');
    await rows.first().waitFor();
    assert.deepEqual(
      (await rows.allTextContents()).toSorted(),
      lessons.map(({ summary }) => toText(summary)).toSorted(),
    );
    await page.getByPlaceholder('Search lessons').fill('--stat');
    await page.getByText('1 lesson', { exact: true }).waitFor();
    assert.match(await rows.first().innerText(), /--stat/);
    assert.match(page.url(), /q=--stat/);
    await checkAccess(page);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('says whether a lesson fires on a command', async () => {
    const [lesson] = await list('--search', '--stat');
    const { page, complaints, context } = await board.visit(`/lessons/${lesson?.slug}`);
    await page.getByLabel('Try a command').fill('gh pr diff 7 --stat');
    await page.getByText('An agent that runs this sees the lesson.').waitFor();
    await page.getByLabel('Try a command').fill('gh pr diff 7 --name-only');
    await page.getByText('The lesson stays silent at this command.').waitFor();
    await checkAccess(page);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  it('archives a lesson, and undoes it', async () => {
    const [lesson] = await list('--status', 'active');
    const { page, context } = await board.visit(`/lessons/${lesson?.slug}`);
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    assert.equal((await list('--status', 'archived'))[0]?.id, lesson?.id);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    assert.deepEqual(await list('--status', 'archived'), []);
    await context.close();
  });

  it('mutes a lesson and shows it again', async () => {
    const [lesson] = await list('--status', 'active');
    const { page, context } = await board.visit(`/lessons/${lesson?.slug}`);
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await context.close();
  });

  it('changes the words of a lesson', async () => {
    const [lesson] = await list('--status', 'active');
    const { page, context } = await board.visit(`/lessons/${lesson?.slug}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('The lesson in one sentence').fill('Use <b>this</b> & `that`');
    await checkAccess(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Use <b>this</b> & that' }).waitFor();
    const changed = (await list()).find(({ id }) => id === lesson?.id);
    assert.equal(changed?.summary, 'Use <b>this</b> & `that`');
    await context.close();
  });

  it('takes decisions about drafts by one key each', async () => {
    for (const name of ['one', 'two'])
      await board.story.cli('lessons', 'add', '--draft', '--summary', `Draft ${name}`, '--program', name);
    const [first, second] = await list('--status', 'draft');
    assert.ok(first !== undefined && second !== undefined);
    const { page, context } = await board.visit('/review');
    const title = (of: Listed) => page.getByRole('heading', { level: 2, name: toText(of.summary) });
    await title(first).waitFor();
    await page.keyboard.press('j');
    await title(second).waitFor();
    await page.keyboard.press('k');
    await title(first).waitFor();
    await page.keyboard.press('a');
    await title(second).waitFor();
    await page.keyboard.press('r');
    await page.getByText('Nothing waits for your decision').waitFor();
    assert.ok((await list('--status', 'active')).some(({ id }) => id === first.id));
    assert.ok((await list('--status', 'archived')).some(({ id }) => id === second.id));
    await checkAccess(page);
    await context.close();
  });
});
