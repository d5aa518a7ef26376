/**
 * The folder that we were installed from is deleted. Hooks, the daemon and the command line go on from the copy in the data
 * directory, with whatever Node the machine still has.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import type { Check } from '../../src/surfaces/cli/doctor/check.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { readShim } from '../../src/surfaces/hook/render-shim.ts';
import { type FoundNode, getNode } from '../get-node.ts';
import { stopDaemon } from '../stop-daemon.ts';
import { stopAllDaemons, waitUntil } from './daemon-files.ts';
import { installFromClone } from './install-from-clone.ts';
import { readHookCommand } from './open-story.ts';

const SETTINGS = '{\n    "model":"opus" , "hooks" :{ }\n}';
const NO_DAEMON = { ONCEBITTEN_NO_DAEMON: '1' };
const NODES = Object.fromEntries([18, 20, 22].map((major) => [major, getNode(major)]));

/** For a test that needs it: a reason to skip where it cannot be had. */
const toSkip = (found: FoundNode | undefined) => (found && 'missing' in found ? found.missing : false);
const toNode = (found: FoundNode | undefined) => (found && 'node' in found ? found.node : '');

describe('the folder that we were installed from is gone', { timeout: 900_000 }, () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-moved-')));
  const home = join(root, 'home');
  const data = toDataHome(join(home, '.oncebitten'));
  const project = join(root, 'project');
  const foundFile = join(data.dir, 'run', hostname(), 'node');
  // Test machines are slow at times.
  const settings = { ONCEBITTEN_AUTO_SCAN_INTERVAL_HOURS: '0', ONCEBITTEN_REPLY_DEADLINE_MS: '5000' };
  const env = { HOME: home, PATH: '/usr/bin:/bin', ...settings };
  let calls = 0;

  before(() => {
    const { clone } = installFromClone({ root, home, project, env, settings: SETTINGS });
    rmSync(clone, { recursive: true });
  });
  after(async () => {
    await stopDaemon(data.dir);
    rmSync(root, { recursive: true, force: true });
  });

  const send = (event: string, fields: object, extra: Readonly<Record<string, string>>): string => {
    const session_id = `s${calls++}`;
    const payload = {
      session_id,
      transcript_path: join(root, 'none'),
      cwd: project,
      hook_event_name: event,
      ...fields,
    };
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', readHookCommand(home, event)], {
      input: JSON.stringify(payload),
      encoding: 'utf8',
      env: { ...env, ...extra },
      cwd: project,
    });
    assert.deepEqual([status, stderr], [0, '']);
    return stdout;
  };
  const call = (extra: Readonly<Record<string, string>>): string => {
    const input = { tool_name: 'Bash', tool_input: { command: 'gh pr diff 1 --stat' }, tool_use_id: `c${calls}` };
    return send('PreToolUse', input, extra);
  };
  const own = (...args: readonly string[]) =>
    spawnSync(data.commandFile, args, { encoding: 'utf8', env: { ...env, PATH: toPath(22) }, cwd: project });
  /** A PATH on which this Node comes first. */
  const toPath = (major: number): string => `${toBin(major)}:/usr/bin:/bin`;
  const toBin = (major: number): string => {
    const bin = join(root, `bin${major}`);
    mkdirSync(bin, { recursive: true });
    // A copy: a Node below node_modules is never taken, also not through a link.
    if (!existsSync(join(bin, 'node'))) copyFileSync(toNode(NODES[major]), join(bin, 'node'));
    return bin;
  };

  it('hooks and the daemon go on with the Node that came with it', async () => {
    assert.equal(readShim(data.hookFile)?.node, join(data.nodeDir, process.version, 'node'));
    await waitUntil('a hook brings the daemon back', async () => {
      assert.match(call({}), /gh pr diff --name-only/);
      return (await askDaemon(data, 'status')) !== undefined;
    });
  });

  describe('and that Node is gone, too', () => {
    /** A daemon answers in place of the hook, and brings its Node along. */
    const leaveNone = async (): Promise<void> => {
      await stopAllDaemons(data);
      rmSync(data.nodeDir, { recursive: true, force: true });
      rmSync(data.startingFile, { force: true });
    };
    before(leaveNone);

    for (const major of [18, 20])
      it(`a hook delivers with Node ${major}`, { skip: toSkip(NODES[major]) }, () => {
        // As it is where no newer one was found: this machine may have one.
        mkdirSync(dirname(foundFile), { recursive: true });
        writeFileSync(foundFile, `${toBin(major)}/node\n`, { mode: 0o600 });
        assert.match(call(NO_DAEMON), /gh pr diff --name-only/);
        rmSync(foundFile);
      });

    it('a hook finds a Node by itself and remembers it', { skip: toSkip(NODES[20]) }, () => {
      assert.match(call({ ...NO_DAEMON, PATH: toPath(20) }), /gh pr diff --name-only/);
      const [found = ''] = readFileSync(foundFile, 'utf8').split('\n');
      assert.match(execFileSync(found, ['--version'], { encoding: 'utf8' }), /^v(?:18|2\d|[3-9]\d)\./);
      rmSync(foundFile);
    });

    it('a hook on an old Node says at the next session start what does not work', {
      skip: toSkip(NODES[18]),
    }, async () => {
      const finder = join(readShim(data.hookFile)?.app ?? '', 'find-node');
      const text = readFileSync(finder);
      // As on a machine without any newer one.
      writeFileSync(finder, '[ -n "$4" ] && printf "%s\\n" "$4"\n');
      writeFileSync(foundFile, `${toBin(18)}/node\n`, { mode: 0o600 });
      try {
        await leaveNone();
        assert.match(call({}), /gh pr diff --name-only/);
        await waitUntil('the fault is noted', async () => existsSync(data.troubleFile));
        const told = send('SessionStart', { source: 'startup' }, NO_DAEMON);
        assert.match(told, /Next: install Node 22\.18 or newer/);
        // No command runs on this Node.
        assert.doesNotMatch(told, /oncebitten doctor/);
        assert.equal(await askDaemon(data, 'status'), undefined);
      } finally {
        writeFileSync(finder, text);
        rmSync(foundFile);
        rmSync(data.startingFile, { force: true });
      }
    });

    it('the daemon that an old Node starts takes no Node of the project, whatever PWD says', {
      skip: toSkip(NODES[18]),
    }, async () => {
      rmSync(data.troubleFile, { force: true });
      const bin = join(project, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'node'), `#!/bin/sh\necho v99.0.0; : >'${join(root, 'taken')}'\n`, { mode: 0o755 });
      writeFileSync(foundFile, `${toBin(18)}/node\n`, { mode: 0o600 });
      assert.match(call({ PATH: `${bin}:/usr/bin:/bin`, PWD: '/proc/self/cwd' }), /gh pr diff --name-only/);
      await waitUntil('the search is over', async () => {
        return existsSync(data.troubleFile) || (await askDaemon(data, 'status')) !== undefined;
      });
      assert.equal(existsSync(join(root, 'taken')), false);
      await leaveNone();
      for (const file of [foundFile, data.troubleFile]) rmSync(file, { force: true });
      rmSync(bin, { recursive: true });
    });

    it('the command line goes on from the data directory, and doctor mends the hook', {
      skip: toSkip(NODES[22]),
    }, () => {
      const { stdout, stderr } = own('doctor', '--json');
      assert.equal(stderr, '');
      const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
      const check = checks.find(({ name }) => name === 'Node of the hook');
      assert.deepEqual([check?.state, check?.data?.mended], ['ok', true]);
      assert.deepEqual(
        checks.filter(({ state }) => state === 'bad'),
        [],
      );
      assert.equal(readShim(data.hookFile)?.node, join(root, 'bin22/node'));
    });

    it('a hook starts the daemon, which captures and records its Node', { skip: toSkip(NODES[22]) }, async () => {
      // The Node that doctor recorded is gone as well.
      const shim = readFileSync(data.hookFile, 'utf8');
      writeFileSync(data.hookFile, shim.replace(/ node='[^']*'/, " node='/gone/node'"));
      await waitUntil('a hook brings the daemon back', async () => {
        assert.match(call({ PATH: toPath(22) }), /gh pr diff --name-only/);
        return (await askDaemon(data, 'status')) !== undefined;
      });
      assert.equal(readShim(data.hookFile)?.node, join(root, 'bin22/node'));
      assert.equal(existsSync(data.troubleFile), false);
      const done = {
        tool_name: 'Bash',
        tool_input: { command: 'make x' },
        tool_response: { stdout: 'ok' },
        tool_use_id: 'done',
      };
      send('PostToolUse', done, {});
      await askDaemon(data, 'flush');
      const store = await openSqliteStore(data.storeFile);
      const kept = (await store.listCalls({})).filter(({ callId }) => callId === 'done');
      await store.close();
      assert.deepEqual(
        kept.map(({ inputSummary }) => inputSummary),
        ['make x'],
      );
    });

    it('uninstall gives the agent’s settings back byte for byte', { skip: toSkip(NODES[22]) }, () => {
      assert.equal(own('uninstall', 'claude-code').status, 0);
      assert.equal(readFileSync(join(home, '.claude/settings.json'), 'utf8'), SETTINGS);
    });
  });
});
