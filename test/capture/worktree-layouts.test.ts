import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AGENTS } from '../../src/agents/agents.ts';
import { findWorktreePlace } from '../../src/capture/projects/identify-project.ts';

const LAYOUTS = AGENTS.flatMap(({ worktree }) => worktree ?? []);
const find = (path: string) => findWorktreePlace(path, LAYOUTS);

describe('the path of a deleted worktree', () => {
  const rootOf = (path: string) => find(path)?.root;

  it('shows its repository if it is inside', () => {
    for (const path of [
      '/w/shop/.claude/worktrees/fix',
      '/w/shop/.claude/worktrees/fix/src/api',
      '/w/shop/.gemini/worktrees/fix',
      '/w/shop/.worktrees/ann/fix',
    ])
      assert.equal(rootOf(path), '/w/shop', path);
  });

  it('shows the name of its repository if an agent keeps it elsewhere', () => {
    const place = find('/home/ann/.codex/worktrees/ab12/shop/src');
    assert.deepEqual(place, { root: '/home/ann/.codex/worktrees/ab12/shop', name: 'shop', isInside: false });
    assert.equal(find('/data/.cursor/worktrees/shop/Xy1')?.name, 'shop');
  });

  it('never takes a home folder for a repository', () => {
    for (const path of ['/home/ann/.worktrees/shop/fix', '/Users/ann/.claude/worktrees/fix', '/root/.worktrees/x'])
      assert.equal(find(path), undefined, path);
  });

  it('is not seen in other paths', () => {
    for (const path of ['/w/shop', '/w/worktrees/shop', '/w/shop/worktrees/x']) assert.equal(rootOf(path), undefined);
  });
});
