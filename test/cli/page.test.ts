import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from '../../src/surfaces/cli/paging.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

/** Every command that lists rows. */
const LISTS = [
  ['lessons', 'list'],
  ['lessons', 'starter'],
  ['findings'],
  ['failures'],
  ['failures', '--each'],
  ['deliveries'],
  ['session'],
  ['projects', 'list'],
  ['config', 'list'],
  ['config', 'explain', 'retention'],
  ['review'],
  ['patterns'],
  ['signature'],
];

describe('a list as JSON', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    await shell.json('scan', '--path', join(ROOT, 'samples/sessions'));
  });
  after(() => shell.close());

  for (const args of LISTS)
    it(`has items, total and next: ${args.join(' ')}`, async () => {
      const { items, total, next } = await shell.json<Page<unknown>>(...args);
      assert.equal(Array.isArray(items), true);
      assert.equal(next === null ? items.length : next - 1, next === null ? total : items.length);
    });

  it('can be read page by page: next is where the following page begins', async () => {
    const all = await shell.json<Page<{ id: string }>>('sessions', 'failures', '--each', '--all');
    assert.ok(all.total > 4, 'the samples have some failures');
    assert.deepEqual([all.items.length, all.next], [all.total, null]);
    const read: { id: string }[] = [];
    for (let from: number | null = 1; from !== null; ) {
      const page: Page<{ id: string }> = await shell.json(
        'sessions',
        'failures',
        '--each',
        '--limit',
        '2',
        '--from',
        String(from),
      );
      assert.equal(page.total, all.total);
      read.push(...page.items);
      from = page.next;
    }
    assert.deepEqual(read, all.items);
  });

  it('is empty past its end', async () => {
    const page = await shell.json<Page<unknown>>('sessions', 'findings', '--from', '999999');
    assert.deepEqual([page.items, page.next], [[], null]);
  });

  it('tells a person how many rows are not shown', async () => {
    const { stdout } = await shell.run(['sessions', 'failures', '--each', '--limit', '1']);
    assert.match(stdout, /^Row 1 of \d+\..*--from 2.*--all/m);
  });
});

describe('a command that needs a sub-command', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  it('lists the sub-commands when none, or an unknown one, is given', async () => {
    for (const args of [['daemon'], ['daemon', 'frob']]) {
      const { code, stderr } = await shell.run(args, { home: false });
      assert.equal(code, 2);
      for (const name of ['status', 'start', 'stop']) assert.match(stderr, new RegExp(`\\b${name}\\b`));
    }
  });
});
