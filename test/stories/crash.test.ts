/**
 * Kill -9 of anything at any moment while events pour in: every event that was acknowledged is in the store, once.
 * ONCEBITTEN_TEST_EVENTS and ONCEBITTEN_TEST_SEED make it a soak.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { findPid, kill, listWaiting, readCalls, settle, spawnDaemon } from './daemon-files.ts';
import { openStory, readHookCommand, type Story } from './open-story.ts';
import { sendEvent } from './send-event.ts';

const EVENTS = Number(process.env.ONCEBITTEN_TEST_EVENTS ?? 2_000);
const SEED = Number(process.env.ONCEBITTEN_TEST_SEED ?? 1);
const CLIENTS = 8;
const EVENTS_PER_KILL = 200;
const EVENTS_PER_SHIM = 40;
const KILLER = join(import.meta.dirname, 'worker-killer.ts');

describe('killing anything at any moment', { timeout: 900_000 + EVENTS * 30 }, () => {
  const random = makeRandom(SEED);
  const acknowledged = new Set<string>();
  const sent = new Set<string>();
  let story: Story;
  let home: ReturnType<typeof toDataHome>;
  before(async () => {
    story = await openStory();
    home = toDataHome(story.dataDir);
  });
  after(() => story.close());

  const toPayload = (id: string) => ({
    session_id: `session-${id.split('-')[0]}`,
    transcript_path: join(story.home, 'none.jsonl'),
    cwd: story.project,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: `echo ${id}` },
    tool_response: { stdout: 'x'.repeat(Math.floor(random() * 2_000)), stderr: '' },
    tool_use_id: id,
  });
  /** Through the door until there is a receipt; now and then it leaves halfway and comes again. */
  const sendByDoor = async (id: string): Promise<void> => {
    const sending = { doorFile: home.doorFile, event: 'PostToolUse', payload: toPayload(id) };
    if (random() < 0.05) await sendEvent({ ...sending, leaveAfter: Math.floor(random() * 3_000) });
    while (!(await sendEvent(sending))) await sleep(20);
    acknowledged.add(id);
  };
  /** Through the installed hook, as an agent: that it ends well is its receipt. Some are killed. */
  const sendByShim = async (id: string): Promise<void> => {
    const command = readHookCommand(story.home, 'PostToolUse');
    const child = spawn('/bin/sh', ['-c', `exec ${command.split(' && ')[1]?.split(' || ')[0]}`], { env: story.env });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(toPayload(id)));
    if (random() < 0.3) setTimeout(() => child.kill('SIGKILL'), random() * 20);
    const code = await new Promise((done) => child.once('close', done));
    if (code === 0) acknowledged.add(id);
  };
  let strikes = 0;
  const send = async (client: number, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      // A fast machine would be done before anybody is killed.
      while (acknowledged.size > (strikes + 2) * EVENTS_PER_KILL) await sleep(5);
      const id = `${client}-${n}`;
      sent.add(id);
      await (n % EVENTS_PER_SHIM === client ? sendByShim(id) : sendByDoor(id));
    }
  };
  /** The daemon, or only its thread; it is brought back by us or by the next hook. */
  const strike = async (): Promise<void> => {
    const pid = findPid(home);
    const onlyWorker = random() < 0.3;
    kill(pid, onlyWorker ? 'SIGUSR2' : 'SIGKILL');
    if (random() < 0.3) await sleep(random() * 300);
    // Also soon after its thread came back, which takes what was left while the journal goes on.
    if (onlyWorker && random() < 0.5) await sleep(500 + random() * 300).then(() => kill(pid));
    spawnDaemon(home, { node: ['--import', KILLER], env: story.env });
  };

  it('tells the event to hook.cjs when a daemon dies between its greeting and its receipt', async () => {
    await story.cli('daemon', 'stop');
    // What the shim sees of such a daemon: the right secret, and then the end.
    const dying = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write('answer\n', () => socket.once('data', () => socket.end())));
    });
    await new Promise<void>((done) => dying.listen(0, '127.0.0.1', done));
    const { port } = dying.address() as AddressInfo;
    writeFileSync(home.doorFile, `${port} ask answer\n`);
    const id = '99-unreceived';
    sent.add(id);
    const answer = await story.send('PostToolUse', JSON.stringify(toPayload(id)), { ONCEBITTEN_NO_DAEMON: '1' });
    dying.close();
    assert.deepEqual(answer, { code: 0, stdout: '', stderr: '' });
    assert.equal(listWaiting(home).length, 1);
    acknowledged.add(id);
    await story.cli('daemon', 'start');
  });

  it('loses and doubles nothing that was acknowledged', async () => {
    await strike();
    let isOver = false;
    const striking = (async () => {
      while (!isOver) {
        await sleep(random() * 60);
        if (acknowledged.size < (strikes + 1) * EVENTS_PER_KILL) continue;
        strikes++;
        await strike();
      }
    })();
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => send(client, EVENTS / CLIENTS)));
    isOver = true;
    await striking;
    await story.cli('daemon', 'start');
    await settle(home);

    const stored = (await readCalls(home)).map((call) => call.callId);
    const known = new Set(stored);
    assert.deepEqual(
      [...acknowledged].filter((id) => !known.has(id)),
      [],
      'acknowledged and lost',
    );
    assert.equal(stored.length, known.size, 'stored twice');
    assert.deepEqual(
      stored.filter((id) => !sent.has(id)),
      [],
      'never sent',
    );
    assert.deepEqual(listWaiting(home), []);
    // How many fit in depends on how fast the machine is.
    assert.ok(strikes >= Math.floor(EVENTS / EVENTS_PER_KILL / 3), `${strikes} kills`);
    assert.ok(acknowledged.size > EVENTS * 0.9, `${acknowledged.size} acknowledged`);
  });
});

/** Mulberry32: the same moments again, as far as the machine allows. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
