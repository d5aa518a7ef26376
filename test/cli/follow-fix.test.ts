import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { findStaleSummary, followFix } from '../../src/surfaces/cli/lessons/edit.ts';
import { openShell, type Shell } from './open-shell.ts';

describe('a new fix', () => {
  const follow = (summary: string, remediation: string, fix: string) =>
    followFix({ summary, remediation }, { remediation: fix }).summary;

  it('stands in the summary that quoted the old one', () => {
    assert.equal(follow('no `--stat`: use `gh a`', 'gh a', 'gh b $& --x'), 'no `--stat`: use `gh b $& --x`');
    assert.equal(follow('use npm i, always npm i', 'npm i', 'pnpm i'), 'use pnpm i, always pnpm i');
  });

  it('leaves a summary that does not quote the old one, or that somebody gives too', () => {
    assert.equal(follow('use pnpm install', 'npm i', 'yarn'), undefined);
    assert.equal(follow('use `x`', '', 'yarn'), undefined);
    assert.equal(follow('use `x`', 'x', 'one\ntwo'), undefined, 'a summary is one line');
    assert.equal(follow('use `x`', 'x', 'y'.repeat(300)), undefined, 'and not longer than it may be');
    assert.deepEqual(followFix({ summary: 'use x', remediation: 'x' }, { summary: 'mine', remediation: 'y' }), {
      summary: 'mine',
      remediation: 'y',
    });
    assert.deepEqual(followFix({ summary: 'use x', remediation: 'x' }, { priority: 3 }), { priority: 3 });
  });

  it('is in the summary, or it is said that it is not', () => {
    const words = fc.stringMatching(/^[a-z]+( [a-z-]+){0,2}$/);
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), words, words, fc.boolean(), (text, old, fix, quotes) => {
        fc.pre(old !== fix);
        const lesson = { summary: quotes ? `${text} \`${old}\`` : text, remediation: old };
        const patch = { remediation: fix };
        const edited = { ...lesson, ...followFix(lesson, patch) };
        const stale = findStaleSummary(lesson, patch, edited);
        if (quotes) assert.equal(stale, undefined);
        assert.equal(stale === undefined, edited.summary.includes(fix));
      }),
    );
  });
});

describe('lessons edit --fix', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());
  const add = async (summary: string, program: string) =>
    (await shell.json<Lesson>('lessons', 'add', '--summary', summary, '--fix', 'gh a', '--program', program)).slug;

  it('changes the summary with it, and undo takes both back', async () => {
    const slug = await add('no `--stat`: use `gh a`', 'gh pr');
    const { lesson, changed } = await shell.json<{ lesson: Lesson; changed: string[] }>(
      ...['lessons', 'edit', slug, '--fix', 'gh b'],
    );
    assert.deepEqual([lesson.summary, changed.toSorted()], ['no `--stat`: use `gh b`', ['remediation', 'summary']]);
    await shell.json('lessons', 'undo', slug);
    const back = await shell.json<{ lesson: Lesson }>('lessons', 'show', slug);
    assert.match(JSON.stringify(back), /use `gh a`/);
  });

  it('warns where the summary says it in other words', async () => {
    const slug = await add('leave the flag out of gh', 'gh issue');
    const { stdout } = await shell.run(['lessons', 'edit', slug, '--fix', 'gh c']);
    assert.match(stdout, /But its summary still says: leave the flag out of gh\. .*lessons edit .* --summary/);
  });
});
