/** The tutorial: every command of `docs/guide/first-hour.md`, in its order, in a temporary home, as a reader types it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** The clone is there already, and `npm start` would build it again. */
const LEFT_OUT = /^(git clone|cd oncebitten|npm ci)/;
const MARK = '=== ';

describe('the first hour', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-first-hour-'));
  after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));

  it('goes as the tutorial says', async () => {
    const guide = readFileSync(join(ROOT, 'docs/guide/first-hour.md'), 'utf8');
    const printed = await runLines(listCommands(guide));
    const calls = printed.filter(({ line }) => line.startsWith('call '));
    assert.match(
      calls[0]?.text ?? '',
      /Lesson from earlier work \(gh-pr-diff-stat-.*This call, corrected: `gh pr diff 41 --name-only`/s,
    );
    assert.deepEqual(
      calls.slice(1).map(({ text }) => text),
      calls.slice(1).map(() => ''),
    );
    const { text: left = '' } = printed.at(-1) ?? {};
    assert.doesNotMatch(left, /oncebitten|settings/, 'nothing of Oncebitten is left');
    assert.match(left, /projects/);
  });

  async function runLines(lines: readonly string[]): Promise<readonly Printed[]> {
    const marked = [...lines, 'cd ~ && ls -A . .claude'].map((line) => `echo '${MARK}'\n${line}`);
    const script = ['set -e', `npm() { '${process.execPath}' dist/cli.mjs start; }`, ...marked].join('\n');
    const env = { PATH: process.env.PATH ?? '', HOME: dir, TMPDIR: dir, LANG: 'C.UTF-8' };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env });
    const texts = stdout.split(`${MARK}\n`).slice(1);
    return texts.map((text, i) => ({ line: lines[i] ?? '', text }));
  }
});

interface Printed {
  readonly line: string;
  readonly text: string;
}

/** Commands are indented, what they print is in a fence. A command may go on behind a backslash. */
function listCommands(guide: string): readonly string[] {
  const lines = guide.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^ {4}(.*\\\n.+|.+)$/gm);
  return [...lines].map(([, line = '']) => line).filter((line) => !LEFT_OUT.test(line));
}
