/** The filter, search and order of the lists: each page applies what it shows, and says what it hides. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkAccess, type Dashboard, eventually, openDashboard, SKIP, settle } from './open-dashboard.ts';

interface Kind {
  readonly signature: string;
  readonly message: string;
  readonly times: number;
  readonly projectIds: readonly string[];
  readonly shares: { readonly projects: Readonly<Record<string, number>> };
}

describe('the filter of the dashboard', { skip: SKIP }, () => {
  let board: Dashboard;
  before(async () => {
    board = await openDashboard();
  });
  after(() => board.close());

  it('says how many lessons it hides from review, and lets them be seen', async () => {
    for (const name of ['one', 'two'])
      await board.story.cli('lessons', 'add', '--draft', '--summary', `Draft ${name}`, '--program', name);
    const { page, context } = await board.visit('/review?category=wrong_usage');
    await page.getByText('The filter hides 2 lessons').waitFor();
    assert.equal(await page.getByText('Nothing waits').count(), 0);
    await checkAccess(page);
    await page.getByRole('link', { name: 'Clear the filter' }).click();
    await page.getByRole('heading', { level: 2, name: 'Draft' }).waitFor();
    await page.goto(`${board.origin}/?category=wrong_usage`);
    await page.getByRole('link', { name: 'Decide about 2 lessons' }).click();
    await page.getByRole('heading', { level: 2, name: 'Draft' }).waitFor();
    await context.close();
  });

  it('is applied on the page of a failure, too', async () => {
    const kinds = await board.story.list<Kind>('sessions', 'failures');
    const kind = kinds.find(({ projectIds }) => projectIds.length > 1);
    assert.ok(kind !== undefined);
    const [project = '', times] = Object.entries(kind.shares.projects)[0] ?? [];
    const { page, context } = await board.visit(`/failures/${kind.signature}?project=${project}`);
    await page.locator('.tiles').getByText(`${times} time`).waitFor();
    await page.locator('section', { hasText: 'Calls, the latest first' }).getByText(`${times} call`).waitFor();
    await page.goto(`${board.origin}/failures/${kind.signature}?since=1h`);
    await page.getByRole('link', { name: 'Clear the filter' }).click();
    await page.locator('.tiles').getByText(`${kind.times} times`).waitFor();
    await context.close();
  });

  it('is there on the pages that apply it, and on no other', async () => {
    const [lesson] = await board.story.list<{ slug: string }>('lessons', 'list');
    const [kind] = await board.story.list<Kind>('sessions', 'failures');
    const [session] = await board.story.list<{ sessionId: string }>('sessions');
    const filtered = ['/', '/failures', `/failures/${kind?.signature}`, '/lessons', '/review', '/sessions'];
    const whole = [
      `/lessons/${lesson?.slug}`,
      `/sessions/${session?.sessionId}`,
      '/promotions',
      '/agents',
      '/settings',
    ];
    const { page, context } = await board.visit('/');
    for (const path of [...filtered, ...whole]) {
      await page.goto(`${board.origin}${path}`);
      await settle(page);
      assert.equal(await page.locator('form.filter').count(), filtered.includes(path) ? 1 : 0, path);
    }
    await context.close();
  });

  it('finds lessons that were learned in that time, and those for all projects', async () => {
    const all = await board.story.list<{ scope: { kind: string; id?: string } }>('lessons', 'list');
    const { page, context } = await board.visit('/lessons?since=1d');
    await page.getByText(`${all.length} lessons`, { exact: true }).waitFor();
    const project = all.find(({ scope }) => scope.kind === 'project')?.scope.id ?? '';
    const holding = all.filter(({ scope }) => scope.kind !== 'project' || scope.id === project);
    assert.ok(holding.length < all.length && holding.some(({ scope }) => scope.kind !== 'project'));
    await page.goto(`${board.origin}/lessons?project=${project}`);
    await page.getByText(`${holding.length} lessons`, { exact: true }).waitFor();
    await context.close();
  });

  it('empties the search when it is cleared', async () => {
    const all = await board.story.list('lessons', 'list');
    const { page, context } = await board.visit('/lessons?since=1d');
    const box = page.getByPlaceholder('Search lessons');
    await box.pressSequentially('--stat');
    await page.getByText('1 lesson', { exact: true }).waitFor();
    assert.equal(await box.inputValue(), '--stat');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText(`${all.length} lessons`, { exact: true }).waitFor();
    assert.equal(await box.inputValue(), '');
    await context.close();
  });

  it('searches and sorts failures, and says how many kinds there are', async () => {
    const kinds = await board.story.list<Kind & { last: string }>('sessions', 'failures', '--all');
    const { page, context } = await board.visit('/failures?all=true');
    await page.getByText(`${kinds.length} kinds of failures`).waitFor();
    await page.getByLabel('Sort').selectOption('newest');
    await page.waitForURL(/sort=newest/);
    const newest = kinds.toSorted((a, b) => (a.last < b.last ? 1 : -1))[0];
    const first = page.locator('.rows > li').first().getByRole('link');
    await eventually(async () =>
      assert.match((await first.getAttribute('href')) ?? '', new RegExp(`${newest?.signature}`)),
    );
    await page.getByPlaceholder('Search failures').fill('runInBand unknown');
    await page.getByText(`1 of ${kinds.length} kinds of failures`).waitFor();
    await checkAccess(page);
    await page.getByRole('link', { name: /runInBand/ }).waitFor();
    await context.close();
  });

  it('gives all small pictures one span of time, and draws no bar for zero', async () => {
    const { page, context } = await board.visit('/failures?all=true');
    await page.locator('.trend').first().waitFor();
    const bars = await page
      .locator('.trend')
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('rect')].map((bar) => Number(bar.getAttribute('x')))),
      );
    assert.ok(bars.every((places) => places.length > 0 && places.length < 20));
    assert.ok(new Set(bars.flat()).size > 1);
    // Most happened once, on different days: with a span of its own, each would stand at the same place.
    const once = bars.filter((places) => places.length === 1).map(([place]) => place);
    assert.ok(new Set(once).size > 1, JSON.stringify(once));
    await context.close();
  });

  it('leads from a failed call of a session to its kind of failure', async () => {
    const [call] = await board.story.list<{ sessionId: string }>('sessions', 'failures', '--each');
    const { page, context } = await board.visit(`/sessions/${call?.sessionId}`);
    await page.getByRole('link', { name: 'All failures of this kind' }).first().click();
    await page.getByRole('heading', { name: 'What worked' }).waitFor();
    await context.close();
  });

  it('says how many of the listed sessions made no call', async () => {
    await board.story.hook('SessionStart.startup', { session_id: 'silent' });
    await board.story.settle();
    const { page, context } = await board.visit('/sessions');
    await page.getByText('1 of them made no call').waitFor();
    await context.close();
  });

  it('fits a narrow screen: the name of the page, two days, the table of agents, the choices of a dialog', async () => {
    const [lesson] = await board.story.list<{ slug: string }>('lessons', 'list');
    const { page, context } = await board.visit('/settings', { viewport: { width: 360, height: 740 } });
    await settle(page);
    const isWithin = async (selector: string): Promise<void> => {
      const box = await page.locator(selector).last().boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, `${selector} ${JSON.stringify(box)}`);
    };
    await eventually(() => isWithin('nav [aria-current="page"]'));
    await page.goto(`${board.origin}/sessions?since=2020-01-01&until=2030-01-01`);
    await page.getByLabel('Last day').waitFor();
    await isWithin('.days');
    await page.goto(`${board.origin}/agents`);
    await page.locator('table').waitFor();
    assert.equal(await page.locator('.scroll').evaluate((one) => one.scrollWidth <= one.clientWidth), true);
    await page.locator('table .badge', { hasText: 'connected' }).waitFor();
    await page.goto(`${board.origin}/lessons/${lesson?.slug}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.dialog select').waitFor();
    await isWithin('.dialog select');
    await context.close();
  });

  it('writes the name of a tool as it is', async () => {
    await board.story.hook('SessionStart.startup', { session_id: 'tool' });
    await board.story.hook('PostToolUseFailure.Read', {
      ...{ session_id: 'tool', tool_use_id: 'toolu_tool', tool_name: 'mcp__hub__create_issue' },
      ...{ tool_input: { title: 'x' }, error: 'title is too short: give at least 3 characters' },
    });
    await board.story.settle();
    const { page, context } = await board.visit('/failures?all=true&group=program');
    await page.locator('summary', { hasText: 'create_issue' }).waitFor();
    await context.close();
  });

  it('leads back from an empty overview, and leaves no tile alone in its row', async () => {
    const { page, context } = await board.visit('/?until=2000-01-01', { viewport: { width: 900, height: 700 } });
    await page.getByRole('link', { name: 'Show all calls' }).click();
    await page.locator('.tiles > li').first().waitFor();
    const tops = await page
      .locator('.tiles > li')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
    const rows = [...Map.groupBy(tops, (top) => top).values()].map(({ length }) => length);
    assert.deepEqual(rows, [2, 2]);
    await context.close();
  });

  it('names the field of a wrong value, not an option of a command', async () => {
    const { page, context } = await board.visit('/failures?since=banana');
    await page.getByRole('alert').getByText('since banana').waitFor();
    assert.doesNotMatch(await page.getByRole('alert').innerText(), /--since/);
    await context.close();
  });
});
