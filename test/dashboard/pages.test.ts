/** Every page with the sample sessions, without any data, and while data changes. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { findDist } from '../../src/loop/home/program-files.ts';
import { drawPages, PAGES } from './draw-pages.ts';
import { checkAccess, type Dashboard, eventually, openDashboard, SKIP, settle } from './open-dashboard.ts';

const NARROW = { viewport: { width: 360, height: 740 } };

describe('the pages of the dashboard', { skip: SKIP }, () => {
  let board: Dashboard;
  before(async () => {
    board = await openDashboard();
  });
  after(() => board.close());

  for (const path of PAGES)
    it(`shows ${path} to everybody, on a wide and on a narrow screen, light and dark`, async () => {
      for (const how of [{}, { ...NARROW, colorScheme: 'dark' as const }]) {
        const { page, context, complaints } = await board.visit(path, how);
        await settle(page);
        assert.equal(await page.getByRole('alert').count(), 0);
        await checkAccess(page);
        const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        assert.equal(await page.evaluate(isTooWide), false, 'the page scrolls sideways');
        assert.deepEqual(complaints, []);
        await context.close();
      }
    });

  it('draws every page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oncebitten-pictures-'));
    try {
      const files = await drawPages(board, { folder, widths: [1024], schemes: ['light'] });
      assert.equal(files.length, PAGES.length + 3);
      for (const file of files) assert.ok(statSync(file).size > 10_000, file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('loads less than 250 KB before the first page', () => {
    const folder = join(findDist(), 'dashboard/assets');
    const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name))).length);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 250_000, sizes.join(' '));
  });

  it('says in one sentence what went wrong', async () => {
    const { page, context } = await board.visit('/');
    await settle(page);
    const { calls } = (await board.story.cli('stats')) as { calls: Record<'calls' | 'failures' | 'repeats', number> };
    const text = await page.locator('.headline').innerText();
    for (const figure of [calls.calls, calls.failures, calls.repeats])
      assert.match(text, new RegExp(`\\b${figure}\\b`));
    await context.close();
  });

  it('leads from a failure to its calls, its session and its lesson', async () => {
    const { page, context } = await board.visit('/failures');
    await page.getByRole('link', { name: /unknown flag: --stat/ }).click();
    await page.getByRole('heading', { level: 1, name: /--stat/ }).waitFor();
    await page.getByText('gh pr diff').first().waitFor();
    await checkAccess(page);
    await page.getByRole('link', { name: 'Open the session' }).first().click();
    await page.locator('.timeline').waitFor();
    await checkAccess(page);
    await page.goBack();
    await page.getByRole('link', { name: /--name-only/ }).click();
    await page.getByLabel('Try a command').waitFor();
    await context.close();
  });

  it('keeps the filter in the address and on the way to other pages', async () => {
    const { page, context } = await board.visit('/failures');
    await settle(page);
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'ledger' });
    await page.waitForURL(/project=/);
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.waitForURL(/sessions\?.*project=/);
    // The rows of the page before stay until those of this one have come.
    await eventually(async () => {
      const rows = await page.locator('.rows > li > a').allTextContents();
      assert.deepEqual([...new Set(rows)], ['ledger']);
    });
    await context.close();
  });

  it('has the whole filter on every page about calls, and asks with it', async () => {
    for (const path of ['/', '/failures', '/lessons', '/review', '/sessions']) {
      const { page, context, complaints } = await board.visit(`${path}?category=missing_dependency&since=2020-01-01`);
      await settle(page);
      assert.equal(await page.getByLabel('Category', { exact: true }).inputValue(), 'missing_dependency', path);
      assert.equal(await page.getByLabel('First day').inputValue(), '2020-01-01', path);
      for (const name of ['Time', 'Project', 'Agent', 'Model'])
        assert.equal(await page.getByLabel(name, { exact: true }).count(), 1, `${path} ${name}`);
      assert.equal(await page.getByRole('alert').count(), 0, path);
      assert.doesNotMatch(await page.locator('main').innerText(), /--stat/, path);
      assert.deepEqual(complaints, [], path);
      await context.close();
    }
  });

  it('groups failures by model, with the number of each, and keeps the grouping in the address', async () => {
    const { page, context } = await board.visit('/failures');
    await page.getByLabel('Group').selectOption('model');
    await page.waitForURL(/group=model/);
    const kinds = await board.story.list<{ shares: { models: Record<string, number> } }>('sessions', 'failures');
    const models = new Set(kinds.flatMap(({ shares }) => Object.keys(shares.models)));
    assert.ok(models.size > 1);
    for (const model of models) {
      const count = kinds.reduce((sum, { shares }) => sum + (shares.models[model] ?? 0), 0);
      await page.locator('summary', { hasText: model }).getByText(`${count} failure`).waitFor();
    }
    await context.close();
  });

  it('follows a session while it runs', async () => {
    const { page, context } = await board.visit('/sessions');
    await settle(page);
    await board.story.hook('SessionStart.startup', { session_id: 'followed' });
    const call = (n: number, command: string) =>
      board.story.hook('PostToolUse.Bash', {
        session_id: 'followed',
        tool_use_id: `toolu_${n}`,
        tool_input: { command },
      });
    await call(1, 'echo first');
    await page.locator('a[href*="/sessions/followed"]').click();
    await page.locator('.timeline').getByText('echo first').waitFor();
    await page.getByText('running').waitFor();
    await call(2, 'echo second');
    await page.locator('.timeline').getByText('echo second').waitFor();
    await context.close();
  });

  it('shows a new call while the page is open', async () => {
    const { page, context } = await board.visit('/sessions');
    await settle(page);
    await board.story.hook('SessionStart.startup', { session_id: 'live' });
    await board.story.hook('PostToolUse.Bash', { session_id: 'live', tool_use_id: 'toolu_live' });
    await page.locator('a[href*="/sessions/live"]').waitFor();
    await context.close();
  });

  it('changes a setting and undoes it', async () => {
    const { page, context } = await board.visit('/settings');
    const read = () => board.story.cli('config', 'get', 'delivery.maxMode');
    const control = page.getByLabel('delivery.maxMode');
    await control.selectOption('pause');
    await page.getByText('delivery.maxMode = pause').waitFor();
    await eventually(async () => assert.equal(await read(), 'pause'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => assert.deepEqual([await control.inputValue(), await read()], ['note', 'note']));
    await context.close();
  });

  it('refuses a value that a setting does not take, and says why', async () => {
    const { page, context } = await board.visit('/settings');
    const control = page.getByLabel('privateProjects');
    await control.fill('not a list');
    await control.press('Enter');
    await page.locator('.notice[data-type="error"]').getByText('setting privateProjects').waitFor();
    await context.close();
  });

  it('writes a lesson from a failure that has none', async () => {
    const { page, context } = await board.visit('/failures');
    await page.getByLabel(/no other call/).check();
    await page
      .locator('.rows > li', { has: page.locator('.badge', { hasText: 'open' }) })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('button', { name: 'Write one' }).click();
    await page.getByLabel('The lesson in one sentence').fill('Read the log first');
    await page.getByLabel('What to do instead').fill('Read the log first');
    await checkAccess(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Read the log first' }).waitFor();
    await context.close();
  });
});

describe('the dashboard of a machine where no agent is connected', { skip: SKIP }, () => {
  it('says first that an agent must be connected', async () => {
    const board = await openDashboard({ isConnected: false });
    try {
      for (const path of ['/', '/agents']) {
        const { page, context } = await board.visit(path);
        await page.getByText('Connect your agent with').waitFor();
        await checkAccess(page);
        await context.close();
      }
    } finally {
      await board.close();
    }
  });
});

describe('the dashboard without any data', { skip: SKIP }, () => {
  let board: Dashboard;
  before(async () => {
    board = await openDashboard({ hasSamples: false });
  });
  after(() => board.close());

  for (const path of PAGES)
    it(`says at ${path} what to do`, async () => {
      const { page, context, complaints } = await board.visit(path);
      await settle(page);
      assert.equal(await page.getByRole('alert').count(), 0);
      await checkAccess(page);
      assert.deepEqual(complaints, []);
      await context.close();
    });

  it('knows no lesson, failure, session or page of another name', async () => {
    for (const path of ['/lessons/none', '/failures/none', '/sessions/none', '/none']) {
      const { page, context } = await board.visit(path);
      await page.locator('.trouble, .empty').waitFor();
      await context.close();
    }
  });
});
