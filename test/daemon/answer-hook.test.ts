import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MANIFEST_VERSION } from '../../src/base/model/manifest.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { renderSwitches } from '../../src/base/model/switches.ts';
import { JOURNAL_SUFFIX, openJournal } from '../../src/capture/journal/journal.ts';
import { readSpooled } from '../../src/capture/journal/read-facts.ts';
import { listBySuffix } from '../../src/capture/journal/spool-files.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { makeSettingsFinder } from '../../src/keep/settings/read-settings.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { type HookAnswerer, makeHookAnswerer } from '../../src/surfaces/daemon/answer-hook.ts';
import { parseHeader } from '../../src/surfaces/hook/wire-protocol.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toKeeper } from './to-keeper.ts';

const header = (event: string, flags = '-') => parseHeader(`s 1 claude-code ${event} ${flags}`, 's') ?? assert.fail();

describe('the daemon’s answer', () => {
  let root: string;
  let home: DataHome;
  let logged: string[];
  let handedOn: string[];
  let answerer: HookAnswerer;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-answer-')));
    home = toDataHome(root);
    logged = [];
    handedOn = [];
    answerer = makeAnswerer();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  let daemons = 0;
  // Little here is about time: a slow machine must not make it silent.
  const makeAnswerer = (replyDeadlineMs = 60_000): HookAnswerer =>
    makeHookAnswerer({
      findSettings: makeSettingsFinder(home.configFile, { ONCEBITTEN_REPLY_DEADLINE_MS: String(replyDeadlineMs) }),
      home,
      keeper: toKeeper(openJournal(home.spoolDir, `dmn_${++daemons}`), (event) => handedOn.push(event.kind)),
      log: (line) => logged.push(line),
    });
  const compile = (settings: Partial<Settings> = {}) =>
    writeFileSync(
      home.manifestFile,
      compileManifest({
        lessons: [
          makeTestLesson({ id: 'les_1', summary: 'mind the gap', priority: 9, triggers: { tools: ['shell'] } }),
        ],
        settings: { ...DEFAULT_SETTINGS, ...settings },
        generatedAt: '2026-01-01T00:00:00.000Z',
      }),
    );
  const set = (settings: Partial<Settings>) => writeFileSync(home.configFile, JSON.stringify(settings));
  const ask = (flags?: string, fields: object = {}): string =>
    answerer.answer(header('PreToolUse', flags), {
      session_id: 'one',
      hook_event_name: 'PreToolUse',
      cwd: root,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 't',
      ...fields,
    });
  const kept = (): readonly string[] =>
    listBySuffix(home.spoolDir, JOURNAL_SUFFIX).flatMap((name) =>
      readSpooled(home.spoolDir, name).facts.map(({ kind }) => kind),
    );

  it('is the lesson, once, and the event and its delivery are on the disk before', () => {
    compile();
    assert.match(ask(), /mind the gap/);
    assert.deepEqual(kept(), ['seen', 'delivered', 'added']);
    assert.equal(ask(), '');
    assert.deepEqual(kept(), ['seen', 'delivered', 'added', 'seen']);
    assert.deepEqual(handedOn, ['call-started', 'call-started']);
  });

  it('is silence past the deadline, and the lesson is not lost for it', () => {
    compile();
    answerer = makeAnswerer(0);
    assert.equal(ask(), '');
    assert.deepEqual(kept(), ['seen', 'skipped']);
    answerer = makeAnswerer();
    assert.match(ask(), /mind the gap/);
  });

  it('is the lesson for each sub-agent, or once for the whole session where the settings say so', () => {
    compile();
    const sub = { agent_id: 'a1', agent_type: 'general-purpose' };
    assert.match(ask(), /mind the gap/);
    assert.match(ask('-', sub), /mind the gap/);
    set({ dedup: 'session' });
    assert.match(ask('-', { session_id: 'two' }), /mind the gap/);
    assert.equal(ask('-', { session_id: 'two', ...sub }), '');
  });

  it('may be the lesson again after compaction if it is weighty, and after clear in any case', () => {
    const start = (source: string): string =>
      answerer.answer(header('SessionStart'), {
        session_id: 'one',
        hook_event_name: 'SessionStart',
        cwd: root,
        source,
      });
    compile();
    for (const [source, expected] of [
      ['resume', ''],
      ['compact', 'mind the gap'],
      ['clear', 'mind the gap'],
    ] as const) {
      ask();
      start(source);
      assert.equal(ask().includes('mind the gap'), expected !== '', source);
    }
    set({ compactionReinjectionThreshold: 10 });
    start('compact');
    assert.equal(ask(), '', 'not weighty enough');
  });

  it('is silence without a manifest, and the event is kept', () => {
    assert.equal(ask(), '');
    assert.deepEqual(kept(), ['seen']);
  });

  it('goes on from the last good manifest when a broken one takes its place', () => {
    compile();
    ask();
    for (const [n, broken] of ['', '{', 'x\ny\n'].entries()) {
      writeFileSync(home.manifestFile, broken);
      assert.match(ask('-', { session_id: `after-${n}` }), /mind the gap/);
    }
    rmSync(home.manifestFile);
    assert.match(ask('-', { session_id: 'gone' }), /mind the gap/);
  });

  it('is silence when matching fails, and the event is kept and the reason logged', () => {
    // A manifest by its header, but without an index.
    const settings = JSON.stringify({ ...DEFAULT_SETTINGS });
    writeFileSync(
      home.manifestFile,
      `{"type":"manifest","version":${MANIFEST_VERSION},"settings":${settings},"offsets":[0],\n"lessons":[\n]}\n`,
    );
    assert.equal(ask(), '');
    assert.deepEqual(kept(), ['seen']);
    assert.match(logged.join('\n'), /^reply: /);
  });

  it('is silence where no claim can be made, and the event is kept', () => {
    compile();
    writeFileSync(join(root, 'run'), 'a file where the folder should be');
    assert.equal(ask(), '');
    assert.deepEqual(kept(), ['seen']);
  });

  it('is given all the same when the journal cannot be written', () => {
    compile();
    writeFileSync(home.spoolDir, 'a file where the folder should be');
    assert.match(ask(), /mind the gap/);
    assert.deepEqual(handedOn, ['call-started']);
    assert.match(logged.join('\n'), /^journal: /);
  });

  it('is silence in quiet mode, which goes on capturing', () => {
    compile();
    assert.equal(ask('quiet'), '');
    assert.deepEqual(kept(), ['seen']);
    assert.match(ask(), /mind the gap/);
  });

  it('leaves no trace of a probe', () => {
    compile();
    for (let i = 0; i < 2; i++) assert.match(ask('probe'), /mind the gap/);
    assert.deepEqual([kept(), handedOn], [[], []]);
    assert.equal(existsSync(home.claimsDir), false);
  });

  it('is silence about a private project, of which nothing is kept', () => {
    compile();
    writeFileSync(home.configFile, JSON.stringify({ privateProjects: [root] }));
    assert.equal(ask('-', { cwd: join(root, 'deep') }), '');
    assert.deepEqual([kept(), handedOn], [[], []]);
    assert.deepEqual(readdirSync(root), ['config.jsonc', 'manifest.json']);
    assert.match(ask('-', { cwd: `${root}-beside`, session_id: 'beside' }), /mind the gap/);
  });

  const start = (fields: object): string =>
    answerer.answer(header('SessionStart'), {
      session_id: 'one',
      hook_event_name: 'SessionStart',
      source: 'startup',
      ...fields,
    });

  it('is silence to a session that began in a private project, wherever it walks, also after a restart', () => {
    compile();
    const secret = join(root, 'secret-client');
    writeFileSync(home.configFile, JSON.stringify({ privateProjects: [secret] }));
    start({ cwd: secret });
    assert.equal(ask('-', { cwd: root }), '');
    answerer = makeAnswerer();
    assert.equal(ask('-', { cwd: root }), '');
    assert.deepEqual([kept(), handedOn], [[], []]);
    const marks = readdirSync(home.awayDir);
    assert.deepEqual(
      marks.map((name) => [/one|secret/.test(name), readFileSync(join(home.awayDir, name), 'utf8')]),
      [[false, 'private\n']],
    );
    assert.equal(statSync(join(home.awayDir, marks[0] ?? '')).mode & 0o777, 0o600);
    assert.match(ask('-', { cwd: root, session_id: 'other' }), /mind the gap/);
  });

  it('goes on in a session that only passed through a private project', () => {
    compile();
    const secret = join(root, 'secret');
    writeFileSync(home.configFile, JSON.stringify({ privateProjects: [secret] }));
    start({ cwd: root });
    assert.equal(ask('-', { cwd: secret }), '');
    start({ cwd: secret, source: 'compact' });
    assert.match(ask('-', { cwd: root }), /mind the gap/);
    assert.equal(existsSync(home.awayDir), false);
  });

  it('is silence to a session whose transcript tells that it began in a private project', () => {
    compile();
    const secret = join(root, 'secret');
    const transcript_path = join(root, 'one.jsonl');
    writeFileSync(home.configFile, JSON.stringify({ privateProjects: [secret] }));
    const rows = [{ type: 'summary' }, { cwd: secret, type: 'user' }, { cwd: root, type: 'user' }];
    writeFileSync(transcript_path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    assert.equal(ask('-', { cwd: root, transcript_path }), '');
    mkdirSync(join(root, 'one'));
    answerer = makeAnswerer();
    rmSync(home.awayDir, { recursive: true });
    writeFileSync(join(root, 'one', 'agent-a.jsonl'), `${JSON.stringify({ cwd: root })}\n`);
    assert.equal(ask('-', { cwd: root, transcript_path: join(root, 'one', 'agent-a.jsonl') }), '');
    assert.deepEqual([kept(), handedOn], [[], []]);
  });

  it('is silence in a private project that is reached through a link, a worktree or another clone', () => {
    compile();
    const repository = join(root, 'clients', 'acme');
    const git = (dir: string, ...args: readonly string[]): void =>
      void execFileSync('git', ['-C', dir, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
    mkdirSync(repository, { recursive: true });
    git(repository, 'init', '-q');
    git(repository, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(repository, 'worktree', 'add', '-q', join(root, 'tree'));
    git(root, 'clone', '-q', repository, join(root, 'clone'));
    symlinkSync(join(root, 'clients'), join(root, 'link'));
    const places = ['link/acme', 'link/acme/gone', 'tree', 'tree/gone'];
    for (const [made, more] of [
      [repository, ['clone', 'clone/src']],
      [join(root, 'clients'), []],
      [join(root, 'link'), []],
    ] as const) {
      writeFileSync(home.configFile, JSON.stringify({ privateProjects: [made] }));
      for (const place of [...places, ...more])
        assert.equal(ask('-', { cwd: join(root, place), session_id: `${made} ${place}` }), '', `${made} ${place}`);
    }
    assert.deepEqual([kept(), handedOn], [[], []]);
    writeFileSync(home.configFile, JSON.stringify({ privateProjects: [join(repository, 'src')] }));
    assert.match(ask('-', { cwd: join(root, 'tree'), session_id: 'fine' }), /mind the gap/, 'a part is not the whole');
  });

  it('is silence to a session of a paused project, wherever it walks, for as long as the pause', () => {
    compile();
    const project = join(root, 'project');
    const pause = (until?: string): void =>
      writeFileSync(
        home.switchesFile,
        renderSwitches({
          pauses: [
            {
              what: 'project',
              id: 'prj_paused',
              dir: project,
              from: '2020-01-01T00:00:00.000Z',
              ...(until === undefined ? {} : { until }),
            },
          ],
          mutes: [],
        }),
      );
    pause();
    start({ cwd: project });
    for (let i = 0; i < 2; i++) {
      assert.equal(ask('-', { cwd: root }), '');
      answerer = makeAnswerer();
    }
    assert.deepEqual([kept(), handedOn], [[], []]);
    pause(new Date(Date.now() - 1000).toISOString());
    assert.match(ask('-', { cwd: root }), /mind the gap/);
  });

  it('is silence where nobody can tell what is private: settings that never could be read', () => {
    writeFileSync(home.configFile, '{ "privateProjects": ["relative"] }');
    assert.equal(ask(), '');
    assert.deepEqual([kept(), handedOn], [[], []]);
  });

  it('is silence everywhere while an entry of the private folders cannot be followed', () => {
    compile();
    ask();
    for (const wrong of [['clients/acme'], ['~/cli*'], '/srv/acme']) {
      writeFileSync(home.configFile, JSON.stringify({ privateProjects: wrong }));
      assert.equal(ask('-', { session_id: `wrong ${wrong}` }), '');
    }
    assert.deepEqual(handedOn, ['call-started']);
    writeFileSync(home.configFile, JSON.stringify({ privateProjects: [join(root, 'acme')] }));
    assert.match(ask('-', { session_id: 'corrected' }), /mind the gap/);
  });

  it('keeps a project private while the settings cannot be read', () => {
    compile({ privateProjects: [root] });
    writeFileSync(home.configFile, '{ "privateProjects": [');
    assert.equal(ask(), '');
    assert.deepEqual([kept(), handedOn], [[], []]);
  });

  it('is silence to an agent, an event or a payload that we do not know', () => {
    compile();
    assert.equal(answerer.answer({ ...header('PreToolUse'), agent: 'hal' }, { session_id: 'one' }), '');
    for (const payload of [undefined, null, 5, [], {}, { session_id: 7 }, { session_id: 'x', hook_event_name: 'Nope' }])
      assert.equal(answerer.answer(header('PreToolUse'), payload), '');
    assert.deepEqual(kept(), []);
  });
});
