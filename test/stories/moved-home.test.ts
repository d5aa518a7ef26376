/** A person moves the whole home folder after the installation: agents go on hearing lessons from the new place. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { Check } from '../../src/surfaces/cli/doctor/check.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { readShim } from '../../src/surfaces/hook/render-shim.ts';
import { stopDaemon } from '../stop-daemon.ts';
import { waitUntil } from './daemon-files.ts';
import { installFromClone } from './install-from-clone.ts';
import { readHookCommand } from './open-story.ts';

const SETTINGS = '{\n    "model":"opus" , "hooks" :{ }\n}';

describe('the home folder was moved', { timeout: 900_000 }, () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-moved-home-')));
  const [oldHome, home, project] = ['old', "new & it's", 'project'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const data = toDataHome(join(home, '.oncebitten'));
  const oldDir = join(oldHome, '.oncebitten');
  const patient = { ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0', ONCEBITTEN_REPLY_DEADLINE_MS: '5000' };
  const toEnv = (folder: string) => ({ HOME: folder, PATH: '/usr/bin:/bin', ...patient });
  let calls = 0;

  before(() => {
    const place = { root, home: oldHome, project, env: toEnv(oldHome), settings: SETTINGS };
    rmSync(installFromClone(place).clone, { recursive: true });
    renameSync(oldHome, home);
  });
  after(async () => {
    await stopDaemon(data.dir);
    rmSync(root, { recursive: true, force: true });
  });

  const call = (folder: string, extra: Readonly<Record<string, string>> = {}): string => {
    const payload = {
      session_id: `s${calls++}`,
      transcript_path: join(root, 'none'),
      cwd: project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'gh pr diff 1 --stat' },
      tool_use_id: `c${calls}`,
    };
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', readHookCommand(folder, 'PreToolUse')], {
      input: JSON.stringify(payload),
      encoding: 'utf8',
      env: { ...toEnv(folder), ...extra },
      cwd: project,
    });
    assert.deepEqual([status, stderr], [0, '']);
    return stdout;
  };
  const own = (...args: readonly string[]) =>
    spawnSync(data.commandFile, args, { encoding: 'utf8', env: toEnv(home), cwd: project });

  it('a hook delivers from the new place, with the Node that is kept there', () => {
    assert.equal(readShim(data.hookFile)?.dataDir, oldDir);
    assert.match(call(home, { ONCEBITTEN_NO_DAEMON: '1' }), /gh pr diff --name-only/);
  });

  it('the command runs by a relative path, too', () => {
    for (const [command, cwd] of [
      ['.oncebitten/bin/oncebitten', home],
      ['bin/oncebitten', data.dir],
      ['./oncebitten', join(data.dir, 'bin')],
      ['../bin/oncebitten', data.appDir],
    ] as const) {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `${command} lessons list --json`], {
        ...{ encoding: 'utf8', env: toEnv(home), cwd },
      });
      assert.deepEqual([status, stderr], [0, ''], command);
      assert.equal(JSON.parse(stdout).total > 0, true, command);
    }
  });

  it('the command runs from the new place, and doctor tells of the move and records it', () => {
    const hookText = readFileSync(data.hookFile);
    const { stdout, stderr } = own('doctor', '--json');
    assert.equal(stderr, '');
    const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
    const moved = checks.find(({ name }) => name === 'moved data directory');
    assert.equal(moved?.data?.movedFrom, oldDir);
    assert.match(moved?.next ?? '', /oncebitten data projects join/);
    const { dataDir, app, node } = readShim(data.hookFile) ?? {};
    assert.deepEqual([dataDir, node], [data.dir, join(data.nodeDir, process.version, 'node')]);
    assert.ok(app?.startsWith(data.appDir), app);
    assert.ok(!readFileSync(data.commandFile, 'utf8').includes(oldHome));
    writeFileSync(data.hookFile, hookText);
  });

  it('the daemon that a hook starts records the new place', async () => {
    await waitUntil('a hook brings the daemon back', async () => {
      assert.match(call(home), /gh pr diff --name-only/);
      return (await askDaemon(data, 'status')) !== undefined;
    });
    assert.equal(readShim(data.hookFile)?.dataDir, data.dir);
    assert.match(call(home), /gh pr diff --name-only/);
    await stopDaemon(data.dir);
  });

  it('keeps the recorded place where a link leads to it by another name', () => {
    const link = join(root, 'link');
    symlinkSync(home, link);
    assert.match(call(link, { ONCEBITTEN_NO_DAEMON: '1' }), /gh pr diff --name-only/);
    assert.equal(own('daemon', 'status', '--home', join(link, '.oncebitten')).stderr, '');
    assert.equal(readShim(data.hookFile)?.dataDir, data.dir);
  });

  it('says that the programs are gone where they are, and not that there is no Node', () => {
    renameSync(data.appDir, `${data.appDir}-gone`);
    const { status, stderr } = own('daemon', 'status');
    renameSync(`${data.appDir}-gone`, data.appDir);
    assert.equal(status, 1);
    assert.match(stderr, /programs/);
    assert.doesNotMatch(stderr, /found no Node/);
  });

  it('uninstall gives the agent’s settings back byte for byte', () => {
    assert.equal(own('uninstall', 'claude-code').status, 0);
    assert.equal(readFileSync(join(home, '.claude/settings.json'), 'utf8'), SETTINGS);
  });
});
