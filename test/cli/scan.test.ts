import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { ScanTotals } from '../../src/loop/scan/scan-sessions.ts';
import { readCalls } from '../stories/daemon-files.ts';
import { appendCalls, makeCalls, renderCalls, writeSession } from '../stories/session-file.ts';
import { openShell, type Shell } from './open-shell.ts';

const DAY_MS = 86_400_000;

describe('oncebitten scan', { timeout: 900_000 }, () => {
  let shell: Shell;
  let count = 0;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const scan = (...args: string[]) => shell.json<ScanTotals>('scan', ...args);
  const newFile = () => {
    const session = `session-${count++}`;
    return {
      path: join(shell.home, '.claude/projects/-shop', `${session}.jsonl`),
      place: { session, cwd: join(shell.home, 'shop') },
    };
  };
  const idsOf = async (session: string) =>
    (await readCalls(toDataHome(shell.dataDir), session)).map(({ callId }) => callId).sort();
  const refusal = async (expected: number, ...args: string[]) => {
    const { code, stderr } = await shell.run(['scan', ...args]);
    assert.equal(code, expected, stderr);
    return stderr;
  };

  it('reads of a file that grew only what is new', async () => {
    const { path, place } = newFile();
    writeSession(path, place, makeCalls('grown', 3));
    assert.equal((await scan()).calls, 3);
    const before = statSync(path).size;
    appendCalls(path, place, makeCalls('more', 2));
    const { calls, bytes } = await scan();
    assert.deepEqual([calls, bytes], [2, statSync(path).size - before]);
    assert.equal((await idsOf(place.session)).length, 5);
    assert.deepEqual(await scan().then((again) => [again.calls, again.bytes]), [0, 0]);
  });

  it('is not asked for again by lists that are empty after it', async () => {
    const { path, place } = newFile();
    writeSession(path, place, makeCalls('fine', 2));
    const lists = [['findings'], ['failures'], ['failures', '--each'], ['lessons', 'list']];
    const other = openShell();
    try {
      for (const args of lists) assert.match((await other.run(args)).stdout, /oncebitten scan/);
    } finally {
      await other.close();
    }
    await scan();
    for (const args of lists) {
      const { code, stdout } = await shell.run(args);
      assert.deepEqual([code, /^No \w+ in \d+ recorded session/.test(stdout)], [0, true], stdout);
      assert.doesNotMatch(stdout, /oncebitten scan/);
    }
  });

  it('leaves the half of a line to the next time', async () => {
    const { path, place } = newFile();
    const text = renderCalls(place, makeCalls('half', 2));
    mkdirSync(join(path, '..'), { recursive: true });
    const cut = text.length - 20;
    writeFileSync(path, text.slice(0, cut));
    await scan();
    assert.deepEqual(await idsOf(place.session), ['half-0']);
    appendFileSync(path, text.slice(cut));
    await scan();
    assert.deepEqual(await idsOf(place.session), ['half-0', 'half-1']);
  });

  it('reads a file from its beginning that was truncated, rewritten or replaced', async () => {
    const { path, place } = newFile();
    const ids = (name: string, n: number) => makeCalls(name, n).map(({ id }) => id);
    writeSession(path, place, makeCalls('first', 4));
    await scan();
    truncateSync(path, renderCalls(place, makeCalls('first', 2)).length);
    appendCalls(path, place, makeCalls('cut', 1));
    await scan();
    const known = [...ids('cut', 1), ...ids('first', 4)];
    assert.deepEqual(await idsOf(place.session), known);

    writeFileSync(path, renderCalls(place, makeCalls('rewritten-in-place', 6, { output: 'longer than before' })));
    await scan();
    known.push(...ids('rewritten-in-place', 6));
    assert.deepEqual(await idsOf(place.session), known);

    // The name stays, the file is another one; the old one goes on under its new name.
    renameSync(path, path.replace('.jsonl', '.old.jsonl'));
    writeSession(path, place, makeCalls('turned', 9));
    await scan();
    known.push(...ids('turned', 9));
    assert.deepEqual(await idsOf(place.session), known.toSorted());
    assert.equal((await scan()).calls, 0);
  });

  it('does not mind files that are gone, and reads a new one of the same name', async () => {
    const { path, place } = newFile();
    writeSession(path, place, makeCalls('gone', 2));
    await scan();
    rmSync(path);
    const { unreadable, calls } = await scan();
    assert.deepEqual([unreadable, calls], [[], 0]);
    writeSession(path, place, makeCalls('back', 3, { output: 'again' }));
    await scan();
    assert.equal((await idsOf(place.session)).length, 5);
  });

  it('goes on when one file cannot be read, and says which', async () => {
    const { path, place } = newFile();
    const broken = join(shell.home, '.codex/sessions/2026/01/02/rollout-2026-01-02T00-00-00-broken.jsonl.zst');
    writeSession(path, place, makeCalls('open', 1));
    mkdirSync(join(broken, '..'), { recursive: true });
    writeFileSync(broken, 'no zstd');
    const { unreadable, calls, vanished } = await scan();
    assert.deepEqual([calls, vanished, unreadable.map((one) => one.path)], [1, 0, [broken]]);
    rmSync(broken);
    assert.deepEqual((await scan()).unreadable, []);
  });

  it('reads only files that changed since a time, and the others when asked', async () => {
    const [old, young] = [newFile(), newFile()];
    writeSession(old.path, old.place, makeCalls('old', 1));
    writeSession(young.path, young.place, makeCalls('young', 1));
    const past = new Date(Date.now() - 10 * DAY_MS);
    utimesSync(old.path, past, past);
    assert.equal((await scan('--since', '7d')).calls, 1);
    assert.deepEqual(await idsOf(old.place.session), []);
    assert.equal((await scan('--since', new Date(Date.now() - 11 * DAY_MS).toISOString())).calls, 1);
    assert.deepEqual(await idsOf(old.place.session), ['old-0']);
  });

  it('reads one agent or several, and says what it read of each', async () => {
    const { path, place } = newFile();
    writeSession(path, place, makeCalls('mine', 2));
    const other = await scan('--agent', 'codex,gemini', '--agent', 'copilot');
    assert.deepEqual([other.calls, other.agents], [0, []]);
    const { agents } = await scan('--agent', 'codex', '--agent', 'claude-code');
    assert.deepEqual(
      agents.map(({ agent, filesRead, sessions, calls, failures }) => [agent, filesRead, sessions, calls, failures]),
      [['claude-code', 1, 1, 2, 0]],
    );
    const { stdout } = await shell.run(['scan']);
    assert.match(stdout, /^Nothing new: \d+ session files have not changed\.$/m);
  });

  it('reads the folders that the settings name beside those of the agent', async () => {
    const { place } = newFile();
    const [inHome, elsewhere] = [join(shell.home, 'archive'), join(shell.dataDir, '../elsewhere')];
    writeSession(join(inHome, 'deep/a.jsonl'), place, makeCalls('archived', 1));
    writeSession(join(elsewhere, 'b.jsonl'), place, makeCalls('elsewhere', 1));
    const folders = JSON.stringify(['~/archive', '~/archive/deep', elsewhere]);
    const env = { ONCEBITTEN_SCAN_PATHS_CLAUDE_CODE: folders };
    const ignored = await shell.run(['scan', '--json'], { env });
    assert.equal((JSON.parse(ignored.stdout) as ScanTotals).calls, 0);
    await shell.json('config', 'set', 'scanPaths.claude-code', folders);
    const { stdout } = await shell.run(['scan', '--json']);
    await shell.json('config', 'unset', 'scanPaths.claude-code');
    assert.equal((JSON.parse(stdout) as ScanTotals).calls, 2);
    assert.deepEqual(await idsOf(place.session), ['archived-0', 'elsewhere-0']);
  });

  it('says what it cannot make sense of, and what to give instead', async () => {
    assert.match(await refusal(2, '--agent', 'cloud-code'), /agent cloud-code: .*\n {2}next: .*claude-code, codex/);
    assert.match(await refusal(2, '--agent', ','), /next: .*claude-code/);
    assert.match(await refusal(1, '--path', 'nowhere'), /nowhere: .*\n {2}next: give a transcript/);
    assert.match(await refusal(2, '--since', 'lately'), /--since lately: .*\n {2}next: .*2h/);
    const { code, stderr } = await shell.run(['config', 'set', 'scanPaths.codex', '["relative"]']);
    assert.equal(code, 1);
    assert.match(stderr, /scanPaths\.codex: entry 1: give the whole path/);
  });

  it('counts what the store then has, also calls whose end is told later', async () => {
    const fixtures = join(import.meta.dirname, '../fixtures');
    for (const [agent, file] of [
      ['codex', 'codex/code-mode.jsonl'],
      ['codex', 'codex/legacy.jsonl'],
      ['claude-code', 'claude-code/transcripts/9f7eb0fc-9f12-4958-b65b-7ee8f5777e8e.jsonl'],
    ] as const) {
      const fresh = openShell();
      const { calls, failures } = await fresh.json<ScanTotals>(
        'scan',
        '--agent',
        agent,
        '--path',
        join(fixtures, file),
      );
      const { totals } = await fresh.json<{ totals: { calls: number; failures: number } }>('sessions', 'history');
      await fresh.close();
      assert.deepEqual({ calls, failures }, { calls: totals.calls, failures: totals.failures }, file);
    }
  });

  it('follows a link to a folder, once', async () => {
    const real = join(shell.home, 'elsewhere');
    const place = { session: 'linked', cwd: join(shell.home, 'shop') };
    writeSession(join(real, 'linked.jsonl'), place, makeCalls('linked', 2));
    symlinkSync(real, join(shell.home, '.claude/projects/linked'));
    symlinkSync(join(shell.home, '.claude/projects'), join(real, 'back'));
    assert.equal((await scan()).calls, 2);
  });

  it('says that there is nothing, where there is nothing', async () => {
    assert.match(await refusal(2, '--path', ''), /--path: /);
    const empty = join(shell.home, 'empty');
    mkdirSync(empty);
    assert.match((await shell.run(['scan', '--path', empty])).stdout, /no sessions of any known agent in/);
  });

  it('tells of files that are named like sessions and begin like none, and reads them as whose a person says', async () => {
    const folder = join(shell.home, 'rollouts');
    const broken = join(folder, 'rollout-2026-01-02T00-00-00-b.jsonl');
    mkdirSync(folder);
    writeFileSync(broken, '{"timestamp":"2026-\n{"type":"other"}\n');
    writeFileSync(join(folder, 'empty.jsonl'), '');
    writeSession(join(folder, 'good.jsonl'), { session: 'good', cwd: shell.home }, makeCalls('good', 1));
    const { unknown, calls } = await shell.json<ScanTotals & { unknown: readonly string[] }>('scan', '--path', folder);
    assert.deepEqual([unknown, calls], [[broken], 1]);
    const { stdout } = await shell.run(['scan', '--path', folder]);
    assert.match(
      stdout,
      /1 file not read: they are named like session files, but begin like those of no known agent\n.*-b\.jsonl/,
    );
    // What was read once is known, also when nothing is left of it.
    truncateSync(join(folder, 'good.jsonl'), 0);
    const again = await shell.json<ScanTotals>('scan', '--path', folder);
    assert.equal(again.agents.find(({ agent }) => agent === 'claude-code')?.filesRead, 1);
    const named = await shell.json<ScanTotals>('scan', '--path', broken, '--agent', 'codex');
    assert.equal(named.agents[0]?.filesRead, 1);
  });

  it('says when a variable names a file that is not there', async () => {
    const env = { OPENCODE_DB: join(shell.home, 'gone.db') };
    const { stdout } = await shell.run(['scan'], { env });
    assert.match(stdout, /OPENCODE_DB names \S+gone\.db, which does not exist/);
    assert.doesNotMatch((await shell.run(['scan'])).stdout, /OPENCODE_DB/);
    assert.doesNotMatch((await shell.run(['scan', '--agent', 'codex'], { env })).stdout, /OPENCODE_DB/);
  });

  it('says nothing but its result where there is no terminal and it is soon over', async () => {
    const { stderr } = await shell.run(['scan']);
    assert.equal(stderr, '');
  });
});
