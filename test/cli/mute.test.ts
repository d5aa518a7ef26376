import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openShell, type Shell } from './open-shell.ts';

describe('pause, resume, mute and unmute', () => {
  let shell: Shell;
  let slug: string;
  before(async () => {
    shell = openShell();
    const words = ['--summary', 'no stat', '--fix', 'x', '--program', 'gh pr diff', '--with=--stat'];
    ({ slug } = await shell.json<{ slug: string }>('lessons', 'add', ...words));
  });
  after(() => shell.close());

  const file = () => JSON.parse(readFileSync(join(shell.dataDir, 'switches.json'), 'utf8'));
  const refuse = async (args: readonly string[], said: RegExp, expected = 1): Promise<void> => {
    const { code, stderr } = await shell.run(args);
    assert.equal(code, expected, args.join(' '));
    assert.match(stderr, said);
  };

  it('refuse what makes no sense, with the next step', async () => {
    await refuse(['pause', '--for', 'a while'], /--for a while: .*\n {2}next: .*30m, 2h, 1d/, 2);
    await refuse(['pause', '--for', '0h'], /--for 0h: /, 2);
    await refuse(['pause', '--project', '.', '--session', 'x'], /--project and --session: were both given/, 2);
    await refuse(['pause', '--session', 'zzz'], /session zzz: .*\n {2}next: .*oncebitten sessions/);
    await refuse(['pause', '--project', '/nope'], /project \/nope: .*\n {2}next: /);
    await refuse(['mute'], /mute: needs a lesson, or --all\n {2}next: /, 2);
    await refuse(['mute', slug, '--all'], /got both a lesson and --all/, 2);
    await refuse(['mute', 'no-such-lesson'], /lesson no-such-lesson: .*\n {2}next: .*lessons list/);
  });

  it('write a file for the user alone, whose shape says what it is', async () => {
    await shell.json('pause', '--for', '90m');
    assert.equal(statSync(join(shell.dataDir, 'switches.json')).mode & 0o777, 0o600);
    const { $schema, type, version, pauses } = file();
    assert.deepEqual([$schema, type, version], ['oncebitten/switches.schema.json', 'switches', 1]);
    const [{ what, from, until }] = pauses;
    assert.equal(what, 'all');
    assert.equal(Date.parse(until) - Date.parse(from), 90 * 60_000);
  });

  it('make a running pause longer instead of adding one, and keep when it began', async () => {
    const [{ from }] = file().pauses;
    await shell.json('pause');
    assert.deepEqual(file().pauses, [{ what: 'all', from }]);
  });

  it('say in plain words what is off and how to go on', async () => {
    const status = await shell.run(['daemon', 'status']);
    assert.match(status.stdout, /PAUSED: .*oncebitten resume/);
    const resumed = (await shell.run(['resume'])).stdout;
    assert.match(resumed, /^Resumed: /);
    assert.doesNotMatch(resumed, /PAUSED/);
    assert.equal(file().pauses.filter(({ until }: { until?: string }) => until === undefined).length, 0);
    assert.doesNotMatch((await shell.run(['resume'])).stdout, /Resumed/);
    assert.doesNotMatch((await shell.run(['daemon', 'status'])).stdout, /pause/i);
  });

  it('mute by slug and id, once', async () => {
    const muted = await shell.run(['lessons', 'mute', slug, '--for', '1d']);
    assert.match(muted.stdout, new RegExp(`: ${slug}\\. .*oncebitten lessons unmute --home \\S+ ${slug}`));
    await shell.json('lessons', 'mute', slug);
    assert.equal(file().mutes.length, 1);
    assert.match((await shell.run(['daemon', 'status'])).stdout, /1 lesson .*muted/);
    const first = await shell.run(['lessons', 'unmute', slug]);
    assert.deepEqual(file().mutes, []);
    assert.notEqual(
      (await shell.run(['lessons', 'unmute', slug])).stdout,
      first.stdout,
      'it says that there was nothing to do',
    );
  });

  it('lose nothing when several are given at once', async () => {
    const sessions = Array.from({ length: 6 }, (_, i) => `4c1f0a52-7d3b-4e0e-9a51-2f6f3f1f0b0${i}`);
    await Promise.all(sessions.map((id) => shell.json('pause', '--session', id)));
    const paused = file()
      .pauses.filter((one: { what: string }) => one.what === 'session')
      .map((one: { id: string }) => one.id);
    assert.deepEqual(paused.sort(), sessions);
  });

  it('repair a broken file, and remember that nothing was captured meanwhile', async () => {
    writeFileSync(join(shell.dataDir, 'switches.json'), 'garbage');
    assert.match((await shell.run(['daemon', 'status'])).stdout, /PAUSED: .*broken/);
    assert.match((await shell.run(['resume'])).stdout, /broken/);
    const [{ what, from, until }] = file().pauses;
    assert.equal(what, 'all');
    assert.ok(Date.parse(from) <= Date.parse(until));
  });
});
