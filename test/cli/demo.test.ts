import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CLI } from '../run-cli.ts';
import { openPty } from './open-pty.ts';

interface DemoStep {
  readonly step: string;
  readonly note?: string;
  readonly lesson?: { readonly slug: string };
}

describe('demo', () => {
  let home = '';
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'oncebitten-demo-test-'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it('shows the lesson of the first session in the second one, and leaves nothing behind', async () => {
    const { stdout, code } = await run(['demo', '--json'], () => false);
    const { items } = JSON.parse(stdout) as { items: readonly DemoStep[] };
    assert.equal(code, 0);
    assert.deepEqual(
      items.map(({ step }) => step),
      ['setup', 'mistake', 'lesson', 'repeat', 'corrected', 'end'],
    );
    const slug = items.find(({ lesson }) => lesson)?.lesson?.slug ?? 'no lesson';
    const note = items.find((item) => item.note)?.note ?? '';
    assert.ok(note.includes(slug) && note.includes('gh pr diff 41 --name-only'), note);
    assert.deepEqual(readdirSync(home), []);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const { code } = await run(['demo'], (text) => text.includes('1. '));
    assert.equal(code, 130);
    assert.deepEqual(readdirSync(home), []);
  });

  it('says at a terminal how long it will take, and how to be faster', async () => {
    const env = { HOME: home, TMPDIR: home, PATH: process.env.PATH ?? '', TERM: 'xterm' };
    const pty = openPty(`'${process.execPath}' '${CLI}' demo`, { cwd: home, env });
    await pty.see(/It takes about \d+ seconds, .*--fast/s);
    pty.type('\x03');
    assert.equal(await pty.ended, 130);
  });

  /** Runs the command, and interrupts it once it has printed the awaited text. */
  async function run(words: readonly string[], isAwaited: (text: string) => boolean) {
    // The store of the user, which the demo must not use.
    const env = { ...process.env, HOME: home, TMPDIR: home, ONCEBITTEN_STORE_URL: 'postgres://127.0.0.1:1/none' };
    const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('utf8');
      if (isAwaited(stdout)) child.kill('SIGINT');
    });
    const code = await new Promise<number | null>((done) => child.on('close', done));
    return { stdout, code };
  }
});
