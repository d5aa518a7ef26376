import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { Registration } from '../../src/surfaces/daemon/ask-daemon.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { openShell, ROOT, type Shell } from '../cli/open-shell.ts';
import { openClient } from './open-client.ts';

type Status = Partial<Registration> & { readonly running: boolean };

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Where nobody waits for it, a process that has ended stays in the list.
  const state = `/proc/${pid}/status`;
  return !existsSync(state) || !/^State:\s+Z/m.test(readFileSync(state, 'utf8'));
};
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(20);
};

describe('the daemon', { timeout: 900_000 }, () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const status = () => shell.json<Status>('daemon', 'status');
  const start = () => shell.json<Registration & { readonly started: boolean }>('daemon', 'start');
  const inRun = (name: string) => join(shell.runDir, name);
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  /** The programs as another version; returns their folder. */
  const copyDist = (version: string): string => {
    const copy = join(shell.home, '..', version);
    mkdirSync(copy);
    for (const name of ['dist', 'package.json']) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    const stamp = join(copy, 'dist/build.json');
    writeFileSync(stamp, JSON.stringify({ ...JSON.parse(readFileSync(stamp, 'utf8')), version }));
    return join(copy, 'dist');
  };

  it('is one, however many are started at once', async () => {
    const children: ChildProcess[] = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [join(ROOT, 'dist/daemon.mjs'), '--home', shell.dataDir], {
        env: shell.env,
        stdio: 'ignore',
      }),
    );
    const exits = children.map((child) => once(child, 'exit'));
    await until(() => children.filter((child) => child.exitCode === null).length === 1);
    await until(() => existsSync(inRun('door')));
    const staying = children.find((child) => child.exitCode === null);
    assert.equal((await status()).pid, staying?.pid);
    assert.deepEqual(
      children.map((child) => child.exitCode).filter((code) => code !== null),
      [0, 0],
    );
    assert.deepEqual(await shell.json('daemon', 'stop'), { stopped: true });
    await Promise.all(exits);
    assert.equal(staying?.exitCode, 0);
  });

  it('is the same for everybody who starts it', async () => {
    const found = await Promise.all([start(), start(), start()]);
    assert.equal(new Set(found.map((one) => one.pid)).size, 1);
    assert.equal((await status()).pid, found[0]?.pid);
  });

  it('keeps its secrets and its files to its owner', async () => {
    await askDaemon(toDataHome(shell.dataDir), 'flush');
    for (const name of ['door', 'daemon.json', 'daemon.lock', 'daemon.log'])
      assert.equal(modeOf(inRun(name)), 0o600, name);
    assert.equal(modeOf(shell.runDir), 0o700);
    assert.equal(modeOf(join(shell.dataDir, 'oncebitten.db')), 0o600);
    const [port, ask = '', answer = ''] = readFileSync(inRun('door'), 'utf8').trim().split(' ');
    assert.equal(Number(port), (await status()).port);
    assert.match(`${ask} ${answer}`, /^[0-9a-f]{32} [0-9a-f]{32}$/);
    for (const name of ['daemon.json', 'daemon.log'])
      assert.ok(![ask, answer].some((secret) => readFileSync(inRun(name), 'utf8').includes(secret)));
  });

  it('tells nothing to who does not know its secret', async () => {
    const { port = 0 } = await status();
    for (const header of ['x 1 oncebitten stop -\n{}\0', '\n', 'GET / HTTP/1.0\r\n\r\n']) {
      const client = await openClient(port);
      await client.send(header);
      assert.equal(await client.ended(), '');
    }
    assert.equal((await status()).running, true);
  });

  it('writes no secret into its log', async () => {
    const [port, ask = ''] = readFileSync(inRun('door'), 'utf8').trim().split(' ');
    const client = await openClient(Number(port));
    const transcript_path = '/none/password=hunter2hunter2/AKIAIOSFODNN7EXAMPLE.jsonl';
    const wire = { session_id: 's', hook_event_name: 'Stop', cwd: shell.home, transcript_path };
    await client.send(`${ask} 1 claude-code Stop -\n${JSON.stringify(wire)}\0`);
    await client.ended();
    await askDaemon(toDataHome(shell.dataDir), 'flush');
    const log = readFileSync(inRun('daemon.log'), 'utf8');
    assert.match(log, /transcript: .*\[redacted:/);
    assert.doesNotMatch(log, /hunter2|AKIA/);
  });

  it('gives way to one of another version', async () => {
    const old = await status();
    const cli = join(copyDist('9.9.9+test'), 'cli.mjs');
    const { code, stdout } = await shell.run(['daemon', 'start', '--json'], { cli });
    assert.equal(code, 0);
    const { started, pid, version } = JSON.parse(stdout);
    assert.deepEqual([started, version], [true, '9.9.9+test']);
    assert.notEqual(pid, old.pid);
    await until(() => !isAlive(old.pid ?? 0));
    const again = await shell.run(['daemon', 'start', '--json'], { cli });
    assert.deepEqual([JSON.parse(again.stdout).started, JSON.parse(again.stdout).pid], [false, pid]);
  });

  it('gives way also if it starts at the same time and takes the lock first', async () => {
    await shell.json('daemon', 'stop');
    const dist = copyDist('9.9.9+late');
    renameSync(join(dist, 'daemon.mjs'), join(dist, 'real-daemon.mjs'));
    const args = [join(ROOT, 'dist/daemon.mjs'), '--home', shell.dataDir];
    const begin = `import { spawn } from 'node:child_process';
      import { existsSync, writeFileSync } from 'node:fs';
      if (!existsSync('other-began')) {
        writeFileSync('other-began', '');
        const other = spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'ignore', detached: true });
        other.unref();
        // The command may have found and stopped it between two looks.
        while (!existsSync(${JSON.stringify(inRun('door'))}) && other.exitCode === null)
          await new Promise((done) => setTimeout(done, 20));
      }
      await import('./real-daemon.mjs');`;
    writeFileSync(join(dist, 'daemon.mjs'), begin);
    const { code, stdout } = await shell.run(['daemon', 'start', '--json'], { cli: join(dist, 'cli.mjs') });
    assert.equal(code, 0);
    const { started, version } = JSON.parse(stdout);
    assert.deepEqual([started, version], [true, '9.9.9+late']);
    assert.ok(existsSync(join(shell.dataDir, 'other-began')));
  });

  it('ends when it is told to, leaves nothing behind, and may be told twice', async () => {
    const { pid = 0 } = await status();
    // Of a daemon that a hook started, and that found this one still there: it must not keep the next one away.
    writeFileSync(inRun('starting'), '');
    assert.deepEqual(await shell.json('daemon', 'stop'), { stopped: true });
    assert.deepEqual(await shell.json('daemon', 'stop'), { stopped: false });
    await until(() => !isAlive(pid));
    for (const name of ['door', 'daemon.json', 'starting']) assert.equal(existsSync(inRun(name)), false, name);
    assert.deepEqual(await status(), { running: false });
  });

  it('ends in order at a signal', async () => {
    const { pid } = await start();
    process.kill(pid, 'SIGTERM');
    await until(() => !isAlive(pid));
    assert.deepEqual([existsSync(inRun('door')), existsSync(inRun('daemon.json'))], [false, false]);
  });

  it('is not believed by what a killed one left behind', async () => {
    const { pid } = await start();
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    assert.ok(existsSync(inRun('door')));
    assert.deepEqual(await status(), { running: false });
    assert.deepEqual(await shell.json('daemon', 'stop'), { stopped: false });
    const next = await start();
    assert.equal(next.started, true);
    assert.notEqual(next.pid, pid);
  });

  it('goes on answering with settings that are broken, and tells whoever starts it', async () => {
    await shell.json('daemon', 'stop');
    const config = join(shell.dataDir, 'config.jsonc');
    writeFileSync(config, '{ "minScore": }');
    const refused = await shell.run(['daemon', 'start']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /config\.jsonc:1: /);
    const child = spawn(process.execPath, [join(ROOT, 'dist/daemon.mjs'), '--home', shell.dataDir], { env: shell.env });
    await until(() => existsSync(inRun('door')));
    assert.equal((await status()).pid, child.pid);
    assert.match(readFileSync(inRun('daemon.log'), 'utf8'), /config\.jsonc:1/);
    writeFileSync(config, '{}');
  });
});
