import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'jsonc-parser';
import type { AgentInstall } from '../../src/base/contracts/agent-install.ts';
import { DEFAULT_HOOK_FILE, toHookCommand } from '../../src/surfaces/install/hook-command.ts';
import { toSha256 } from '../../src/surfaces/install/install-record.ts';
import { makePlace } from './make-place.ts';
import { eventNames, sampleAgent } from './sample-agent.ts';

const WITHOUT_HOOKS = '{\n  // mine\n  "model": "opus"\n}\n';

function toEntry(event: string, isAsync = false, hookFile = DEFAULT_HOOK_FILE) {
  const command = toHookCommand(hookFile, 'claude-code', event);
  return { hooks: [{ type: 'command', command, timeout: 2, ...(isAsync ? { async: true } : {}) }] };
}

function withEvents(...names: string[]): AgentInstall {
  const events = names.map((name) => ({ name, async: false }));
  return { ...sampleAgent, hooks: { ...sampleAgent.hooks, events } };
}

test('makes file and folder when there are none, with two spaces and a last newline', (t) => {
  const place = makePlace(t);
  const result = place.install();
  assert.deepEqual(result, { changed: true, added: eventNames, replaced: [], settingsFile: place.settingsFile });
  const hooks = Object.fromEntries(
    sampleAgent.hooks.events.map((event) => [event.name, [toEntry(event.name, event.async)]]),
  );
  assert.equal(place.read(), `${JSON.stringify({ hooks }, null, 2)}\n`);
});

test('takes an empty file for an empty object', (t) => {
  for (const blank of ['', ' \n', '\uFEFF']) {
    const place = makePlace(t, blank);
    assert.equal(place.install().changed, true);
    assert.deepEqual(Object.keys(parse(place.read().replace('\uFEFF', '')).hooks), eventNames);
    assert.equal(place.read().startsWith('\uFEFF'), blank === '\uFEFF');
    place.uninstall();
    assert.equal(place.read(), blank);
  }
});

test('adds after what is there and leaves every other byte alone', (t) => {
  const place = makePlace(
    t,
    `{
  // my settings
  "model":   "opus", /* odd   spacing */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "mine" } ] } // keep me
      // and me
    ],
    "Stop": []
  },
  "env": {"A":"1"}
}
`,
  );
  place.install({ agent: withEvents('PreToolUse', 'SessionStart') });
  const pre = JSON.stringify(toEntry('PreToolUse'), null, 2).replaceAll('\n', '\n      ');
  const start = JSON.stringify([toEntry('SessionStart')], null, 2).replaceAll('\n', '\n    ');
  assert.equal(
    place.read(),
    `{
  // my settings
  "model":   "opus", /* odd   spacing */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "mine" } ] }, // keep me
      // and me
      ${pre}
    ],
    "Stop": [],
    "SessionStart": ${start}
  },
  "env": {"A":"1"}
}
`,
  );
});

test('follows tabs, CRLF and a byte order mark', (t) => {
  const place = makePlace(t, '\uFEFF{\r\n\t"model": "opus"\r\n}\r\n');
  place.install({ agent: withEvents('Stop') });
  const hooks = JSON.stringify({ Stop: [toEntry('Stop')] }, null, '\t').replaceAll('\n', '\r\n\t');
  assert.equal(place.read(), `\uFEFF{\r\n\t"model": "opus",\r\n\t"hooks": ${hooks}\r\n}\r\n`);
});

test('stays on one line in a file of one line', (t) => {
  const place = makePlace(t, '{"model":"opus"}');
  place.install({ agent: withEvents('Stop', 'SessionEnd') });
  assert.doesNotMatch(place.read(), /\n/);
  assert.deepEqual(JSON.parse(place.read()).hooks, { Stop: [toEntry('Stop')], SessionEnd: [toEntry('SessionEnd')] });
});

test('keeps the habit of trailing commas', (t) => {
  const place = makePlace(t, '{\n  "model": "opus",\n}\n');
  place.install({ agent: withEvents('Stop') });
  assert.match(place.read(), /^ {2}\},\n\}\n$/m);
});

test('changes nothing the second time', (t) => {
  const place = makePlace(t, WITHOUT_HOOKS);
  place.install();
  const long = new Date('2020-01-01T00:00:00Z');
  utimesSync(place.settingsFile, long, long);
  const records = readdirSync(place.record).map((name) => readFileSync(join(place.record, name), 'hex'));
  const { changed, added, replaced } = place.install();
  assert.deepEqual({ changed, added, replaced }, { changed: false, added: [], replaced: [] });
  assert.equal(statSync(place.settingsFile).mtimeMs, long.getTime());
  assert.deepEqual(
    readdirSync(place.record).map((name) => readFileSync(join(place.record, name), 'hex')),
    records,
  );
});

test('backs up the exact bytes and notes a digest of its own, readable for the owner only', (t) => {
  const place = makePlace(t, WITHOUT_HOOKS);
  mkdirSync(place.record, { recursive: true, mode: 0o755 });
  const { backupFile = '' } = place.install();
  assert.equal(readFileSync(backupFile, 'utf8'), WITHOUT_HOOKS);
  assert.equal(statSync(place.record).mode & 0o777, 0o700);
  const note = readFileSync(backupFile.replace(/\.original$/, '.json'), 'utf8');
  assert.equal(JSON.parse(note).writtenSha256, toSha256(place.readBytes()));
  for (const name of readdirSync(place.record)) assert.equal(statSync(join(place.record, name)).mode & 0o777, 0o600);
  assert.deepEqual(place.list(), ['settings.json']);
});

test('adds only what is missing', (t) => {
  const place = makePlace(t, WITHOUT_HOOKS);
  place.install({ agent: withEvents('PreToolUse') });
  assert.deepEqual(place.install({ agent: withEvents('PreToolUse', 'Stop') }).added, ['Stop']);
});

describe('an outdated entry of ours', () => {
  const old = {
    type: 'command',
    command: toHookCommand('/old/bin/hook', 'claude-code', 'PreToolUse'),
    timeout: 60,
    async: true,
  };
  const other = { hooks: [{ type: 'command', command: 'other' }] };

  test('is replaced where it stands', (t) => {
    const place = makePlace(t, JSON.stringify({ hooks: { PreToolUse: [other, { hooks: [old] }, other] } }, null, 4));
    const { changed, added, replaced } = place.install({ agent: withEvents('PreToolUse') });
    assert.deepEqual({ changed, added, replaced }, { changed: true, added: [], replaced: ['PreToolUse'] });
    const hooks = { PreToolUse: [other, toEntry('PreToolUse'), other] };
    assert.equal(place.read(), JSON.stringify({ hooks }, null, 4));
  });

  test('keeps what the user added to it', (t) => {
    const groups = [{ matcher: 'Bash', hooks: [{ ...old, statusMessage: 'hm' }] }];
    const place = makePlace(t, JSON.stringify({ hooks: { PreToolUse: groups } }));
    place.install({ agent: withEvents('PreToolUse') });
    const [handler] = toEntry('PreToolUse').hooks;
    assert.deepEqual(JSON.parse(place.read()).hooks.PreToolUse, [
      { matcher: 'Bash', hooks: [{ ...handler, statusMessage: 'hm' }] },
    ]);
  });

  test('goes when it is the second for its event or its event is no longer asked for', (t) => {
    const groups = [{ hooks: [old] }, other, { hooks: [old] }];
    const place = makePlace(t, JSON.stringify({ hooks: { Gone: [{ hooks: [old] }], PreToolUse: groups } }));
    assert.deepEqual(place.install({ agent: withEvents('PreToolUse') }).replaced, ['PreToolUse', 'Gone']);
    assert.deepEqual(JSON.parse(place.read()).hooks, { PreToolUse: [toEntry('PreToolUse'), other] });
  });

  test('gains and loses async as the event does', (t) => {
    const place = makePlace(t, WITHOUT_HOOKS);
    place.install();
    const events = sampleAgent.hooks.events.map(({ name, async }) => ({ name, async: !async }));
    const agent = { ...sampleAgent, hooks: { ...sampleAgent.hooks, events } };
    place.install({ agent });
    const hooks = Object.fromEntries(events.map((event) => [event.name, [toEntry(event.name, event.async)]]));
    assert.deepEqual(parse(place.read()).hooks, hooks);
    assert.equal(place.install({ agent }).changed, false);
  });
});

describe('the file itself', () => {
  test('keeps its mode', (t) => {
    for (const mode of [0o600, 0o640, 0o664]) {
      const place = makePlace(t, '{}');
      chmodSync(place.settingsFile, mode);
      place.install();
      assert.equal(statSync(place.settingsFile).mode & 0o7777, mode);
      place.uninstall();
      assert.equal(statSync(place.settingsFile).mode & 0o7777, mode);
    }
  });

  test('keeps its owner', { skip: process.getuid?.() !== 0 && 'only root can give files away' }, (t) => {
    const place = makePlace(t, '{}');
    chownSync(place.settingsFile, 65534, 65534);
    place.install();
    const { uid, gid } = statSync(place.settingsFile);
    assert.deepEqual([uid, gid], [65534, 65534]);
  });

  test('stays a symlink, and its target is written', (t) => {
    const place = makePlace(t);
    const other = makePlace(t, WITHOUT_HOOKS);
    mkdirSync(join(place.root, '.claude'));
    symlinkSync(other.settingsFile, place.settingsFile);
    place.install();
    assert.ok(lstatSync(place.settingsFile).isSymbolicLink());
    assert.deepEqual(other.ask().missing, []);
    assert.deepEqual([place.list(), other.list()], [['settings.json'], ['settings.json']]);
    assert.equal(place.uninstall().restored, 'bytes');
    assert.ok(lstatSync(place.settingsFile).isSymbolicLink());
    assert.equal(other.read(), WITHOUT_HOOKS);
  });

  test('may be a symlink to nothing yet, relative and in a folder to be made', (t) => {
    const place = makePlace(t);
    mkdirSync(join(place.root, '.claude'));
    symlinkSync('../dotfiles/claude.json', place.settingsFile);
    place.install();
    assert.ok(lstatSync(place.settingsFile).isSymbolicLink());
    assert.ok(lstatSync(join(place.root, 'dotfiles/claude.json')).isFile());
    assert.equal(place.uninstall().restored, 'deleted');
    assert.ok(lstatSync(place.settingsFile).isSymbolicLink());
    assert.ok(!existsSync(join(place.root, 'dotfiles')));
  });
});
