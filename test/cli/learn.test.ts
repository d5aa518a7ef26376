import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { GOOD_LESSON } from '../models/answer-script.ts';
import { makeHistory, writePast } from '../models/write-history.ts';
import { openShell, type Shell } from './open-shell.ts';

interface Exported {
  readonly packs: number;
  readonly episodes: number;
  readonly characters: number;
}

interface Taken {
  readonly answers: number;
  readonly proposed: number;
  readonly active: number;
  readonly drafts: number;
  readonly merged: number;
  readonly dropped: readonly { readonly reason: string; readonly count: number }[];
}

describe('oncebitten learn', { timeout: 300_000 }, () => {
  let shell: Shell;
  let dir: string;
  beforeEach(() => {
    shell = openShell();
    dir = join(shell.home, 'packs');
    writePast(shell.home, { session: 'one', cwd: '/home/dev/shop' }, makeHistory('one'));
  });
  afterEach(() => shell.close());

  const listNames = (ending: string): readonly string[] => readdirSync(dir).filter((name) => name.endsWith(ending));
  const readPack = (): string => readFileSync(join(dir, listNames('.pack.md')[0] ?? ''), 'utf8');
  const answer = (given: unknown): void => {
    for (const name of listNames('.pack.md'))
      writeFileSync(join(dir, name.replace('.pack.md', '.answer.json')), JSON.stringify(given));
  };

  it('writes packs that a person can read, with the prompt and the schema', async () => {
    const { packs, episodes, characters } = await shell.json<Exported>('learn', '--export', dir);
    assert.deepEqual([packs, episodes], [1, 1]);
    const text = readPack();
    assert.equal(text.length, characters);
    assert.match(text, /## e1: shell failed with exit code 2/);
    assert.match(text, /~~~sh\nfrob sync --all\n~~~\nOutput:\n~~~\nfrob: the selection is empty\n~~~/);
    assert.match(text, /- e1\.1 worked: `frob sync --every`/);
    assert.match(readFileSync(join(dir, 'prompt.md'), 'utf8'), /^<!-- oncebitten-pack v\d+ -->\n/);
    assert.ok(JSON.parse(readFileSync(join(dir, 'schema.json'), 'utf8')).properties.add);
  });

  it('takes answers through the gate, remembers what was asked, and asks about it once', async () => {
    await shell.json('learn', '--export', dir);
    answer({ add: [GOOD_LESSON, { ...GOOD_LESSON, evidence: ['e9'] }] });
    const taken = await shell.json<Taken>('learn', '--answers', dir);
    assert.deepEqual(taken, {
      ...{ answers: 1, proposed: 2, active: 1, drafts: 0, merged: 0, doubted: 0 },
      dropped: [{ reason: 'names an id that the pack does not have', count: 1 }],
    });
    const lessons = await shell.list<{ origin: { kind: string; model?: object }; status: string }>(
      'lessons',
      'list',
      '--all',
    );
    const [proposed] = lessons.filter(({ origin }) => origin.kind === 'model');
    assert.equal(proposed?.status, 'active');
    assert.deepEqual(Object.keys(proposed?.origin.model ?? {}).toSorted(), ['pack', 'promptVersion', 'provider']);
    const explained = await shell.json<{ matches: readonly unknown[] }>(
      ...['explain', '--tool', 'Bash', '--input', '{"command":"frob sync --all"}', '--cwd', '/home/dev/shop'],
    );
    assert.ok(explained.matches.length > 0);
    assert.equal((await shell.json<Exported>('learn', '--export', join(shell.home, 'again'))).packs, 0);
  });

  it('learns nothing twice from the same answers', async () => {
    await shell.json('learn', '--export', dir);
    answer({ add: [GOOD_LESSON] });
    await shell.json('learn', '--answers', dir);
    const again = await shell.json<Taken>('learn', '--answers', dir);
    assert.deepEqual([again.active, again.drafts, again.merged], [0, 0, 1]);
  });

  it('puts each session into a pack of its own, which says nothing of other sessions', async () => {
    writePast(shell.home, { session: 'two', cwd: '/home/dev/shop', atMs: Date.UTC(2026, 0, 5) }, makeHistory('two'));
    assert.equal((await shell.json<Exported>('learn', '--export', dir, '--by', 'session')).packs, 2);
    for (const name of listNames('.pack.md'))
      assert.doesNotMatch(readFileSync(join(dir, name), 'utf8'), /before|Lessons/);
  });

  it('sends no secret', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const error = `Exit code 1\nfrob: bad token ${secret}\npassword=hunter2hunter2`;
    const calls = [{ id: 'secret', command: `frob login --token ${secret}`, error }];
    writePast(shell.home, { session: 'secret', cwd: '/home/dev/shop' }, makeHistory('secret', calls));
    const { stdout } = await shell.run(['learn', '--dry-run']);
    assert.match(stdout, /frob login/);
    assert.doesNotMatch(stdout, /ghp_abc|hunter2/);
  });

  it('sends nothing of private, paused or forgotten projects', async () => {
    writePast(shell.home, { session: 'private', cwd: '/home/dev/secret-shop' }, makeHistory('private'));
    writePast(shell.home, { session: 'paused', cwd: '/home/dev/paused-shop' }, makeHistory('paused'));
    assert.equal((await shell.json<Exported>('learn', '--export', join(shell.home, 'all'))).packs, 3);
    await shell.run(['config', 'set', 'privateProjects', '["/home/dev/secret-shop"]']);
    await shell.run(['pause', '--project', '/home/dev/paused-shop']);
    const { code, stderr } = await shell.run(['forget', '--project', '/home/dev/shop', '--yes']);
    assert.equal(code, 0, stderr);
    assert.equal((await shell.json<Exported>('learn', '--export', dir)).packs, 0);
  });

  it('knows sessions whose files are gone from what the store kept', async () => {
    const path = writePast(shell.home, { session: 'gone', cwd: '/home/dev/gone' }, makeHistory('gone'));
    await shell.json('scan');
    rmSync(path);
    await shell.json('learn', '--export', dir);
    const names = listNames('.pack.md').filter((name) => name.startsWith('gone'));
    assert.equal(names.length, 1);
    answer({ add: [GOOD_LESSON] });
    const { active, drafts, merged } = await shell.json<Taken>('learn', '--answers', dir);
    assert.equal(active + drafts + merged, 2);
  });

  it('keeps a pack within its bound, and one project in a pack', async () => {
    await shell.run(['config', 'set', 'models.packCharacters', '8000']);
    const many = Array.from({ length: 20 }, (_, n) => ({
      ...{ id: `m-${n}`, command: `frob part${n} --wrong${n} ${'x'.repeat(400)}` },
      error: `Exit code 2\nfrob: unknown flag: --wrong${n}\n${'noise '.repeat(400)}`,
    }));
    writePast(shell.home, { session: 'many', cwd: '/home/dev/many' }, many);
    const { packs } = await shell.json<Exported>('learn', '--export', dir);
    assert.ok(packs > 3);
    for (const name of listNames('.pack.md')) {
      const text = readFileSync(join(dir, name), 'utf8');
      assert.ok(text.length <= 8_000, `${name}: ${text.length}`);
    }
  });

  it('does not send anything before it is told to', async () => {
    const none = await shell.run(['learn']);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /no language model is chosen/);
    const unasked = await shell.run(['learn', '--provider', 'openai']);
    assert.equal(unasked.code, 1);
    assert.match(unasked.stderr, /nothing was sent.*1 kind of .* 1 project to openai .*about [\d,]+ tokens/);
    assert.match(unasked.stderr, /--dry-run.*--yes/);
  });

  it('says why an answer cannot be taken', async () => {
    await shell.json('learn', '--export', dir);
    const empty = await shell.run(['learn', '--answers', dir]);
    assert.match(empty.stderr, /has no answers/);
    writeFileSync(join(dir, 'stray.answer.json'), '{}');
    const stray = await shell.run(['learn', '--answers', dir]);
    assert.match(stray.stderr, /stray\.index\.json: does not exist/);
    assert.match((await shell.run(['learn', '--answers', 'nowhere'])).stderr, /does not exist/);
    assert.match((await shell.run(['learn', '--by', 'session'])).stderr, /needs --export/);
  });

  it('is offered by start and install where an agent can be asked, with what would be sent', async () => {
    const bin = join(shell.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${shell.env.PATH}` };
    const started = await shell.run(['start'], { env });
    assert.match(
      started.stdout,
      /the model of Claude Code read 1 kind of .*about [\d,]+ tokens of redacted text.*after your yes/s,
    );
    const installed = await shell.run(['install', 'claude-code', '--json'], { env });
    const { offer, auto } = JSON.parse(installed.stdout);
    assert.deepEqual([offer.agent.id, offer.episodes, auto], ['claude-code', 1, false]);
    const { items } = await shell.json<{ items: readonly { key: string; value: unknown }[] }>(
      'config',
      'list',
      '--changed',
    );
    assert.deepEqual(
      items.filter(({ key }) => key.startsWith('models.')),
      [],
    );
  });
});
