import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_HOOK_FILE, isOurCommand, toHookCommand, toHookFile } from '../../src/surfaces/install/hook-command.ts';

const ODD_NAMES = [
  'plain',
  'with space',
  'quo"te',
  "apo'strophe",
  '$HOME',
  '$(touch x)',
  '`touch x`',
  'back\\slash',
  'a\nb',
  'é!*',
];

test('writes the default location by way of $HOME', () => {
  assert.equal(
    toHookCommand(DEFAULT_HOOK_FILE, 'codex', 'PreToolUse'),
    '[ -x "$HOME/.oncebitten/bin/hook" ] && "$HOME/.oncebitten/bin/hook" codex PreToolUse || :',
  );
});

test('writes a group where an agent may put a here-document behind it', () => {
  assert.equal(
    toHookCommand(DEFAULT_HOOK_FILE, 'cursor', 'stop'),
    '{ [ -x "$HOME/.oncebitten/bin/hook" ] && "$HOME/.oncebitten/bin/hook" cursor stop || :; }',
  );
});

test('writes a custom location as an absolute path with the shell characters escaped', () => {
  assert.equal(
    toHookCommand('/a b/$x"`\\/bin/hook', 'codex', 'Stop'),
    '[ -x "/a b/\\$x\\"\\`\\\\/bin/hook" ] && "/a b/\\$x\\"\\`\\\\/bin/hook" codex Stop || :',
  );
});

test('names the default data directory by $HOME and any other by its path', () => {
  assert.equal(toHookFile('/home/ann/.oncebitten/', '/home/ann'), DEFAULT_HOOK_FILE);
  assert.equal(toHookFile('/data/bitten', '/home/ann'), '/data/bitten/bin/hook');
});

test('refuses a command that it would not know again', () => {
  assert.throws(() => toHookCommand('relative/bin/hook', 'claude-code', 'Stop'));
  assert.throws(() => toHookCommand('/data/bin/other', 'claude-code', 'Stop'));
  assert.throws(() => toHookCommand(DEFAULT_HOOK_FILE, 'claude-code; ls', 'Stop'));
  assert.throws(() => toHookCommand(DEFAULT_HOOK_FILE, 'claude-code', 'Stop || ls'));
});

test('knows its own commands from any data directory', () => {
  for (const name of ODD_NAMES) assert.ok(isOurCommand(toHookCommand(`/data/${name}/bin/hook`, 'codex', 'Stop')), name);
  assert.ok(isOurCommand(toHookCommand('/bin/hook', 'gemini', 'BeforeTool')));
  for (const agent of ['claude-code', 'codex', 'gemini', 'copilot', 'cursor'])
    for (const file of [DEFAULT_HOOK_FILE, "C:\\it's 100% & more\\bin\\hook"])
      assert.ok(isOurCommand(toHookCommand(file, agent, 'Stop', 'win32')), agent);
});

test("does not take other people's hooks for its own", () => {
  const ours = toHookCommand(DEFAULT_HOOK_FILE, 'claude-code', 'PreToolUse');
  const others = [
    '',
    'npx prettier --write',
    '"$HOME/.oncebitten/bin/hook" claude-code PreToolUse',
    '[ -x "/a/bin/hook" ] && "/b/bin/hook" claude-code PreToolUse || :',
    '{ [ -x "/a/bin/hook" ] && "/a/bin/hook" claude-code PreToolUse || :',
    '"C:\\tools\\bin\\hook.cmd" format all',
    '(cd /d C:\\tools\\bin && call hook.cmd format all) 2>nul & exit 0',
    'try { & "C:\\a\\bin\\hook.ps1" codex Stop } catch { try { & "C:\\b\\bin\\hook.cmd" codex Stop } catch { } }; exit 0',
    '[ -x "/opt/other/bin/run" ] && "/opt/other/bin/run" claude-code PreToolUse || :',
    '[ -x "/opt/xbin/hook" ] && "/opt/xbin/hook" claude-code PreToolUse || :',
    '[ -x "$OTHER/bin/hook" ] && "$OTHER/bin/hook" claude-code PreToolUse || :',
    `echo hello; ${ours}`,
    `${ours} && echo done`,
    `${ours}\n`,
    ours.replace(' || :', ' || true'),
    ours.replace(' PreToolUse', ''),
    undefined,
    7,
  ];
  for (const other of others) assert.ok(!isOurCommand(other), String(other));
});

function runInShell(command: string, home: string) {
  return spawnSync('sh', ['-c', command], { cwd: home, env: { PATH: process.env.PATH, HOME: home }, encoding: 'utf8' });
}

function makeHome(t: { after(clean: () => void): void }): string {
  const home = mkdtempSync(join(tmpdir(), 'oncebitten-command-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function writeHook(file: string, script: string, mode = 0o755): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, script);
  chmodSync(file, mode);
}

test('exits 0 without a word when the hook file is missing, not executable, or fails', (t) => {
  const home = makeHome(t);
  const command = toHookCommand(DEFAULT_HOOK_FILE, 'claude-code', 'PreToolUse');
  const silent = { status: 0, stdout: '', stderr: '' };
  const run = () => {
    const { status, stdout, stderr } = runInShell(command, home);
    return { status, stdout, stderr };
  };
  assert.deepEqual(run(), silent);
  writeHook(join(home, '.oncebitten/bin/hook'), '#!/bin/sh\necho ran\n', 0o644);
  assert.deepEqual(run(), silent);
  writeHook(join(home, '.oncebitten/bin/hook'), '#!/bin/sh\nexit 2\n');
  assert.deepEqual(run(), silent);
});

test('passes agent, event and stdin to the hook in the default location', (t) => {
  const home = makeHome(t);
  writeHook(join(home, '.oncebitten/bin/hook'), '#!/bin/sh\nprintf "%s|" "$#" "$@"; cat\n');
  const command = toHookCommand(DEFAULT_HOOK_FILE, 'claude-code', 'PreToolUse');
  const { stdout } = spawnSync('sh', ['-c', command], {
    env: { PATH: process.env.PATH, HOME: home },
    input: '{"a":1}',
  });
  assert.equal(String(stdout), '2|claude-code|PreToolUse|{"a":1}');
});

for (const name of ODD_NAMES) {
  test(`runs a hook in a folder called ${JSON.stringify(name)}, and only that`, (t) => {
    const home = makeHome(t);
    const hookFile = join(home, name, 'bin', 'hook');
    const command = toHookCommand(hookFile, 'claude-code', 'PostToolUse');
    assert.deepEqual([runInShell(command, home).status, runInShell(command, home).stderr], [0, '']);
    writeHook(hookFile, '#!/bin/sh\nprintf "%s|" "$#" "$@"\n');
    assert.equal(runInShell(command, home).stdout, '2|claude-code|PostToolUse|');
  });
}
