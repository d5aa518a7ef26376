import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openStory, type Story } from '../stories/open-story.ts';
import { type Diagnosis, runDoctor } from './run-doctor.ts';

const GH = ['--summary', 'no --stat', '--fix', 'gh pr diff --name-only', '--program', 'gh pr diff', '--with=--stat'];

describe('doctor, where all is well', () => {
  let story: Story;
  let diagnosis: Diagnosis;
  before(async () => {
    story = await openStory();
    diagnosis = await runDoctor(story);
  });
  after(() => story.close());

  it('finds nothing wrong and says so with exit code 0', () => {
    const { code, checks } = diagnosis;
    assert.deepEqual(
      // How fast the hook is, and whether there is another Node, says more about the machine than about the installation.
      checks.filter(({ state, name }) => state !== 'ok' && !['latency', 'Node of the hook'].includes(name)),
      [],
    );
    assert.equal(code, 0);
  });

  it('proves delivery without any lesson, with the daemon and without', () => {
    assert.match(diagnosis.get('delivery to Claude Code, with the daemon').detail, /test message came back/);
    assert.match(diagnosis.get('delivery to Claude Code, without the daemon').detail, /test message came back/);
    assert.match(diagnosis.get('a lesson to Claude Code').detail, /no active lessons/);
  });

  it('says that lessons are there where it can try none of them', async () => {
    const { slug } = (await story.cli(
      'lessons',
      'add',
      '--summary',
      'x',
      '--fix',
      'y',
      '--tool',
      'edit',
      '--file',
      'src/**',
    )) as { slug: string };
    const { detail } = (await runDoctor(story)).get('a lesson to Claude Code');
    await story.cli('lessons', 'delete', slug, '--yes');
    assert.match(detail, /not tried/);
    assert.doesNotMatch(detail, /\bno\b|\bnone yet/);
  });

  it('delivers a real lesson when there is one, and leaves no trace of it', async () => {
    const { slug } = (await story.cli('lessons', 'add', ...GH)) as { slug: string };
    assert.match((await runDoctor(story)).get('a lesson to Claude Code').detail, new RegExp(`^${slug} arrived`));
    await story.cli('lessons', 'edit', slug, '--valid-until', '2020-01-01');
    const later = await runDoctor(story);
    assert.deepEqual(later.get('store').data?.deliveries, 0);
    const { state, detail } = later.get('a lesson to Claude Code');
    await story.cli('lessons', 'edit', slug, '--valid-until', 'none');
    assert.deepEqual([state, /not tried/.test(detail)], ['ok', true], 'a lesson whose time is over must not arrive');
  });

  it('measures the hook against a shell that does nothing', () => {
    const { hookMs, floorMs, runs } = diagnosis.get('latency').data ?? {};
    // Which is quicker by how much is for a bench to say: here the machine is busy with other tests.
    assert.ok(Number(hookMs) > 0 && Number(floorMs) > 0 && runs === 10);
  });

  it('tells engine, size and migrations of the store, and what is captured and what cannot be', () => {
    const { engine, bytes, migrations } = diagnosis.get('store').data ?? {};
    assert.ok(engine === 'SQLite' && Number(bytes) > 0 && Number(migrations) >= 10);
    const { events, tools, gaps } = diagnosis.get('capture from Claude Code').data as Record<string, string[]>;
    assert.ok(events?.includes('PreToolUse') && tools?.includes('shell') && (gaps?.length ?? 0) > 0);
  });

  it('works without a daemon, and says how to start it', async () => {
    await story.cli('daemon', 'stop');
    const { code, get } = await runDoctor(story);
    assert.equal(code, 0);
    assert.deepEqual([get('daemon').state, get('daemon').next], ['advice', 'run: oncebitten daemon start']);
    assert.equal(get('delivery to Claude Code, without the daemon').state, 'ok');
    await story.cli('daemon', 'start');
  });
});

describe('doctor, asked about agents on the PATH', () => {
  let story: Story;
  let bin: string;
  before(async () => {
    story = await openStory();
    bin = join(story.home, 'bin');
    mkdirSync(bin);
  });
  after(() => story.close());
  const fake = (script: string): Readonly<Record<string, string>> => {
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { PATH: `${bin}:${story.env.PATH}` };
  };

  it('tells the version', async () => {
    const check = (await runDoctor(story, fake("echo '2.1.400 (Claude Code)'"))).get('Claude Code');
    assert.deepEqual([check.state, check.detail], ['ok', 'version 2.1.400']);
  });

  it('says that a version is older than the one it was tried with', async () => {
    const check = (await runDoctor(story, fake("echo '2.0.9 (Claude Code)'"))).get('Claude Code');
    assert.equal(check.state, 'advice');
    assert.match(check.detail, /2\.0\.9.*2\.1\./);
  });

  it('does not wait for one that hangs, with children that hold its output', async () => {
    const waited = join(story.home, 'waited');
    const { code, get } = await runDoctor(story, fake(`(sleep 60; : >'${waited}') & sleep 60`));
    assert.equal(existsSync(waited), false);
    assert.equal(get('Claude Code').state, 'advice');
    assert.equal(code, 0);
  });
});

describe('doctor, where the shell is not on the PATH', () => {
  it('says so at each check that needs it', async () => {
    const story = await openStory();
    try {
      const { checks, get } = await runDoctor(story, { PATH: join(story.home, 'nothing') });
      const check = get('delivery to Claude Code, without the daemon');
      assert.equal(check.state, 'bad');
      assert.match(check.detail, /^sh: .*PATH/);
      assert.match(check.next ?? '', /PATH/);
      for (const { detail } of checks) assert.doesNotMatch(detail, /undefined|null|internal error/);
    } finally {
      await story.close();
    }
  });
});

describe('doctor, where another process holds the store', () => {
  it('says so, and gives no advice about the disk', async () => {
    const story = await openStory({ install: false });
    const file = join(story.dataDir, 'oncebitten.db');
    await story.cli('lessons', 'starter', '--install');
    const holder = new DatabaseSync(file);
    try {
      holder.exec('pragma locking_mode = exclusive; begin exclusive');
      const check = (await runDoctor(story)).get('store');
      assert.equal(check.state, 'bad');
      assert.match(check.detail, /held by another process/);
      assert.doesNotMatch(`${check.detail} ${check.next}`, /permission|disk/);
    } finally {
      holder.close();
      await story.close();
    }
  });
});

describe('doctor, where something is broken', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
  });
  after(() => story.close());
  beforeEach(async () => {
    await story.cli('daemon', 'start');
    await story.cli('install', 'claude-code', '--force');
  });

  const assertBad = async (name: string, says: RegExp, next: RegExp, env = {}): Promise<Diagnosis> => {
    const diagnosis = await runDoctor(story, env);
    const check = diagnosis.get(name);
    assert.equal(check.state, 'bad', `${name}: ${check.detail}`);
    assert.match(check.detail, says);
    assert.match(check.next ?? '', next);
    assert.equal(diagnosis.code, 1);
    return diagnosis;
  };
  const hookFile = () => join(story.dataDir, 'bin/hook');
  const settingsFile = () => join(story.home, '.claude/settings.json');
  /** Puts the file back as it was. */
  const withFile = async (file: string, text: string | Buffer, look: () => Promise<unknown>): Promise<void> => {
    const original = existsSync(file) ? readFileSync(file) : undefined;
    writeFileSync(file, text);
    try {
      await look();
    } finally {
      if (original === undefined) rmSync(file);
      else writeFileSync(file, original);
    }
  };

  it('names a shim that is missing', async () => {
    rmSync(hookFile());
    await assertBad('hook program', /does not exist/, /daemon start/);
  });

  it('names a shim that may not be executed, and mends it by the remedy it gives', async () => {
    chmodSync(hookFile(), 0o600);
    const { get } = await assertBad('hook program', /is not executable/, /oncebitten daemon start/);
    assert.equal(get('delivery to Claude Code, with the daemon').state, 'bad');
    await story.cli('daemon', 'start');
    assert.equal((await runDoctor(story)).code, 0);
  });

  it('names a shim that somebody replaced', async () => {
    writeFileSync(hookFile(), '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    const { get } = await assertBad('hook program', /was not written by Oncebitten/, /daemon start/);
    assert.equal(get('delivery to Claude Code, without the daemon').state, 'bad');
  });

  it('names a data directory that is open to others, and files in a closed one as advice', async () => {
    chmodSync(story.dataDir, 0o755);
    await assertBad('permissions', /open to others/, /chmod -R go-rwx/);
    chmodSync(story.dataDir, 0o700);
    const config = join(story.dataDir, 'config.jsonc');
    writeFileSync(config, '{}');
    chmodSync(config, 0o644);
    assert.equal((await runDoctor(story)).get('permissions').state, 'advice');
    rmSync(config);
    assert.equal((await runDoctor(story)).get('permissions').state, 'ok');
  });

  it('names a variable that is no setting, and the one that may be meant', async () => {
    const { state, detail } = (await runDoctor(story, { ONCEBITTEN_MIN_SCOR: '0.1' })).get('ONCEBITTEN_MIN_SCOR');
    assert.deepEqual(
      [state, detail],
      ['advice', 'is set in this shell, but is not a setting; did you mean ONCEBITTEN_MIN_SCORE?'],
    );
  });

  it('names a broken file of lessons', async () => {
    // A daemon would write it anew, whenever it has a reason to compile.
    await story.cli('daemon', 'stop');
    await withFile(join(story.dataDir, 'manifest.json'), '{"type":"mani', () =>
      assertBad('lessons file', /broken or from another version; hooks use its spare copy$/, /oncebitten scan/),
    );
  });

  it('names broken settings of ours with file and line', async () => {
    await withFile(join(story.dataDir, 'config.jsonc'), '{\n  "minScore" 1\n}', () =>
      assertBad('settings', /config\.jsonc:2/, /correct that line/),
    );
  });

  it('names a store that is damaged', async () => {
    await story.cli('daemon', 'stop');
    const file = join(story.dataDir, 'oncebitten.db');
    const bytes = readFileSync(file);
    await withFile(file, bytes.fill(0x5a, 4096, bytes.length), () => assertBad('store', /damaged/, /oncebitten scan/));
    await withFile(file, 'not a database at all', () => assertBad('store', /damaged/, /move the file away/));
  });

  it('names hooks that were partly removed, and those that were changed', async () => {
    const settings = JSON.parse(readFileSync(settingsFile(), 'utf8'));
    delete settings.hooks.PostToolUse;
    settings.hooks.Stop[0].hooks[0].timeout = 60;
    await withFile(settingsFile(), JSON.stringify(settings), () =>
      assertBad('hooks of Claude Code', /missing: PostToolUse; outdated: Stop/, /oncebitten install claude-code/),
    );
  });

  it('names hooks of an older version, whose answer the agent does not wait for', async () => {
    const settings = JSON.parse(readFileSync(settingsFile(), 'utf8'));
    const [batch] = settings.hooks.PostToolBatch[0].hooks;
    assert.notEqual(batch.async, true);
    batch.async = true;
    await withFile(settingsFile(), JSON.stringify(settings), () =>
      assertBad('hooks of Claude Code', /outdated: PostToolBatch/, /oncebitten install claude-code/),
    );
  });

  it('names hooks that a matcher keeps from most calls', async () => {
    const settings = JSON.parse(readFileSync(settingsFile(), 'utf8'));
    settings.hooks.PreToolUse[0].matcher = 'Edit';
    await withFile(settingsFile(), JSON.stringify(settings), () =>
      assertBad('hooks of Claude Code', /limits the hooks of Oncebitten: PreToolUse/, /remove it from the entries/),
    );
  });

  it('names settings of the agent that cannot be read', async () => {
    await withFile(settingsFile(), '{ "hooks": ', () =>
      assertBad('hooks of Claude Code', /not valid JSON at line 1/, /Correct the file/),
    );
  });

  for (const where of ['user', 'project', 'own'] as const) {
    it(`names disableAllHooks in the settings of the ${where}`, async () => {
      mkdirSync(join(story.project, '.claude'), { recursive: true });
      const local = where === 'own' ? 'settings.local.json' : 'settings.json';
      const file = where === 'user' ? settingsFile() : join(story.project, '.claude', local);
      const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
      await withFile(file, JSON.stringify({ ...before, disableAllHooks: true }), () =>
        assertBad('settings of Claude Code', /"disableAllHooks" in .* keeps the hooks/, /remove "disableAllHooks"/),
      );
    });
  }

  it('takes a switch in the environment for a choice, and proves delivery all the same', async () => {
    const diagnosis = await runDoctor(story, { ONCEBITTEN_DISABLED: '1' });
    assert.equal(diagnosis.get('ONCEBITTEN_DISABLED').state, 'advice');
    assert.equal(diagnosis.get('delivery to Claude Code, with the daemon').state, 'ok');
    assert.equal(diagnosis.code, 0);
  });

  it('names switches of ours that cannot be read, which pause everything', async () => {
    await withFile(join(story.dataDir, 'switches.json'), '{', () =>
      assertBad('pauses', /nothing is captured and no lesson is shown/, /oncebitten resume/),
    );
  });

  it('tells what is paused, and does not call its silence broken', async () => {
    await story.cli('lessons', 'add', ...GH);
    await story.cli('pause');
    const diagnosis = await runDoctor(story);
    assert.equal(diagnosis.get('pauses').state, 'advice');
    assert.match(diagnosis.get('a lesson to Claude Code').detail, /Oncebitten is paused/);
    assert.equal(diagnosis.code, 0);
    await story.cli('resume');
    assert.match((await runDoctor(story)).get('a lesson to Claude Code').detail, /arrived/);
  });

  it('tells hooks in settings and as a plugin apart from one of them', async () => {
    const settings = JSON.parse(readFileSync(settingsFile(), 'utf8'));
    const enabledPlugins = { 'oncebitten@oncebitten': true };
    await withFile(settingsFile(), JSON.stringify({ ...settings, enabledPlugins }), async () =>
      assert.match(
        (await runDoctor(story)).get('hooks of Claude Code').detail,
        /and as a plugin, so each event starts two processes/,
      ),
    );
    await withFile(settingsFile(), JSON.stringify({ enabledPlugins }), async () =>
      assert.deepEqual((await runDoctor(story)).get('hooks of Claude Code').detail, 'installed as a plugin'),
    );
  });

  it('counts what waits in the spool and how old it is', async () => {
    await story.cli('daemon', 'stop');
    const fields = { session_id: 's', tool_use_id: 'c', tool_name: 'Bash', tool_input: { command: 'ls' } };
    await story.hook('PostToolUse.Bash', fields, { ONCEBITTEN_NO_DAEMON: '1' });
    const check = (await runDoctor(story)).get('waiting events');
    assert.equal(check.state, 'ok');
    assert.equal(check.data?.waiting, 1);
  });

  it('names a data directory that is gone while hooks look there, and mends it by the remedy it gives', async () => {
    await story.cli('daemon', 'stop');
    rmSync(story.dataDir, { recursive: true });
    await assertBad('data directory', /is gone, but hooks still use it/, /oncebitten install claude-code;/);
    await story.cli('install', 'claude-code');
    assert.equal((await runDoctor(story)).code, 0);
  });

  it('takes a data directory that nobody looks for as not there yet', async () => {
    await story.cli('uninstall', 'claude-code');
    rmSync(story.dataDir, { recursive: true });
    const { code, get } = await runDoctor(story);
    assert.deepEqual([code, get('data directory').state], [0, 'advice']);
  });
});

describe('doctor, after sessions were read by a command', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: false });
  });
  after(() => story.close());

  it('counts the files that were read, whoever read them', async () => {
    const sessions = join(import.meta.dirname, '../../samples/sessions');
    await story.cli('daemon', 'start');
    const { files } = ((await story.cli('scan', '--path', sessions)) as { agents: { files: number }[] }).agents.reduce(
      (sum, one) => ({ files: sum.files + one.files }),
      { files: 0 },
    );
    assert.ok(files > 0);
    const { detail, data } = (await runDoctor(story)).get('store');
    assert.equal(data?.sessionFiles, files);
    assert.match(detail, new RegExp(`${files} session files read`));
  });
});
