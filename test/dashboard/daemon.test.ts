/** A daemon that has stopped, one that answers again, and tabs that are opened from other tabs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkAccess, type Dashboard, eventually, openDashboard, SKIP } from './open-dashboard.ts';

const AWAY = 'The daemon does not answer. Start it with';

async function withBoard(use: (board: Dashboard) => Promise<void>): Promise<void> {
  const board = await openDashboard();
  try {
    await use(board);
  } finally {
    await board.close();
  }
}

describe('the dashboard and its daemon', { skip: SKIP }, () => {
  it('says on an open page that the daemon has stopped, and shows pages that were never visited', () =>
    withBoard(async (board) => {
      const { page, complaints } = await board.visit('/lessons');
      await page.locator('.rows').waitFor();
      await board.story.cli('daemon', 'stop');
      await page.locator('.away').getByText(AWAY).waitFor();
      await checkAccess(page);
      for (const name of ['Sessions', 'Failures', 'Overview', 'Agents and health', 'Promotions', 'Settings']) {
        await page.getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
      }
      await page.getByRole('alert').getByText('the daemon: does not answer').waitFor();
      // Failed requests are what a browser complains of here, never a script.
      assert.deepEqual(
        complaints.filter((text) => !text.includes('ERR_')),
        [],
      );
    }));

  it('follows the daemon again once it answers at the same address', () =>
    withBoard(async (board) => {
      const { page } = await board.visit('/lessons');
      await page.locator('.rows').waitFor();
      // The network between the page and the daemon is cut: the open feed by loading the page again.
      await page.route('**/api/events', (route) => route.abort());
      await page.reload();
      await page.locator('.rows').waitFor();
      await page.locator('.away').getByText(AWAY).waitFor();
      await board.story.cli('lessons', 'add', '--summary', 'Learned meanwhile', '--program', 'meanwhile');
      assert.equal(await page.getByRole('link', { name: 'Learned meanwhile' }).count(), 0);
      await page.unroute('**/api/events');
      await page.getByRole('link', { name: 'Learned meanwhile' }).waitFor();
      await page.locator('.away').waitFor({ state: 'detached' });
    }));

  it('gives its token to a tab that is opened from it, and never puts it into an address', () =>
    withBoard(async (board) => {
      const { page, context } = await board.visit('/lessons');
      await page.locator('.rows').waitFor();
      const asked: string[] = [];
      context.on('request', (request) => asked.push(request.url()));
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        page
          .locator('.rows a')
          .first()
          .click({ modifiers: ['ControlOrMeta'] }),
      ]);
      // A locator sometimes waits for ever in a tab that a page has opened: for the navigation that made the tab.
      await eventually(async () => assert.match(String(await tab.evaluate('document.body.innerText')), /History/));
      assert.ok(asked.some((url) => url.includes('/api/')));
      assert.deepEqual(
        [...asked, tab.url()].filter((url) => url.includes(board.token)),
        [],
      );
      // It is kept for the tab alone, not for the browser.
      assert.equal(await tab.evaluate('JSON.stringify({ ...localStorage }) + document.cookie'), '{}');
    }));

  it('gives its token to no other origin, to no other browser, and takes none that was never accepted', () =>
    withBoard(async (board) => {
      const { page, context } = await board.visit('/lessons');
      await page.locator('.rows').waitFor();
      const readToken = 'JSON.stringify({ ...sessionStorage })';
      const other = await context.newPage();
      // The same daemon under another name is another origin.
      await other.goto(`${board.origin.replace('127.0.0.1', 'localhost')}/lessons`);
      await other.getByRole('alert').getByText('oncebitten open').waitFor();
      assert.ok(!String(await other.evaluate(readToken)).includes(board.token));
      const stranger = await board.browser.newContext();
      const wrong = await stranger.newPage();
      await wrong.goto(`${board.origin}/lessons#token=${'0'.repeat(64)}`);
      await wrong.getByRole('alert').getByText('oncebitten open').waitFor();
      const late = await stranger.newPage();
      await late.goto(`${board.origin}/lessons`);
      await late.getByRole('alert').getByText('oncebitten open').waitFor();
      assert.equal(await late.evaluate(readToken), '{}');
      await stranger.close();
    }));
});
