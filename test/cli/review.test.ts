import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { splitKeys } from '../../src/surfaces/cli/terminal.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { openStory, type Story } from '../stories/open-story.ts';
import { openPty, type Pty } from './open-pty.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');
const LEARNED = { by: 'distill/x@1', reason: 'learned, draft: 2 hits, 1 false alarms in past calls', at: '2026-01-01' };
const draft = (slug: string, priority: number): Lesson =>
  makeTestLesson({
    ...{ slug, priority, status: 'draft', summary: `lesson ${slug}`, confidence: 0.6 },
    origin: { kind: 'episode', by: 'distill/x@1', trust: 'observed' },
    evidence: [{ agent: 'claude-code', sessionId: 's1', at: '2026-01-01T10:00:00.000Z', excerpt: `seen in ${slug}` }],
  });

describe('review', () => {
  let story: Story;
  let ptys: Pty[] = [];
  before(async () => {
    story = await openStory({ install: false });
  });
  beforeEach(async () => {
    const store = await openStore({ url: '', file: join(story.dataDir, 'oncebitten.db') });
    for (const old of await store.listLessons()) await store.saveLesson({ ...old, status: 'archived' }, LEARNED);
    for (const lesson of [draft('one', 8), draft('two', 6), draft('three', 4)]) {
      const known = await store.findLesson(lesson.slug);
      await store.saveLesson({ ...lesson, id: known?.id ?? lesson.id }, LEARNED);
    }
    await store.close();
  });
  after(async () => {
    for (const pty of ptys) pty.kill();
    ptys = [];
    await story.close();
  });

  const open = (env: Readonly<Record<string, string>> = {}): Pty => {
    const command = `'${process.execPath}' '${CLI}' review`;
    const pty = openPty(command, { cwd: story.project, env: { ...story.env, TERM: 'xterm', ...env } });
    ptys.push(pty);
    return pty;
  };
  const statuses = async (): Promise<Readonly<Record<string, string>>> => {
    const lessons = await story.list<Lesson>('lessons', 'list', '--all');
    return Object.fromEntries(lessons.map(({ slug, status }) => [slug, status]));
  };

  it('goes through what waits, weightiest first, by keys alone, and carries each decision out at once', async () => {
    const pty = open();
    await pty.see('1 of 3  one');
    await pty.see('seen in one');
    pty.type('?');
    await pty.see('approve: it fires from now on');
    pty.type('a');
    await pty.see('approved');
    await pty.see('2 of 3  two');
    assert.equal((await statuses()).one, 'active');
    pty.type('r');
    await pty.see('rejected');
    await pty.see('3 of 3  three');
    pty.type('s');
    await pty.see(/1 approved, 1 rejected, 1 skipped; 1 still wait/);
    assert.equal(await pty.ended, 0);
    assert.deepEqual(await statuses(), { one: 'active', two: 'archived', three: 'draft' });
  });

  it('shows when a lesson speaks, and what the back-test said', async () => {
    const pty = open();
    await pty.see(/fires on +`gh pr diff --stat`/);
    await pty.see(/past calls +2 hits, 1 false alarms in past calls/);
    pty.type('q');
    await pty.see('Nothing was decided; 3 still wait');
    assert.equal(await pty.ended, 0);
  });

  it('shows every word that would be delivered, and every reason why it was held, as `lessons show` does', async () => {
    const store = await openStore({ url: '', file: join(story.dataDir, 'oncebitten.db') });
    const [known] = (await store.listLessons()).filter(({ slug }) => slug === 'one');
    assert.ok(known);
    const body = { title: 'before a build', items: ['warm the cache', `x${'y'.repeat(2_500)} end-of-item`] };
    const reasons = [
      'learned, draft: held back: its remedy downloads something and runs it, its words are not from calls; only words tell of it',
      'seen again: held back: its remedy destroys what cannot be brought back; only words tell of it',
    ];
    const triggers = { actionKeywords: ['freeze'] };
    for (const [n, reason] of reasons.entries())
      await store.saveLesson(
        { ...known, type: 'checklist', body, triggers, priority: 5 },
        { ...LEARNED, reason, at: `2026-01-0${n + 2}` },
      );
    await store.close();
    const run = (...args: readonly string[]): string =>
      spawnSync(process.execPath, [CLI, ...args], { env: { ...process.env, ...story.env }, encoding: 'utf8' }).stdout;
    assert.match(run('review', '--list'), /but +it does not fire .*below minScore/);
    for (const shown of [run('review', '--list'), run('lessons', 'show', 'one')]) {
      assert.match(shown, /says +- \[ \] warm the cache/);
      assert.match(shown, /end-of-item/);
      assert.match(shown, /held back +its remedy downloads something and runs it\n/);
      assert.match(shown, /held back +its words are not from calls\n/);
      assert.match(shown, /held back +its remedy destroys what cannot be brought back\n/);
    }
  });

  it('takes decisions back', async () => {
    const pty = open();
    await pty.see('1 of 3  one');
    pty.type('r');
    await pty.see('2 of 3  two');
    pty.type('u');
    await pty.see('taken back: one was rejected');
    await pty.see('1 of 3  one');
    pty.type('\x03');
    assert.equal(await pty.ended, 0);
    assert.equal((await statuses()).one, 'draft');
  });

  it('lets a lesson be edited in the person’s own editor', async () => {
    const editor = join(story.home, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed "s/lesson one/lesson number one/" "$1" > "$1.new" && mv "$1.new" "$1"\n');
    chmodSync(editor, 0o755);
    const pty = open({ EDITOR: editor });
    await pty.see('1 of 3  one');
    pty.type('e');
    await pty.see('edited');
    pty.type('q');
    assert.equal(await pty.ended, 0);
    const lessons = await story.list<Lesson>('lessons', 'list', '--all');
    assert.equal(lessons.find(({ slug }) => slug === 'one')?.summary, 'lesson number one');
  });

  it('lists without a terminal, and decides by name, all or none', async () => {
    const lessons = await story.list<Lesson>('lessons', 'review');
    assert.deepEqual(
      lessons.map(({ slug }) => slug),
      ['one', 'two', 'three'],
    );
    await story.cli('review', '--approve', 'one', '--approve', 'two', '--reject', 'three', '--reason', 'looked at');
    assert.deepEqual(await statuses(), { one: 'active', two: 'active', three: 'archived' });
    assert.deepEqual(await story.list('lessons', 'review'), []);
  });

  it('says what is wrong with bad input, and changes nothing', async () => {
    const bad = (...args: readonly string[]) =>
      spawnSync(process.execPath, [CLI, 'review', ...args], { cwd: story.project, env: story.env, encoding: 'utf8' });
    for (const [expected, ...args] of [
      [1, '--approve', 'nobody', '--reject', 'one'],
      [2, '--approve', 'one', '--reject', 'one'],
      [2, '--limit', 'many'],
    ] as const) {
      const { status, stderr } = bad(...args);
      assert.equal(status, expected);
      assert.match(stderr, /next: /);
    }
    assert.deepEqual(await statuses(), { one: 'draft', two: 'draft', three: 'draft' });
  });

  it('takes a name without its four random signs', async () => {
    const store = await openStore({ url: '', file: join(story.dataDir, 'oncebitten.db') });
    for (const slug of ['long-a7k2', 'other-b8m3']) await store.saveLesson(draft(slug, 4), LEARNED);
    await store.close();
    const { decided } = (await story.cli('review', '--approve', 'long', '--reject', 'other')) as { decided: unknown };
    assert.deepEqual(decided, [
      { slug: 'long-a7k2', verdict: 'approved' },
      { slug: 'other-b8m3', verdict: 'rejected' },
    ]);
    const { 'long-a7k2': approved, 'other-b8m3': rejected } = await statuses();
    assert.deepEqual([approved, rejected], ['active', 'archived']);
    await assert.rejects(
      story.cli('review', '--approve', 'long', '--reject', 'long-a7k2'),
      /both --approve and --reject/,
    );
  });
});

describe('keys of a terminal', () => {
  it('are told apart when they come together, an arrow being one', () => {
    assert.deepEqual(splitKeys('as\x1b[Aq\x1bOHü'), ['a', 's', '\x1b[A', 'q', '\x1bOH', 'ü']);
    assert.deepEqual(splitKeys(''), []);
  });
});
