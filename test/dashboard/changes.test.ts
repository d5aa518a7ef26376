/** What a person changes in the dashboard: one notice for each thing, an Undo that undoes what it stands beside, the focus. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { checkAccess, type Dashboard, eventually, openDashboard, SKIP } from './open-dashboard.ts';

describe('changes in the dashboard', { skip: SKIP }, () => {
  let board: Dashboard;
  before(async () => {
    board = await openDashboard();
  });
  after(() => board.close());

  const list = (...words: readonly string[]): Promise<readonly Lesson[]> =>
    board.story.list<Lesson>('lessons', 'list', ...words);
  const show = (slug: string): Promise<Lesson> => board.story.cli('lessons', 'show', slug) as Promise<Lesson>;
  const add = async (name: string, ...words: readonly string[]): Promise<Lesson> =>
    (await board.story.cli('lessons', 'add', '--summary', `About ${name}`, '--program', name, ...words)) as Lesson;
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const undoNotice = (page: Page, title: string): Promise<void> =>
    page.locator('.notice', { hasText: title }).getByRole('button', { name: 'Undo' }).click();

  it('has one notice for a lesson, which undoes the newest change', async () => {
    const { slug } = await add('newest');
    const { page, context } = await board.visit(`/lessons/${slug}`);
    await press(page, 'Archive');
    await page.locator('.notice', { hasText: 'Archived' }).waitFor();
    await press(page, 'Restore');
    await page.locator('.notice', { hasText: 'Restored' }).waitFor();
    assert.equal(await page.locator('.notice', { hasText: 'Archived' }).count(), 0);
    await undoNotice(page, 'Restored');
    await page.locator('.notice', { hasText: 'Undone' }).waitFor();
    assert.equal((await show(slug)).status, 'archived');
    await context.close();
  });

  it('undoes no change that somebody made elsewhere since', async () => {
    const { slug } = await add('elsewhere');
    const { page, context } = await board.visit(`/lessons/${slug}`);
    await press(page, 'Archive');
    await page.locator('.notice', { hasText: 'Archived' }).waitFor();
    await board.story.cli('lessons', 'restore', slug);
    await undoNotice(page, 'Archived');
    await page.locator('.notice[data-type="error"]').getByText('was changed again later').waitFor();
    assert.equal((await show(slug)).status, 'active');
    await context.close();
  });

  it('says the new sentence after an edit, and shows at most three notices', async () => {
    const { page, context } = await board.visit('/lessons');
    for (const name of ['first', 'second', 'third', 'fourth']) {
      const { slug } = await add(`${name}-edit`);
      await page.getByRole('link', { name: `About ${name}-edit` }).click();
      await page.getByRole('heading', { level: 1, name: `About ${name}-edit` }).waitFor();
      await press(page, 'Edit');
      await page.getByLabel('The lesson in one sentence').fill(`Changed ${name}`);
      await press(page, 'Save');
      await page.locator('.notice', { hasText: `Changed ${name}` }).waitFor();
      assert.equal((await show(slug)).summary, `Changed ${name}`);
      await page.getByRole('link', { name: 'Lessons', exact: true }).click();
    }
    const shown = await page.locator('.notice-text').allTextContents();
    assert.deepEqual(shown, ['Changed fourth', 'Changed third', 'Changed second']);
    await context.close();
  });

  it('covers no control of the page with its notices', async () => {
    // So long that the buttons below it stand where notices like to be.
    const mistake = 'It goes wrong. '.repeat(80);
    for (const name of ['cover-one', 'cover-two', 'cover-three', 'cover-four'])
      await add(name, '--draft', '--mistake', mistake);
    const { page, context } = await board.visit('/review', { viewport: { width: 1024, height: 700 } });
    for (const left of ['of 4', 'of 3', 'of 2']) {
      await page.getByText(left).waitFor();
      await page.keyboard.press('a');
    }
    await eventually(async () => assert.equal(await page.locator('.notice').count(), 3));
    const boxes = async (selector: string) => {
      const found = await page.locator(selector).all();
      return (await Promise.all(found.map((one) => one.boundingBox()))).filter((box) => box !== null);
    };
    const [notices, controls] = [await boxes('.notice'), await boxes('main button, main a, nav a')];
    for (const a of notices)
      for (const b of controls)
        assert.ok(
          a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height,
          JSON.stringify([a, b]),
        );
    await checkAccess(page);
    await page.keyboard.press('a');
    await page.getByText('Nothing waits').waitFor();
    await context.close();
  });

  it('offers the last change to undo only where there is one', async () => {
    const [learned] = await list('--origin', 'episode');
    const { page, context } = await board.visit(`/lessons/${learned?.slug}`);
    await page.getByRole('heading', { name: 'History' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo the last change' }).count(), 0);
    await press(page, 'Archive');
    await press(page, 'Undo the last change');
    await page.locator('.notice', { hasText: 'Undone' }).waitFor();
    await page.getByRole('button', { name: 'Undo the last change' }).waitFor({ state: 'detached' });
    assert.equal((await show(learned?.slug ?? '')).status, 'active');
    await context.close();
  });

  it('keeps the focus on a button that a person pressed with the keyboard', async () => {
    const { slug } = await add('focus');
    const { page, context } = await board.visit(`/lessons/${slug}`);
    await page.getByRole('button', { name: 'Mute', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Unmute' }).waitFor();
    await page.locator('.notice', { hasText: 'Muted' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Unmute');
    await page.getByRole('button', { name: 'Archive' }).press('Enter');
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Restore');
    await context.close();
  });

  it('shows a rejected lesson as rejected, and archives one of the queue with x, and undoes it', async () => {
    const title = (name: string) => page.getByRole('heading', { level: 2, name: `About ${name}` });
    const wrong = await add('wrong', '--draft');
    const { page, context } = await board.visit('/review');
    await title('wrong').waitFor();
    await page.keyboard.press('r');
    await page.locator('.notice', { hasText: 'Rejected' }).waitFor();
    const unneeded = await add('unneeded', '--draft');
    await title('unneeded').waitFor();
    await page.keyboard.press('x');
    await page.getByText('Nothing waits for your decision').waitFor();
    await page.locator('.notice', { hasText: 'Archived' }).waitFor();
    assert.equal((await show(unneeded.slug)).archival?.cause, 'archived');
    await undoNotice(page, 'Archived');
    await title('unneeded').waitFor();
    assert.equal((await show(unneeded.slug)).status, 'draft');
    await page.keyboard.press('x');
    await page.getByText('Nothing waits for your decision').waitFor();
    await page.goto(`${board.origin}/lessons/${wrong.slug}`);
    await page.locator('.facts .badge', { hasText: 'rejected' }).waitFor();
    await context.close();
  });

  it('writes a draft about the failure of an agent’s tool, in its project, and undoes it', async () => {
    const kinds = await board.story.list<{ signature: string; program: string; projectIds: readonly string[] }>(
      ...['sessions', 'failures', '--all'],
    );
    const kind = kinds.find(({ program }) => program === 'edit');
    assert.ok(kind !== undefined);
    const { page, context } = await board.visit(`/failures/${kind.signature}`);
    await press(page, 'Write one');
    assert.match(await page.getByLabel('What goes wrong').inputValue(), /String to replace not found/);
    await page.getByLabel('Only for these files').fill('**/*.ts');
    await page.getByLabel('What to do instead').fill('Read the file first');
    await checkAccess(page);
    await press(page, 'Save as a draft');
    await page.getByText('It would have fired on').waitFor();
    const findDrafts = () => list('--status', 'draft', '--search', 'replace');
    const [draft] = await findDrafts();
    assert.deepEqual(draft?.triggers, { tools: ['edit'], paths: ['**/*.ts'] });
    assert.deepEqual(draft?.scope, { kind: 'project', id: kind.projectIds[0] });
    await undoNotice(page, 'Saved as a draft');
    await page.locator('.notice', { hasText: 'Undone' }).waitFor();
    assert.deepEqual(await findDrafts(), []);
    await context.close();
  });

  it('says when a lesson is shown that waits for an error, and counts its failures', async () => {
    const kinds = await board.story.list<{ signature: string; times: number }>('sessions', 'failures');
    const { signature = '', times } = kinds[0] ?? {};
    const known = await add('after-failure');
    await save({ ...known, triggers: { failure: true }, signatureId: signature });
    const { page, context } = await board.visit(`/lessons/${known.slug}`);
    await page.getByText('With the error of a call that fails the same way').waitFor();
    await page.getByText(`${times} past calls failed with this error.`).waitFor();
    assert.equal(await page.getByLabel('Try a command').count(), 0);
    assert.equal(await page.getByText('It would have fired').count(), 0);
    await context.close();
  });

  /** No command writes a lesson with this trigger. */
  async function save(lesson: Lesson): Promise<void> {
    const { openStore } = await import('../../src/keep/store/open-store.ts');
    const store = await openStore({ url: '', file: toDataHome(board.story.dataDir).storeFile });
    try {
      await store.saveLesson(lesson, { by: 'test', reason: 'a test', at: new Date().toISOString() });
    } finally {
      await store.close();
    }
  }

  it('refuses to propose a lesson in a folder that is gone, with the name of the folder', async () => {
    const { slug } = await add('gone');
    const { page, context } = await board.visit(`/lessons/${slug}`);
    await press(page, 'Promote');
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'shop' });
    await press(page, 'Propose it');
    const refusal = page.locator('.notice[data-type="error"]', { hasText: 'folder /home/dev/shop: no longer exists' });
    await refusal.waitFor();
    await context.close();
  });

  it('tells projects of the same name apart wherever one is chosen', async () => {
    for (const name of ['left', 'right']) {
      const cwd = join(board.story.home, name, 'twin');
      mkdirSync(cwd, { recursive: true });
      await board.story.hook('SessionStart.startup', { session_id: name, cwd });
      await board.story.hook('PostToolUse.Bash', { session_id: name, tool_use_id: `toolu_${name}`, cwd });
    }
    await board.story.settle();
    const { slug } = await add('twin');
    const { page, context } = await board.visit('/promotions');
    const listTwins = async (): Promise<readonly string[]> => {
      const names = await page.getByLabel('Project', { exact: true }).locator('option').allTextContents();
      return names.filter((text) => text.includes('twin')).toSorted();
    };
    await eventually(async () => assert.deepEqual(await listTwins(), ['left/twin', 'right/twin']));
    await page.goto(`${board.origin}/lessons/${slug}`);
    await press(page, 'Promote');
    await eventually(async () => assert.deepEqual(await listTwins(), ['left/twin', 'right/twin']));
    await context.close();
  });

  it('rejects a promotion, and undoes that', async () => {
    await board.story.hook('SessionStart.startup', { session_id: 'promoted' });
    await board.story.hook('PostToolUse.Bash', { session_id: 'promoted', tool_use_id: 'toolu_promoted' });
    await board.story.settle();
    const { slug } = await add('promoted', '--fix', 'say it');
    await board.story.cli('lessons', 'promote', 'propose', slug, '--force');
    const { page, context } = await board.visit('/promotions');
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'project' });
    const row = page.locator('.rows > li', { hasText: slug });
    await row.getByRole('button', { name: 'Reject' }).click();
    await row.waitFor({ state: 'detached' });
    await undoNotice(page, 'Rejected');
    await row.getByText('pending').waitFor();
    await context.close();
  });

  it('gives a setting its default again: by Reset, and by the Undo of a change', async () => {
    const { page, context } = await board.visit('/settings');
    const row = page.locator('.setting', { has: page.getByLabel('delivery.maxMode') });
    const control = page.getByLabel('delivery.maxMode');
    await control.selectOption('pause');
    await row.getByText('changed').waitFor();
    await undoNotice(page, 'Saved');
    await page.locator('.notice', { hasText: 'has its default again' }).waitFor();
    await row.getByText('changed').waitFor({ state: 'detached' });
    await control.selectOption('pause');
    await row.getByRole('button', { name: 'Reset' }).click();
    await page.locator('.notice', { hasText: 'Reset' }).waitFor();
    await eventually(async () => assert.equal(await control.inputValue(), 'note'));
    await row.getByText('changed').waitFor({ state: 'detached' });
    await undoNotice(page, 'Reset');
    await eventually(async () => assert.equal(await control.inputValue(), 'pause'));
    await context.close();
  });

  it('pauses everything, says so on every page, and resumes', async () => {
    const isPaused = async (): Promise<boolean> => {
      const status = (await board.story.cli('daemon', 'status')) as { switches?: { pausedAll: boolean } };
      return status.switches?.pausedAll === true;
    };
    const { page, context } = await board.visit('/settings');
    await press(page, 'Pause for an hour');
    await page.locator('.paused').getByText('Paused until').waitFor();
    assert.equal(await isPaused(), true);
    await checkAccess(page);
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.locator('.paused').getByRole('button', { name: 'Resume' }).click();
    await page.locator('.paused').waitFor({ state: 'detached' });
    assert.equal(await isPaused(), false);
    await context.close();
  });
});
