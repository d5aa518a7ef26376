import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

/** The real script over the real sources, with a `dist` of its own: others run from the real one meanwhile. */
describe('the build', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-build-'));
    mkdirSync(join(root, 'scripts'));
    for (const name of ['src', 'node_modules']) symlinkSync(join(ROOT, name), join(root, name));
    const scripts = ['build', 'shrink-parser', 'shrink-programs'].map((name) => `scripts/${name}.ts`);
    for (const name of ['package.json', 'package-lock.json', ...scripts])
      copyFileSync(join(ROOT, name), join(root, name));
    build();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const build = (): void => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const dist = (...path: readonly string[]) => join(root, 'dist', ...path);
  const stampedMs = (): number => statSync(dist('build.json')).mtimeMs;

  it('is not made again when nothing changed', () => {
    const before = stampedMs();
    build();
    assert.equal(stampedMs(), before);
  });

  it('is made again when parts of it are gone and its stamp is left', () => {
    const [chunk = ''] = readdirSync(dist('chunks'));
    const parts = [dist('cli.mjs'), dist('hook-body.cjs'), dist('chunks', chunk)];
    for (const part of parts) rmSync(part);
    build();
    for (const part of parts) assert.ok(existsSync(part), part);
  });
});
