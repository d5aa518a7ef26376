/** The tutorial: every command of `docs/guide/first-hour.md`, in its order, in a temporary home, as a reader types it. */
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
/** What differs from run to run: the ends of lesson names, paths of the home folder, times, ids, figures, how far a scan is. */
const VARIES =
  /(?<=[a-z0-9])-[a-z0-9]{4}\b|\S*\/\.(?=claude|oncebitten)|\b(?:les|dlv)_\w+|\+[0-9a-f]{8}\b|user:\w+|[\d.,:TZ]+|(?<=\bprocess \d+, version \S+, since \S+ )[^\n]*|\s+|…/g;

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
  before(async () => {
    const texts = await runLines([...lines, 'cd ~ && ls -A . .claude']);
    commands = lines.map((line, i) => ({ line, printed: texts[i] ?? '' }));
    left = texts.at(-1) ?? '';
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

  it('prints what the tutorial shows', () => {
    const printed = commands.map((command) => command.printed.replaceAll(VARIES, '')).join('');
    const shown = parts.flatMap((part) => part.shown?.split('\n') ?? []);
    assert.ok(shown.length > 50, 'the pattern finds no output any more');
    const untrue = shown.filter((line) => !printed.includes(line.replaceAll(VARIES, '')));
    assert.deepEqual(untrue, [], 'No command prints these lines: correct docs/guide/first-hour.md.');
  });

  async function runLines(all: readonly string[]): Promise<readonly string[]> {
    const marked = all.map((line) => `echo '${MARK}'\n${line}`);
    const script = ['set -e', `npm() { '${process.execPath}' dist/cli.mjs start; }`, ...marked].join('\n');
    const env = { PATH: process.env.PATH ?? '', HOME: dir, TMPDIR: dir, LANG: 'C.UTF-8' };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env });
    return stdout.split(`${MARK}\n`).slice(1);
  }
});
