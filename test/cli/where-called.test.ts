/** From where a command is run. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findCallersFolder } from '../../src/surfaces/cli/caller.ts';
import { CLI } from '../run-cli.ts';
import { openShell, ROOT } from './open-shell.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'ob-where-')));
after(() => rmSync(dir, { recursive: true }));

describe('the folder that a command is about', () => {
  const called = { INIT_CWD: '/shop', npm_lifecycle_event: 'oncebitten', npm_package_json: '/ours/package.json' };

  it('is where npm was called, not where it runs the script', () => {
    assert.equal(findCallersFolder(called, '/ours'), '/shop');
  });

  it('is the one we are in where a script of another package calls us, or no script at all', () => {
    assert.equal(findCallersFolder({ ...called, npm_package_json: '/shop/package.json' }, '/ours'), undefined);
    assert.equal(findCallersFolder({ ...called, npm_lifecycle_event: 'start' }, '/ours'), undefined);
    assert.equal(findCallersFolder({}, '/ours'), undefined);
  });

  it('counts for every path that is given', async () => {
    const shell = openShell();
    const env = { INIT_CWD: dir, npm_lifecycle_event: 'oncebitten', npm_package_json: join(ROOT, 'package.json') };
    const { stdout } = await shell.run(['pause', '--project', '.', '--for', '1h', '--json'], { env, cli: CLI });
    assert.ok(stdout.includes(dir), stdout);
    await shell.close();
  });
});
