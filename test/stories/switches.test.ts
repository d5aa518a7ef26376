import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { openStory, type Story } from './open-story.ts';

const SILENT = { code: 0, stdout: '', stderr: '' };
/** Whole ids: nothing was seen of them yet. */
const QUIET = '4c1f0a52-7d3b-4e0e-9a51-2f6f3f1f0b01';
const HUSH = '4c1f0a52-7d3b-4e0e-9a51-2f6f3f1f0b02';
const COLD = { ONCEBITTEN_NO_DAEMON: '1' };

const bash = (command: string, id: string, session: string) => ({
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: id,
});

describe('the off switches', () => {
  let story: Story;
  let lesson: Lesson;
  let calls = 0;
  before(async () => {
    story = await openStory();
    const words = ['--summary', 'no stat', '--fix', 'use --name-only', '--program', 'gh pr diff', '--with=--stat'];
    lesson = (await story.cli('lessons', 'add', ...words)) as Lesson;
  });
  after(() => story.close());

  /** A new session each time: a lesson speaks once in each. */
  const ask = (env = {}, fields = {}) =>
    story.hook('PreToolUse.Bash', { ...bash('gh pr diff 1 --stat', `q${++calls}`, `ask-${calls}`), ...fields }, env);
  const tell = async (env = {}, fields = {}): Promise<string> => {
    const id = `t${++calls}`;
    const payload = { ...bash(`echo ${id}`, id, 'told'), tool_response: { stdout: id, stderr: '' }, ...fields };
    assert.deepEqual(await story.hook('PostToolUse.Bash', payload, env), SILENT);
    return id;
  };
  const stored = async (): Promise<readonly string[]> => {
    await story.settle();
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    try {
      return (await store.listCalls({})).map(({ callId }) => callId);
    } finally {
      await store.close();
    }
  };
  /** With the daemon and without one: both must obey. */
  const both = async (check: (env: Record<string, string>) => Promise<void>): Promise<void> => {
    await check({});
    await story.cli('daemon', 'stop');
    await check(COLD);
    await story.cli('daemon', 'start');
  };
  const speaks = async (env = {}, fields = {}) => (await ask(env, fields)).stdout.includes('--name-only');

  it('are not there at first, and everything is on', async () => {
    assert.equal(existsSync(join(story.dataDir, 'switches.json')), false);
    await both(async (env) => {
      assert.equal(await speaks(env), true);
      assert.ok((await tell(env)) !== '');
    });
    assert.equal((await stored()).length, 2);
  });

  it('pause everything: nothing is captured and nothing is said, and the commands say so', async () => {
    const { until } = (await story.cli('pause', '--for', '2h')) as { until: string };
    const missing: string[] = [];
    await both(async (env) => {
      assert.deepEqual(await ask(env), SILENT);
      missing.push(await tell(env));
    });
    const status = (await story.cli('daemon', 'status')) as { switches: { pausedAll: boolean; paused: unknown[] } };
    assert.equal(status.switches.pausedAll, true);
    assert.equal((status.switches.paused[0] as { until: string }).until, until);
    const { checks } = (await story.cli('doctor')) as { checks: { name: string; detail: string }[] };
    assert.match(checks.find(({ name }) => name === 'pauses')?.detail ?? '', new RegExp(`PAUSED until ${until}`));
    await story.cli('resume');
    await both(async (env) => assert.equal(await speaks(env), true));
    const known = await stored();
    for (const id of missing) assert.equal(known.includes(id), false, id);
  });

  it('keep what happened during a pause out of a later scan of the transcript', async () => {
    const file = join(story.home, 'projects', 'paused-session.jsonl');
    mkdirSync(join(story.home, 'projects'), { recursive: true });
    const row = (type: string, content: unknown) => {
      const origin = { sessionId: 'paused-session', cwd: story.project, timestamp: new Date().toISOString() };
      return `${JSON.stringify({ type, ...origin, message: { role: type, content } })}\n`;
    };
    const call = (id: string) =>
      row('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: `echo ${id}` } }]) +
      row('user', [{ type: 'tool_result', tool_use_id: id, content: id }]);
    appendFileSync(file, call('before-pause'));
    // The milliseconds in which a pause begins and ends belong to it.
    await sleep(2);
    await story.cli('pause');
    appendFileSync(file, call('during-pause'));
    await story.cli('resume');
    await sleep(2);
    appendFileSync(file, call('after-pause'));
    await story.cli('scan', '--path', file);
    const known = await stored();
    assert.deepEqual(
      ['before-pause', 'during-pause', 'after-pause'].filter((id) => known.includes(id)),
      ['before-pause', 'after-pause'],
    );
  });

  it('pause one project or one session, and no other', async () => {
    const other = join(story.home, 'other');
    mkdirSync(join(other, 'deep'), { recursive: true });
    await story.cli('pause', '--project', other);
    await story.cli('pause', '--session', QUIET);
    await both(async (env) => {
      assert.equal(await speaks(env), true);
      assert.deepEqual(await ask(env, { cwd: other }), SILENT);
      assert.deepEqual(await ask(env, { cwd: join(other, 'deep') }), SILENT);
      assert.deepEqual(await ask(env, { session_id: QUIET }), SILENT);
    });
    const told = [await tell(), await tell({}, { cwd: other }), await tell({}, { session_id: QUIET })];
    const known = await stored();
    assert.deepEqual(
      told.map((id) => known.includes(id)),
      [true, false, false],
    );
    await story.cli('resume', '--project', other);
    await story.cli('resume', '--session', QUIET);
    assert.equal(await speaks({}, { cwd: other }), true);
  });

  it('pause a project with the folders that are joined to it later', async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => join(story.home, name));
    assert.ok(first && second && third);
    for (const cwd of [first, second, third]) {
      mkdirSync(cwd);
      await tell({}, { cwd, session_id: `began-in-${cwd}` });
    }
    await stored();
    await story.cli('pause', '--project', first);
    await both(async (env) => assert.equal(await speaks(env, { cwd: second }), true));
    await story.cli('data', 'projects', 'join', second, first);
    await both(async (env) => assert.deepEqual(await ask(env, { cwd: second }), SILENT));
    await story.cli('data', 'projects', 'join', first, third);
    await both(async (env) => {
      for (const cwd of [first, second, third]) assert.deepEqual(await ask(env, { cwd }), SILENT);
    });
    const { resumed } = (await story.cli('resume', '--project', third)) as { resumed: boolean };
    assert.equal(resumed, true);
    await both(async (env) => assert.equal(await speaks(env, { cwd: second }), true));
  });

  it('reach a running session by the beginning of its id, as it is listed', async () => {
    const session_id = 'f00dfeed-7d3b-4e0e-9a51-2f6f3f1f0b09';
    const before = await tell({}, { session_id });
    // Whether the store has it yet is not the person's concern.
    await story.cli('pause', '--session', 'f00dfeed-7d3b');
    const during = await tell({}, { session_id });
    assert.deepEqual(await ask({}, { session_id }), SILENT);
    await story.cli('resume', '--session', 'f00dfeed');
    await story.cli('mute', lesson.slug, '--session', 'f00d');
    assert.deepEqual(await ask({}, { session_id }), SILENT);
    await story.cli('unmute', lesson.slug, '--session', 'f00d');
    assert.equal(await speaks({}, { session_id }), true);
    const known = await stored();
    assert.deepEqual([known.includes(before), known.includes(during)], [true, false]);
  });

  it('end by themselves when their time has passed', async () => {
    const file = join(story.dataDir, 'switches.json');
    await story.cli('pause', '--for', '1h');
    await story.cli('mute', '--all', '--for', '1h');
    const past = new Date(Date.now() - 1000).toISOString();
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"until": "[^"]+"/g, `"until": "${past}"`));
    await both(async (env) => assert.equal(await speaks(env), true));
    await story.cli('unmute', '--all');
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')).mutes, [], 'cleaned');
  });

  it('mute one lesson, everywhere or in a session, without archiving it', async () => {
    await story.cli('mute', lesson.slug, '--session', HUSH);
    await both(async (env) => {
      assert.deepEqual(await ask(env, { session_id: HUSH }), SILENT);
      assert.equal(await speaks(env), true);
    });
    await story.cli('mute', lesson.slug);
    await both(async (env) => assert.deepEqual(await ask(env), SILENT));
    const { status } = (await story.cli('lessons', 'show', lesson.slug)) as Lesson;
    assert.equal(status, 'active');
    await story.cli('unmute', lesson.slug);
    assert.equal(await speaks(), true);
    // It was not claimed while it was muted.
    await story.cli('unmute', lesson.slug, '--session', HUSH);
    assert.equal(await speaks({}, { session_id: HUSH }), true);
  });

  it('mute everything while capture goes on', async () => {
    await story.cli('mute', '--all');
    await both(async (env) => {
      assert.deepEqual(await ask(env), SILENT);
      const id = await tell(env);
      if (env !== COLD) assert.ok((await stored()).includes(id));
    });
    await story.cli('unmute', '--all');
    assert.equal(await speaks(), true);
  });

  it('mean silence and no capture when their file is broken, until a person says otherwise', async () => {
    const file = join(story.dataDir, 'switches.json');
    writeFileSync(file, '{ "pauses": [');
    const missing: string[] = [];
    await both(async (env) => {
      assert.deepEqual(await ask(env), SILENT);
      missing.push(await tell(env));
    });
    const { switches } = (await story.cli('daemon', 'status')) as { switches: { broken: boolean } };
    assert.equal(switches.broken, true);
    await story.cli('resume');
    const known = await stored();
    for (const id of missing) assert.equal(known.includes(id), false, id);
    assert.deepEqual(readdirSync(join(story.dataDir, 'spool')), []);
    assert.equal(await speaks(), true);
  });

  it('make a folder private at once, with the daemon at work and without', async () => {
    const config = join(story.dataDir, 'config.jsonc');
    writeFileSync(config, JSON.stringify({ privateProjects: [story.project] }));
    assert.deepEqual(await ask(), SILENT);
    const warm = await tell();
    assert.ok(!(await stored()).includes(warm));
    await story.cli('daemon', 'stop');
    rmSync(config);
    await story.cli('daemon', 'start');
    await story.cli('daemon', 'stop');
    // Nobody has compiled these settings yet: the cold hook cannot know, and so looks away.
    writeFileSync(config, JSON.stringify({ privateProjects: [story.project] }));
    assert.deepEqual(await ask(COLD), SILENT);
    await tell(COLD);
    assert.deepEqual(readdirSync(join(story.dataDir, 'spool')), []);
    rmSync(config);
    await story.cli('daemon', 'start');
    await story.settle();
    assert.match((await ask()).stdout, /name-only/);
  });

  it('keep out a session that began in a private folder, wherever it walks: hooks, no daemon, a scan', async () => {
    const config = join(story.dataDir, 'config.jsonc');
    const secret = join(story.home, 'secret');
    mkdirSync(secret);
    writeFileSync(config, JSON.stringify({ privateProjects: ['~/secret'] }));
    await story.settle();
    const start = (session_id: string, env = {}) =>
      story.hook('SessionStart.startup', { session_id, cwd: secret }, env);
    await start('stray-warm');
    const missing = [await tell({}, { session_id: 'stray-warm' })];
    await story.cli('daemon', 'stop');
    missing.push(await tell(COLD, { session_id: 'stray-warm' }));
    await start('stray-cold', COLD);
    missing.push(await tell(COLD, { session_id: 'stray-cold' }));
    assert.deepEqual(readdirSync(join(story.dataDir, 'spool')), []);
    const there = await tell(COLD, { session_id: 'elsewhere' });
    await story.cli('daemon', 'start');
    missing.push(await tell({}, { session_id: 'stray-cold' }));
    const file = join(story.home, 'projects', 'stray-told.jsonl');
    const row = (type: string, cwd: string, content: unknown) =>
      `${JSON.stringify({ type, sessionId: 'stray-told', cwd, timestamp: new Date().toISOString(), message: { role: type, content } })}\n`;
    writeFileSync(file, row('user', secret, 'go'));
    await story.cli('scan', '--path', file);
    appendFileSync(
      file,
      row('assistant', story.project, [{ type: 'tool_use', id: 'stray', name: 'Bash', input: { command: 'ls' } }]),
    );
    appendFileSync(file, row('user', story.project, [{ type: 'tool_result', tool_use_id: 'stray', content: 'ok' }]));
    await story.cli('scan', '--path', file);
    const known = await stored();
    assert.deepEqual(
      [...missing, 'stray', there].map((id) => known.includes(id)),
      [false, false, false, false, false, true],
    );
    writeFileSync(config, JSON.stringify({ privateProjects: ['secret'] }));
    const doctor = await story.cli('doctor').catch((error) => JSON.parse(error.stdout));
    const { checks } = doctor as { checks: { name: string; state: string; detail: string }[] };
    const settings = checks.find(({ name }) => name === 'settings');
    assert.deepEqual(
      [settings?.state, /"secret": is not an absolute path/.test(settings?.detail ?? '')],
      ['bad', true],
    );
    for (const cwd of [secret, story.project]) {
      const id = await tell({}, { session_id: 'broken', cwd });
      assert.equal((await stored()).includes(id), false, 'a mistake in the settings opens nothing');
    }
    rmSync(config);
  });

  it('leave no file behind when nothing was ever switched off', async () => {
    rmSync(join(story.dataDir, 'switches.json'), { force: true });
    await story.cli('unmute', '--all');
    await story.cli('resume');
    assert.equal(existsSync(join(story.dataDir, 'switches.json')), false);
  });
});
