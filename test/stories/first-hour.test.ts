/**
 * The tutorial: every command of `docs/guide/first-hour.md`, in its order, in a temporary home, as a reader types it. Two
 * other documents show parts of the same output.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** The clone is there already, and `npm start` would build it again. */
const LEFT_OUT = /^(git clone|cd oncebitten|npm ci)/;
const MARK = '=== ';
/** Commands are indented; a command may go on behind a backslash. What they print is in the fence below them. */
const PARTS = /^ {4}(?<command>.*\\\n.+|.+)$|^```text\n(?<shown>[\s\S]*?)^```$/gm;
/** As on a machine without sessions, for which the README shows the output. */
const START_WITHOUT_SESSIONS = `(cd '${ROOT}' && export HOME="$TMPDIR/new" && mkdir "$HOME" && npm start && "$HOME/.oncebitten/bin/oncebitten" daemon stop)`;
/** What differs from run to run: the ends of lesson names, paths of the home folder, times, ids, figures, how far a scan is. */
const VARIES =
  /(?<=[a-z0-9])-[a-z0-9]{4}\b|\S*\/\.(?=claude|oncebitten)|\b(?:les|dlv)_\w+|\+[0-9a-f]{8}\b|user:\w+|[\d.,:TZ]+|(?<=\bprocess \d+, version \S+, since \S+ )[^\n]*|[^\S\n]+/g;
/** Printed only while the daemon reads files, which takes longer on a busy machine. */
const READING = /^(?:The daemon has not finished|Last scan, at).*\n/gm;
/** A line that stands for lines which a document leaves out. */
const LEFT_OUT_LINES = /^[^\S\n]*…$/m;
/** Around the text for the agent, in the output of a hook whose line breaks `sed` has made visible. */
const WRAPPING = /^\{"hookSpecificOutput".*"additionalContext":"|"\}\}$/gm;

interface Command {
  readonly line: string;
  readonly printed: string;
}

describe('the first hour', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-first-hour-'));
  const parts = [...readFileSync(join(ROOT, 'docs/guide/first-hour.md'), 'utf8').matchAll(PARTS)].map(
    ({ groups }) => groups ?? {},
  );
  const lines = parts.flatMap(({ command = 'git clone' }) => (LEFT_OUT.test(command) ? [] : [command]));
  let commands: readonly Command[] = [];
  let left = '';
  let samples = '';
  before(async () => {
    const texts = await runLines([...lines, 'cd ~ && ls -A . .claude', START_WITHOUT_SESSIONS]);
    commands = lines.map((line, i) => ({ line, printed: texts[i] ?? '' }));
    [left = '', samples = ''] = texts.slice(-2);
  });
  after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));

  it('delivers the lesson once, and not while it is muted', () => {
    const [first, ...others] = commands.filter(({ line }) => line.startsWith('call '));
    assert.match(first?.printed ?? '', /\(gh-pr-diff-stat-[\s\S]*`gh pr diff 41 --name-only`/);
    assert.deepEqual(others.map(({ printed }) => printed).join(''), '');
  });

  it('leaves nothing of Oncebitten behind', () => {
    assert.match(left, /projects/);
    assert.doesNotMatch(left, /oncebitten|settings/);
  });

  const SHOWN: readonly (readonly [string, RegExp])[] = [
    ['docs/guide/first-hour.md', /^```text\n([\s\S]*?)^```$/gm],
    ['docs/guide/what-agents-see.md', /^```text\n((?=These lessons|Lesson from)[\s\S]*?)^```$/gm],
    ['README.md', /^```text\n([\s\S]*?)^```$|((?:^ {7}\S.*\n)+)/gm],
  ];
  for (const [file, pattern] of SHOWN)
    it(`prints what ${file} shows, line for line but for line breaks`, () => {
      const texts = [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([, a, b = '']) => a ?? b);
      assert.ok(texts.length > 1, 'the pattern finds no output any more');
      const all = [...commands.map(({ printed }) => printed), samples].join('');
      const told = all.replaceAll(READING, '');
      const printed = normalise(`${told}\n${told.replaceAll(WRAPPING, '').replaceAll('\\"', '"')}`);
      const untrue = texts.flatMap((text) => text.split(LEFT_OUT_LINES)).filter((part) => !isIn(printed, part));
      assert.deepEqual(untrue, [], `No command prints these lines, one after the other: correct ${file}.`);
    });

  async function runLines(all: readonly string[]): Promise<readonly string[]> {
    const marked = all.map((line) => `echo '${MARK}'\n${line}`);
    const script = ['set -e', `npm() { '${process.execPath}' dist/cli.mjs start; }`, ...marked].join('\n');
    const env = { PATH: process.env.PATH ?? '', HOME: dir, TMPDIR: dir, LANG: 'C.UTF-8' };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env });
    return stdout.split(`${MARK}\n`).slice(1);
  }
});

function normalise(text: string): string {
  return text.replaceAll(VARIES, '').replaceAll(/\n+/g, '\n');
}

/** A line that is too wide for a document goes on in the next one. */
function isIn(printed: string, part: string): boolean {
  const lines = normalise(part)
    .split('\n')
    .filter((line) => line !== '');
  return new RegExp(`^${lines.map((line) => toPattern(line)).join('\\n?')}$`, 'm').test(printed);
}

function toPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
