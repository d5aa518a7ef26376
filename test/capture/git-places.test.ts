import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { listGitPlaces } from '../../src/capture/projects/git-places.ts';

const read = (command: string, output = '', more: Partial<LiveCall> = {}) =>
  listGitPlaces({
    ...{ agent: 'a', sessionId: 's', contextId: '', callId: 'c', projectId: 'p', tool: 'shell', rawTool: 'Bash' },
    ...{ outcome: 'success', outcomeType: 'exit-code', masked: false, occurredAt: '2026-01-01', cwd: '/w/shop' },
    ...{ command, output },
    ...more,
  });

describe('the facts about a folder in a git command', () => {
  it('are its remote, from a transfer with origin or with the default', () => {
    const pushed = 'To github.com:acme/shop.git\n   1a2b3c4..5d6e7f8  main -> main';
    const shop = [{ folder: '/w/shop', remote: 'github.com/acme/shop' }];
    assert.deepEqual(read('git push', pushed), shop);
    assert.deepEqual(read('git add . && git push -u origin main 2>&1 | tail -3', pushed), shop);
    assert.deepEqual(read('git fetch', 'From https://github.com/acme/shop\n * branch'), shop);
    assert.deepEqual(read('git remote -v', 'origin\thttps://ann:pw@github.com/acme/shop (fetch)\nup\tx (fetch)'), shop);
    assert.deepEqual(read('git push', pushed, { outcome: 'failure' }), shop, 'a refused push tells it as well');
  });

  it('are not the remote of a fork or of somebody else', () => {
    assert.deepEqual(read('git fetch upstream', 'From https://github.com/else/shop'), []);
    assert.deepEqual(read('git push', 'To github.com:a/b.git\nTo github.com:c/d.git'), []);
    assert.deepEqual(read('echo git push', 'To github.com:acme/shop.git'), []);
    assert.deepEqual(read('git push', 'remote: To github.com:acme/shop.git'), []);
    assert.deepEqual(read('git remote -v', 'origin\t[REDACTED] (fetch)'), []);
  });

  it('are about the folder that the command ran in', () => {
    const pushed = 'To github.com:acme/desk.git';
    const desk = [{ folder: '/w/desk', remote: 'github.com/acme/desk' }];
    assert.deepEqual(read('cd ../desk && git push', pushed), desk);
    assert.deepEqual(read('git -C /w/desk push', pushed), desk);
    assert.deepEqual(read('git --namespace shop -C /w/desk push', pushed), desk);
    assert.deepEqual(read('pushd ../desk && git status && popd && git push', pushed), []);
    assert.deepEqual(read('cd "$DESK" && git push', pushed), []);
    assert.deepEqual(read('git --git-dir /x/.git push', pushed), []);
  });

  it('are the source of a worktree or clone, when it is made', () => {
    assert.deepEqual(read('git worktree add -b fix ../shop-fix origin/main'), [
      { folder: '/w/shop-fix', worktreeOf: '/w/shop' },
    ]);
    assert.deepEqual(read('git worktree add ../shop-fix', '', { outcome: 'failure' }), []);
    assert.deepEqual(read('git clone --depth 1 https://github.com/acme/desk.git'), [
      { folder: '/w/shop/desk', remote: 'github.com/acme/desk', isClone: true },
    ]);
    assert.deepEqual(read('git clone git@github.com:acme/desk.git /tmp/d'), [
      { folder: '/tmp/d', remote: 'github.com/acme/desk', isClone: true },
    ]);
  });

  it('are the commits that it made and has', () => {
    assert.deepEqual(read('git commit -m x', '[main (root-commit) 1a2b3c4] x\n 1 file changed'), [
      { folder: '/w/shop', commit: '1a2b3c4', isMade: true },
    ]);
    assert.deepEqual(read('git log --oneline -2', '* 1a2b3c4 x\n* 9f8e7d6 y\n1234567 no letters'), [
      { folder: '/w/shop', commit: '1a2b3c4', isMade: false },
      { folder: '/w/shop', commit: '9f8e7d6', isMade: false },
    ]);
  });
});
