/** Lessons in the dashboard: list, search, one lesson, try a command, decide, edit, mute, undo, review by keyboard. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkAccess, type Dashboard, eventually, openDashboard, SKIP } from './open-dashboard.ts';

interface Listed {
  readonly id: string;
  readonly slug: string;
  readonly summary: string;
  readonly status: string;
  readonly muted?: string;
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
    const sentences = lessons.map(({ summary }) => toText(summary)).toSorted();
    await eventually(async () => assert.deepEqual((await rows.allTextContents()).toSorted(), sentences));
    await page.getByPlaceholder('Search lessons').fill('--stat');
    await page.getByText('1 lesson', { exact: true }).waitFor();
    await eventually(async () => assert.match((await rows.allTextContents()).join('|'), /^[^|]*--stat[^|]*$/));
    await page.waitForURL(/q=--stat/);
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
    const listArchived = async () => (await list('--status', 'archived')).map(({ id }) => id);
    await eventually(async () => assert.deepEqual(await listArchived(), [lesson?.id]));
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    await eventually(async () => assert.deepEqual(await listArchived(), []));
    await context.close();
  });

  it('mutes a lesson and shows it again', async () => {
    const [lesson] = await list('--status', 'active');
    const { page, context } = await board.visit(`/lessons/${lesson?.slug}`);
    const isMuted = async () => (await list()).find(({ id }) => id === lesson?.id)?.muted !== undefined;
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByRole('button', { name: 'Unmute' }).waitFor();
    await eventually(async () => assert.equal(await isMuted(), true));
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await eventually(async () => assert.equal(await isMuted(), false));
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
    const readSummary = async () => (await list()).find(({ id }) => id === lesson?.id)?.summary;
    await eventually(async () => assert.equal(await readSummary(), 'Use <b>this</b> & `that`'));
    await context.close();
  });

  it('undoes the last change of a lesson from its history', async () => {
    const [lesson] = await list('--status', 'active');
    const { page, context } = await board.visit(`/lessons/${lesson?.slug}`);
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await page.getByRole('button', { name: 'Undo the last change' }).click();
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    await eventually(async () => assert.deepEqual(await list('--status', 'archived'), []));
    await context.close();
  });

  it('promotes a lesson into a file, and takes it out again', async () => {
    await board.story.cli('lessons', 'add', '--summary', 'Say please', '--fix', 'say please', '--program', 'please');
    // A project that is there: agents worked in it, and it has a folder.
    await board.story.hook('SessionStart.startup', { session_id: 'promoting' });
    await board.story.hook('PostToolUse.Bash', { session_id: 'promoting', tool_use_id: 'toolu_promoting' });
    await board.story.settle();
    const [lesson] = await list('--search', 'please');
    const { page, context } = await board.visit(`/lessons/${lesson?.slug}`);
    await page.getByRole('button', { name: 'Promote' }).click();
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'project' });
    await page.locator('.dialog pre').getByText('please').waitFor();
    await checkAccess(page);
    await page.getByRole('button', { name: 'Propose it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Promotions' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Write it into the file' }).click();
    await page.getByRole('button', { name: 'Remove it from the file' }).waitFor();
    const readFiles = (): string =>
      readdirSync(board.story.project)
        .filter((name) => name.endsWith('.md'))
        .map((name) => readFileSync(join(board.story.project, name), 'utf8'))
        .join('\n');
    await eventually(async () => assert.match(readFiles(), /say please/));
    await checkAccess(page);
    await page.getByRole('button', { name: 'Remove it from the file' }).click();
    await page.getByRole('button', { name: 'Propose' }).waitFor();
    await eventually(async () => assert.doesNotMatch(readFiles(), /say please/));
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
    const readStatus = async ({ id }: Listed) => (await list('--all')).find((one) => one.id === id)?.status;
    await eventually(async () =>
      assert.deepEqual([await readStatus(first), await readStatus(second)], ['active', 'archived']),
    );
    await checkAccess(page);
    await context.close();
  });
});
