import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { claudeCodeInstall } from '../../src/agents/claude-code/install.ts';
import { checkSwitches } from '../../src/surfaces/cli/doctor/check-hooks.ts';
import { judgeSpace } from '../../src/surfaces/cli/doctor/check-parts.ts';
import { openStory, type Story } from '../stories/open-story.ts';
import { runDoctor } from './run-doctor.ts';

const MB = 1024 * 1024;

describe('doctor, with a daemon of another version', () => {
  let story: Story;
  let other: string;
  before(async () => {
    story = await openStory();
    await story.cli('daemon', 'stop');
    other = mkdtempSync(join(tmpdir(), 'oncebitten-other-'));
    cpSync(join(import.meta.dirname, '../../dist'), other, { recursive: true });
    const build = JSON.parse(readFileSync(join(other, 'build.json'), 'utf8'));
    writeFileSync(join(other, 'build.json'), JSON.stringify({ ...build, version: '0.0.1+old' }));
    spawn(process.execPath, [join(other, 'daemon.mjs'), '--home', story.dataDir], { env: story.env, stdio: 'ignore' });
    for (let i = 0; i < 100 && (await story.daemonPid()) === undefined; i++) await sleep(50);
  });
  after(async () => {
    await story.close();
    rmSync(other, { recursive: true, force: true });
  });

  it('says which, and the remedy it gives replaces it', async () => {
    const { code, get } = await runDoctor(story);
    assert.deepEqual([code, get('daemon').state], [1, 'bad']);
    assert.match(get('daemon').detail, /0\.0\.1\+old/);
    assert.equal(get('daemon').next, 'run: oncebitten daemon start');
    await story.cli('daemon', 'start');
    assert.equal((await runDoctor(story)).code, 0);
  });

  it('says when a running daemon does not take what waits', async () => {
    const spool = join(story.dataDir, 'spool');
    mkdirSync(spool, { recursive: true, mode: 0o700 });
    // Of a later version: it is for that version's daemon.
    writeFileSync(join(spool, 'out_1.fact'), '{"v":999,"kind":"seen","agent":"a","sessionId":"s","at":"2026"}\n', {
      mode: 0o600,
    });
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(join(spool, 'out_1.fact'), old, old);
    const check = (await runDoctor(story)).get('waiting events');
    assert.match(check.detail, /1 event .*, the oldest for 36\d\d s/);
    assert.equal(check.state, 'bad');
    rmSync(join(spool, 'out_1.fact'), { force: true });
  });
});

describe("doctor, with an administrator's settings", () => {
  const managed = join(mkdtempSync(join(tmpdir(), 'oncebitten-managed-')), 'managed-settings.json');
  after(() => rmSync(join(managed, '..'), { recursive: true }));
  const hooks = { ...claudeCodeInstall.hooks, managedFiles: { [process.platform]: managed } };
  const agent = { ...claudeCodeInstall, hooks };
  const ask = (settings: object) => {
    writeFileSync(managed, JSON.stringify(settings));
    return checkSwitches(agent, { env: { CLAUDE_CONFIG_DIR: '/nowhere' }, cwd: '/nowhere' });
  };

  it('says that only managed hooks run, and whom to ask', () => {
    const check = ask({ allowManagedHooksOnly: true });
    assert.equal(check.state, 'bad');
    assert.match(check.next ?? '', /administrator/);
    assert.equal(ask({ disableAllHooks: true }).state, 'bad');
    assert.equal(ask({ allowManagedHooksOnly: false }).state, 'ok');
  });
});

describe('doctor, on a disk that fills', () => {
  it('warns before it is full', () => {
    const states = [10 * MB, 200 * MB, 5000 * MB].map((free) => judgeSpace(free).state);
    assert.deepEqual(states, ['bad', 'advice', 'ok']);
  });
});
