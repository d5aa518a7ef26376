import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stripAnsi } from '../../src/base/text/strip-ansi.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeChange, makeLesson, makeProject } from '../contracts/store/make-samples.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

const COMMANDS = [
  'lessons list',
  'lessons starter',
  'failures',
  'failures --each',
  'findings',
  'config list',
  'doctor',
  'history',
  'session',
  'patterns',
  'compliance',
  'audit',
  'deliveries',
  'projects list',
  'promote list',
];

describe('what is printed', () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    await shell.json('scan', '--path', join(ROOT, 'samples/sessions'));
  });
  after(() => shell.close());

  const assertFits = async (command: string, told: number, columns = told) => {
    const lines = stripAnsi(await shell.show(command.split(' '), told)).split('\n');
    assert.ok(lines.length > 2, lines.join('\n'));
    for (const line of lines) {
      // What is to be copied, and code, is never broken.
      const [words = ''] = line.split(/oncebitten |`/);
      assert.ok(line.length <= columns || words.trim() === '', line);
    }
    return Math.max(...lines.map((line) => line.length));
  };

  for (const command of COMMANDS) it(`fits the terminal: ${command}`, async () => void (await assertFits(command, 80)));

  it('takes the room that there is, and 80 columns where nobody knows', async () => {
    assert.ok((await assertFits('failures', 132)) > 100);
    await assertFits('failures', 0, 80);
  });

  it('is wrapped once in a narrow terminal: each line of a sentence takes as many words as fit', async () => {
    const shown = (await shell.show(['sessions', 'failures'], 50)).split('\n');
    const lines = shown.slice(0, shown.indexOf(''));
    assert.ok(lines.length > 1, shown.join('\n'));
    for (const [n, line] of lines.slice(0, -1).entries()) {
      // A percent sign stays beside its number.
      const [word = ''] = /^\S+(?: %\S*)?/.exec(lines[n + 1] ?? '') ?? [];
      assert.ok(`${line} ${word}`.length > 50, lines.join('\n'));
    }
  });

  it('is whole for a program: a line for each record', async () => {
    const { stdout } = await shell.run(['sessions', 'failures']);
    const failures = await shell.list<{ readonly signature: string }>('sessions', 'failures');
    const lines = stdout.split('\n');
    for (const { signature } of failures) assert.equal(lines.filter((line) => line.includes(signature)).length, 1);
    assert.ok(lines.some((line) => line.length > 132));
  });

  it('is never cut in a pipe', async () => {
    // Signatures hold this sign themselves.
    for (const args of [['failures', '--each'], ['findings'], ['session']]) {
      const { stdout } = await shell.run(args);
      assert.doesNotMatch(stdout, /…/, args.join(' '));
    }
    const patterns = await shell.list<{ what: string }>('sessions', 'patterns');
    const { stdout } = await shell.run(['sessions', 'patterns']);
    for (const { what } of patterns) assert.ok(stdout.includes(what), what);
  });
});

describe('a record that is longer than a screen is wide', () => {
  let shell: Shell;
  const slug = `a-lesson-with-a-long-name-${'and-more-'.repeat(4)}x7k2`;
  const roots = Array.from({ length: 9 }, (_, n) => `/home/ann/clone-${n}/shop`);
  before(async () => {
    shell = openShell();
    const store = await openSqliteStore(join(shell.dataDir, 'oncebitten.db'));
    for (const root of roots) await store.saveProjects([makeProject({ root })]);
    const lesson = makeLesson({ slug });
    await store.saveLesson(lesson, makeChange('new'));
    await store.saveLesson({ ...lesson, mistake: `${'before '.repeat(30)}end` }, makeChange('longer'));
    await store.close();
  });
  after(() => shell.close());

  it('is whole in a pipe, and cut to fit a terminal: lessons history', async () => {
    const args = ['lessons', 'history', slug];
    assert.ok((await shell.run(args)).stdout.includes(`-> ${'before '.repeat(30)}end`));
    assert.match(await shell.show(args, 80), /…/);
  });

  it('is whole in a pipe, and cut to fit a terminal: projects list', async () => {
    const { stdout } = await shell.run(['data', 'projects', 'list']);
    for (const root of roots) assert.ok(stdout.includes(`  ${root}\n`), root);
    assert.match(await shell.show(['data', 'projects', 'list'], 80), /… and 6 more folders/);
  });

  it('is whole in a pipe, and cut to fit a terminal: lessons import', async () => {
    const file = join(shell.home, 'lessons.json');
    const bad = Array.from({ length: 220 }, (_, n) => ({ id: `odd-${n}`, summary: '' }));
    writeFileSync(file, JSON.stringify({ lessons: bad }));
    const args = ['lessons', 'import', file, '--dry-run'];
    assert.ok((await shell.run(args)).stdout.includes('odd-219'));
    assert.match(await shell.show(args, 80), /… and 20 more/);
  });
});

describe('what is listed of nothing', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const LISTS = [
    ['sessions', 'failures', '--signature', 'sig_none'],
    ['sessions', 'failures', '--each', '--signature', 'sig_none'],
    ['sessions', 'findings', '--agent', 'codex'],
    ['lessons', 'list', '--search', 'nothing says this'],
    ['stats', 'deliveries', '--agent', 'codex'],
    ['stats', '--agent', 'codex'],
    ['sessions', 'patterns', '--agent', 'codex'],
    ['sessions', 'history', '--agent', 'codex'],
    ['sessions', '--agent', 'codex'],
  ];
  /** Nothing was shown to anybody in past sessions. */
  const isUnshown = ([group]: readonly string[]) => group === 'stats';

  it('says that there is nothing at all, whatever was asked for', async () => {
    for (const args of LISTS) {
      const { code, stdout } = await shell.run(args);
      assert.equal(code, 0);
      assert.doesNotMatch(stdout, /See all/, args.join(' '));
      assert.match(stdout, /oncebitten (?:scan|doctor)/, args.join(' '));
    }
  });

  it('says that nothing is like it, where there is something else', async () => {
    await shell.json('scan', '--path', join(ROOT, 'samples/sessions'));
    for (const args of LISTS.filter((args) => !isUnshown(args))) {
      const { code, stdout } = await shell.run(args);
      assert.equal(code, 0);
      const command = args
        .slice(
          0,
          args.findIndex((word) => word.startsWith('-')),
        )
        .join(' ');
      assert.match(stdout, new RegExp(`See all: oncebitten ${command}`), args.join(' '));
      assert.doesNotMatch(stdout, /oncebitten scan/, args.join(' '));
    }
  });
});
