import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { type FileCall, writeSession } from '../stories/session-file.ts';
import { openPty, type Pty } from './open-pty.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

const START = Date.UTC(2026, 0, 2);
const HOUR = 3_600_000;

/** A flag that was wrong, its fix, and the same flag that works. */
const toCalls = (name: string, command: string): readonly (readonly FileCall[])[] => [
  [
    { id: `${name}-1`, command: `${command} --stat`, error: 'Exit code 1\nunknown flag: --stat' },
    { id: `${name}-2`, command: `${command} --name-only`, output: 'a.ts' },
  ],
  [{ id: `${name}-3`, command: `${command} --stat`, output: 'a.ts | 2 +-' }],
];

describe('backtest --fix', { timeout: 900_000 }, () => {
  let shell: Shell;
  let ptys: Pty[] = [];
  let slugs: readonly string[] = [];
  before(async () => {
    shell = openShell();
    const dir = join(shell.home, 'sessions');
    const all = [...toCalls('diff', 'gh pr diff 7'), ...toCalls('list', 'gh run list')];
    for (const [n, calls] of all.entries()) {
      const place = { session: `s${n}`, cwd: join(shell.home, 'shop'), atMs: START + n * HOUR };
      writeSession(join(dir, `s${n}.jsonl`), place, calls);
    }
    await shell.json('scan', '--agent', 'claude-code', '--path', dir);
    slugs = (await shell.list<Lesson>('lessons', 'list')).map(({ slug }) => slug);
    assert.equal(slugs.length, 2);
  });
  beforeEach(async () => {
    for (const slug of slugs) {
      await shell.run(['lessons', 'restore', slug]);
      await shell.run(['lessons', 'unmute', slug]);
    }
  });
  after(async () => {
    for (const pty of ptys) pty.kill();
    ptys = [];
    await shell.close();
  });

  const open = (env: Readonly<Record<string, string>> = {}): Pty => {
    const command = `'${process.execPath}' '${join(ROOT, 'dist/cli.mjs')}' backtest --fix --home '${shell.dataDir}'`;
    const pty = openPty(command, { cwd: shell.home, env: { ...shell.env, TERM: 'xterm', ...env } });
    ptys.push(pty);
    return pty;
  };
  const countArchived = async (): Promise<number> =>
    (await shell.list<Lesson>('lessons', 'list', '--all')).filter(({ status }) => status === 'archived').length;
  const countMutes = async (): Promise<number> =>
    (await shell.json<{ muted: readonly unknown[] }>('lessons', 'unmute', '--all')).muted.length;

  it('shows the report, then each lesson with its false alarms, and archives or mutes with one key', async () => {
    const pty = open();
    await pty.see('Of 2 failures, 1 repeated an earlier one');
    await pty.see('Worst false alarms');
    await pty.see(/1 of 2 {2}gh-/);
    await pty.see(/wrong 1 of 1 times, last at: gh .* --stat/);
    pty.type('?');
    await pty.see('mute: silent until you unmute it');
    pty.type('a');
    await pty.see('archived');
    await pty.see(/2 of 2 {2}gh-/);
    assert.equal(await countArchived(), 1);
    pty.type('m');
    await pty.see('1 archived, 1 muted of 2 lessons');
    assert.equal(await pty.ended, 0);
    assert.equal(await countMutes(), 1);
  });

  it('takes each decision back, and leaves everything as it was', async () => {
    const pty = open();
    await pty.see('1 of 2');
    pty.type('m');
    await pty.see('2 of 2');
    assert.equal(await countMutes(), 1);
    pty.type('u');
    await pty.see(/taken back: gh-\S+ was muted/);
    await pty.see('1 of 2');
    assert.equal(await countMutes(), 0);
    pty.type('a');
    await pty.see('2 of 2');
    pty.type('u');
    await pty.see(/taken back: gh-\S+ was archived/);
    pty.type('sq');
    await pty.see('1 skipped');
    assert.equal(await pty.ended, 0);
    assert.equal(await countArchived(), 0);
  });

  it('opens the person’s own editor', async () => {
    const editor = join(shell.home, 'editor.sh');
    writeFileSync(
      editor,
      '#!/bin/sh\nsed "s/\\"priority\\": [0-9]*/\\"priority\\": 9/" "$1" > "$1.new" && mv "$1.new" "$1"\n',
    );
    chmodSync(editor, 0o755);
    const pty = open({ EDITOR: editor });
    await pty.see('1 of 2');
    pty.type('e');
    await pty.see('edited');
    pty.type('q');
    assert.equal(await pty.ended, 0);
    const lessons = await shell.list<Lesson>('lessons', 'list', '--all');
    assert.equal(lessons.filter(({ priority }) => priority === 9).length, 1);
  });
});
