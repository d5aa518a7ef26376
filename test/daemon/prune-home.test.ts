import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { pruneHome } from '../../src/surfaces/daemon/run-daemon.ts';
import { renderShim } from '../../src/surfaces/hook/render-shim.ts';

describe('bundles of old versions', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-prune-'));
  after(() => rmSync(dir, { recursive: true }));

  it('are removed after a week, but never those that the hooks run from', () => {
    const home = toDataHome(dir);
    const [used, old, recent] = ['1.0.0+a', '1.0.0+ab', '2.0.0+c'].map((name) => join(home.appDir, name)) as [
      string,
      string,
      string,
    ];
    for (const app of [used, old, recent]) mkdirSync(app, { recursive: true });
    for (const app of [used, old]) utimesSync(app, new Date(0), new Date(0));
    mkdirSync(dirname(home.hookFile));
    writeFileSync(home.hookFile, renderShim({ bash: '/bin/bash', node: '/usr/bin/node', dataDir: dir, app: used }));
    pruneHome(home, Date.now());
    assert.deepEqual([used, old, recent].map(existsSync), [true, false, true]);
  });
});
