/** Two hosts on one data directory: one has the store, the other tells it, and takes over when it falls silent. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import type { DaemonStatus } from '../../src/surfaces/daemon/ask-daemon.ts';
import { askDaemon } from '../../src/surfaces/daemon/ask-daemon.ts';
import { holdOwnership } from '../../src/surfaces/daemon/locks.ts';
import { type DaemonProcess, kill, listWaiting, readCalls, settle, spawnDaemon, waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

const LESSON = ['--summary', 'no stat', '--fix', 'use --name-only', '--program', 'gh pr diff', '--with=--stat'];
/** Of two minutes. */
const PATIENCE_MS = 3_000;

describe('two hosts on one home', { timeout: 900_000 }, () => {
  let story: Story;
  let ann: Host;
  let bob: Host;
  before(async () => {
    story = await openStory();
    await story.cli('lessons', 'add', ...LESSON);
    await story.cli('daemon', 'stop');
    [ann, bob] = [makeHost('ann'), makeHost('bob')];
  });
  after(async () => {
    for (const host of [ann, bob]) kill(host.daemon?.pid);
    await Promise.all([ann, bob].map((host) => host.daemon?.ended));
    await story.close();
  });

  interface Host {
    readonly home: DataHome;
    daemon?: DaemonProcess;
    start(): Promise<void>;
    status(): Promise<DaemonStatus | undefined>;
    tell(id: string): Promise<void>;
    ask(session: string): Promise<string>;
  }
  function makeHost(name: string): Host {
    const env = { ONCEBITTEN_HOST: name, ONCEBITTEN_NO_DAEMON: '1' };
    const home = toHostHome(story.dataDir, name);
    const host: Host = {
      home,
      async start() {
        host.daemon = spawnDaemon(home, {
          args: ['--owner-patience-ms', String(PATIENCE_MS)],
          env: { ...story.env, ...env },
        });
        await waitUntil(`${name} answers`, async () => (await host.status())?.pid === host.daemon?.pid);
      },
      status: () => askDaemon<DaemonStatus>(home, 'status'),
      async tell(id) {
        const { code } = await story.hook('PostToolUse.Bash', { session_id: 'hosts', tool_use_id: id }, env);
        assert.equal(code, 0);
      },
      async ask(session) {
        const payload = { session_id: session, tool_use_id: 'x', tool_input: { command: 'gh pr diff 1 --stat' } };
        return (await story.hook('PreToolUse.Bash', payload, env)).stdout;
      },
    };
    return host;
  }
  const ids = async () => (await readCalls(ann.home, 'hosts')).map((call) => call.callId).sort();
  const owner = () => JSON.parse(readFileSync(ann.home.ownerFile, 'utf8')).host;

  it('the first has the store, the second answers and tells the first', async () => {
    await ann.start();
    await bob.start();
    assert.equal(owner(), 'ann');
    assert.equal((await ann.status())?.owner, undefined);
    assert.equal((await bob.status())?.owner, 'ann');
    await Promise.all([ann.tell('a1'), bob.tell('b1')]);
    assert.match(await bob.ask('at-bob'), /name-only/);
    await settle(ann.home);
    assert.deepEqual(await ids(), ['a1', 'b1']);
    // Much longer than an owner may be silent.
    await sleep(PATIENCE_MS * 1.5);
    assert.equal(owner(), 'ann');
  });

  it('the second takes over when the first was killed, with what it left', async () => {
    await ann.tell('a2');
    kill(ann.daemon?.pid);
    await ann.daemon?.ended;
    await bob.tell('b2');
    await waitUntil('bob has the store', async () => (await bob.status())?.owner === undefined);
    assert.equal(owner(), 'bob');
    await settle(bob.home);
    assert.deepEqual(await ids(), ['a1', 'a2', 'b1', 'b2']);
  });

  it('one that wakes up after the other took over tells it, and loses nothing', async () => {
    await ann.start();
    assert.equal((await ann.status())?.owner, 'bob');
    // Asleep, as a laptop's lid does it.
    kill(bob.daemon?.pid, 'SIGSTOP');
    await waitUntil('ann has the store', async () => (await ann.status())?.owner === undefined);
    await ann.tell('a3');
    kill(bob.daemon?.pid, 'SIGCONT');
    await bob.tell('b3');
    await waitUntil('bob gives in', async () => (await bob.status())?.owner === 'ann');
    await bob.tell('b4');
    await settle(ann.home);
    assert.deepEqual(await ids(), ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4']);
  });

  it('one that leaves in order gives the store at once', async () => {
    await askDaemon(ann.home, 'stop');
    await ann.daemon?.ended;
    assert.ok(!existsSync(ann.home.ownerFile) || owner() === 'bob');
    await bob.tell('b5');
    await settle(bob.home);
    assert.ok((await ids()).includes('b5'));
    assert.deepEqual(listWaiting(bob.home), []);
  });
});

describe('ownership', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-owner-'));
  after(() => rmSync(dir, { recursive: true }));
  const open = (name: string, host: string, daemonId: string) => {
    const told: string[] = [];
    const ownership = holdOwnership({
      file: join(dir, name),
      host,
      daemonId,
      patienceMs: 400,
      onGain: () => told.push('gain'),
      onLose: () => told.push('lose'),
    });
    return { ...ownership, told };
  };

  it('of a dead daemon of the same host is taken at once', () => {
    assert.ok(open('same', 'ann', 'dmn_1').isMine());
    assert.ok(open('same', 'ann', 'dmn_2').isMine());
  });

  it('goes to one of several that wait for the same dead owner', async () => {
    open('many', 'dead', 'dmn_0');
    const waiting = ['ann', 'bob', 'cyd'].map((host) => open('many', host, `dmn_${host}`));
    await waitUntil('one has it', async () => {
      for (const one of waiting) one.beat();
      await sleep(20);
      return waiting.some((one) => one.isMine());
    });
    assert.equal(waiting.filter((one) => one.isMine()).length, 1);
    assert.equal(waiting.flatMap((one) => one.told).length, 1);
  });

  it('does not depend on the clocks of hosts', async () => {
    const ann = open('clocks', 'ann', 'dmn_1');
    const bob = open('clocks', 'bob', 'dmn_2');
    for (let n = 0; n < 10; n++) {
      await sleep(100);
      // Her clock is an hour slow.
      const slow = new Date(Date.now() - 3_600_000);
      ann.beat();
      utimesSync(join(dir, 'clocks'), slow, slow);
      bob.beat();
    }
    assert.deepEqual([ann.isMine(), bob.isMine()], [true, false]);
  });

  it('is not given up for a file that only went, and waits for one that names nobody', () => {
    const ann = open('file', 'ann', 'dmn_1');
    rmSync(join(dir, 'file'));
    ann.beat();
    assert.deepEqual(ann.told, ['gain']);
    writeFileSync(join(dir, 'torn'), '');
    assert.equal(open('torn', 'ann', 'dmn_1').isMine(), false);
  });
});

/** The data directory as another host sees it. */
function toHostHome(dir: string, host: string): DataHome {
  const before = process.env.ONCEBITTEN_HOST;
  process.env.ONCEBITTEN_HOST = host;
  try {
    return toDataHome(dir);
  } finally {
    if (before === undefined) delete process.env.ONCEBITTEN_HOST;
    else process.env.ONCEBITTEN_HOST = before;
  }
}
