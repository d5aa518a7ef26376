import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isPrivate } from '../../src/base/model/switches.ts';
import { toPrivateFolders } from '../../src/keep/settings/check-settings.ts';

describe('private folders', () => {
  it('include everything inside them, however they are written', () => {
    for (const written of ['~/no-such-secret', '~/no-such-secret/', join(homedir(), 'no-such-secret')]) {
      const folders = toPrivateFolders([written]);
      assert.equal(isPrivate(join(homedir(), 'no-such-secret'), folders), true, written);
      assert.equal(isPrivate(join(homedir(), 'no-such-secret/deep/er'), folders), true, written);
      assert.equal(isPrivate(join(homedir(), 'no-such-secret2'), folders), false, written);
    }
    assert.equal(isPrivate('/anywhere', toPrivateFolders(['/'])), true);
    assert.equal(isPrivate('/a/~/b', toPrivateFolders(['~'])), false);
  });

  it('are also recognized by a link to them', () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-private-')));
    mkdirSync(join(root, 'real'));
    symlinkSync(join(root, 'real'), join(root, 'link'));
    const folders = toPrivateFolders([join(root, 'link')]);
    assert.equal(isPrivate(join(root, 'real', 'src'), folders), true);
    assert.equal(isPrivate(join(root, 'link', 'src'), folders), true);
    rmSync(root, { recursive: true });
  });
});
