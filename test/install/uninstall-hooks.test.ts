import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'jsonc-parser';
import { toHookCommand } from '../../src/surfaces/install/hook-command.ts';
import { makePlace } from './make-place.ts';
import { eventNames, sampleAgent } from './sample-agent.ts';

const ORIGINAL = `{
  // mine
  "model": "opus",
  "hooks": {
    "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "mine" } ] } ],
    "PostToolUse": []
  }
}
`;
const OTHER = '{ "hooks": [ { "type": "command", "command": "other" } ] }';
const MORE_EVENTS = {
  ...sampleAgent,
  hooks: { ...sampleAgent.hooks, events: [...sampleAgent.hooks.events, { name: 'Stop', async: true }] },
};

test('puts the original bytes back when nobody touched the file', (t) => {
  const place = makePlace(t, ORIGINAL);
  place.install();
  const { changed, removed, restored } = place.uninstall();
  assert.deepEqual([changed, restored, [...removed].sort()], [true, 'bytes', [...eventNames].sort()]);
  assert.equal(place.read(), ORIGINAL);
  assert.deepEqual(readdirSync(place.record), ['install.lock']);
});

test('changes nothing the second time', (t) => {
  const place = makePlace(t, ORIGINAL);
  place.install();
  place.uninstall();
  const long = new Date('2020-01-01T00:00:00Z');
  utimesSync(place.settingsFile, long, long);
  assert.deepEqual(place.uninstall(), { changed: false, removed: [], restored: 'nothing' });
  assert.equal(statSync(place.settingsFile).mtimeMs, long.getTime());
});

test('has nothing to do without a file or without a record, and makes neither', (t) => {
  const place = makePlace(t);
  assert.deepEqual(place.uninstall(), { changed: false, removed: [], restored: 'nothing' });
  assert.deepEqual(readdirSync(place.root), []);
});

describe('a file that we made', () => {
  test('is deleted, with the folders that we made', (t) => {
    const place = makePlace(t);
    const settingsFile = join(place.root, 'a/b/.claude/settings.json');
    place.install({ settingsFile });
    assert.deepEqual(place.uninstall({ settingsFile }).restored, 'deleted');
    assert.ok(!existsSync(join(place.root, 'a')));
    assert.ok(existsSync(place.root));
  });

  test('leaves a folder that was there, or that has something else in it by now', (t) => {
    const there = makePlace(t, '');
    rmSync(there.settingsFile);
    there.install();
    there.uninstall();
    assert.deepEqual(there.list(), []);

    const filled = makePlace(t);
    filled.install();
    writeFileSync(join(dirname(filled.settingsFile), 'CLAUDE.md'), 'mine');
    assert.equal(filled.uninstall().restored, 'deleted');
    assert.deepEqual(filled.list(), ['CLAUDE.md']);
  });

  test('is deleted after an upgrade too, and when touched only in its white space', (t) => {
    const place = makePlace(t);
    place.install();
    place.install({ agent: MORE_EVENTS });
    assert.equal(place.uninstall().restored, 'deleted');
    place.install();
    place.write(`${place.read()}\n\n`);
    place.install({ agent: MORE_EVENTS });
    assert.equal(place.uninstall().restored, 'deleted');
    assert.ok(!existsSync(dirname(place.settingsFile)));
  });

  test('stays when the user put something into it', (t) => {
    const place = makePlace(t);
    place.install();
    place.write(place.read().replace('{', '{\n  "model": "opus",'));
    assert.equal(place.uninstall().restored, 'edited');
    assert.equal(place.read(), '{\n  "model": "opus"\n}\n');
  });
});

test('puts the bytes before the first installation back after an upgrade', (t) => {
  const place = makePlace(t, ORIGINAL);
  place.install();
  place.install({ agent: MORE_EVENTS, hookFile: '/moved/bin/hook' });
  assert.equal(place.uninstall().restored, 'bytes');
  assert.equal(place.read(), ORIGINAL);
});

test('removes only its entries after an edit followed by an upgrade', (t) => {
  const place = makePlace(t, ORIGINAL);
  place.install();
  place.write(place.read().replace('opus', 'haiku'));
  place.install({ agent: MORE_EVENTS });
  assert.equal(place.uninstall().restored, 'edited');
  assert.equal(place.read(), ORIGINAL.replace('opus', 'haiku'));
});

test('begins anew when the user took our entries out by hand before', (t) => {
  const place = makePlace(t);
  place.install();
  place.write(ORIGINAL);
  place.install();
  assert.equal(place.uninstall().restored, 'bytes');
  assert.equal(place.read(), ORIGINAL);
});

test('falls back to edits when the backup was damaged or is gone', (t) => {
  const place = makePlace(t, ORIGINAL);
  for (const damage of [(file: string) => writeFileSync(file, 'x'), (file: string) => rmSync(file)]) {
    damage(place.install().backupFile ?? '');
    assert.equal(place.uninstall().restored, 'edited');
    assert.equal(place.read(), ORIGINAL);
  }
});

test('removes its entries without any record, as from a project somebody else set up', (t) => {
  const place = makePlace(t, '{\n  "model": "opus"\n}\n');
  place.install();
  rmSync(place.record, { recursive: true });
  assert.equal(place.uninstall().restored, 'edited');
  assert.equal(place.read(), '{\n  "model": "opus"\n}\n');
  assert.ok(!existsSync(place.record));
});

describe('a file that the user edited since', () => {
  test('keeps the edit and every other byte', (t) => {
    const place = makePlace(t, ORIGINAL);
    place.install();
    place.write(`// new\n${place.read().replace('opus', 'haiku')}`);
    assert.equal(place.uninstall().restored, 'edited');
    assert.equal(place.read(), `// new\n${ORIGINAL.replace('opus', 'haiku')}`);
  });

  test('keeps hooks that were put beside ours, also into our own arrays and groups', (t) => {
    const place = makePlace(t, '{}\n');
    place.install();
    const settings = JSON.parse(place.read());
    const other = JSON.parse(OTHER);
    settings.hooks.PreToolUse.unshift(other);
    settings.hooks.PostToolUse.push(other);
    settings.hooks.SessionStart[0].hooks.unshift(...other.hooks);
    settings.hooks.SessionEnd[0].hooks.push(...other.hooks);
    settings.hooks.Stop = [other];
    place.write(JSON.stringify(settings, null, 2));
    place.uninstall();
    const hooks = {
      PreToolUse: [other],
      PostToolUse: [other],
      SessionStart: [other],
      SessionEnd: [other],
      Stop: [other],
    };
    assert.equal(place.read(), JSON.stringify({ hooks }, null, 2));
  });

  test('keeps empty containers that were there before us, and loses those that only we had', (t) => {
    for (const [before, after] of [
      ['{"a":1,"hooks":{}}', '{"a":2,"hooks":{}}'],
      ['{"a":1,"hooks":{"PreToolUse":[]}}', '{"a":2,"hooks":{"PreToolUse":[]}}'],
      ['{"a":1}', '{"a":2}'],
      ['{\n  "a":1,\n  "hooks": {\n  }\n}', '{\n  "a":2,\n  "hooks": {\n  }\n}'],
    ] as const) {
      const place = makePlace(t, before);
      place.install();
      place.write(place.read().replace('"a":1', '"a":2'));
      assert.equal(place.uninstall().restored, 'edited');
      assert.equal(place.read(), after);
    }
  });

  test('keeps a comment that was put between our brackets', (t) => {
    const place = makePlace(t, '{}\n');
    place.install();
    place.write(place.read().replace('"PreToolUse": [', '"PreToolUse": [ // why'));
    place.uninstall();
    assert.match(place.read(), /\/\/ why/);
    assert.deepEqual(parse(place.read()), { hooks: { PreToolUse: [] } });
  });

  test('stays valid when a comment ends where our entry begins', (t) => {
    const ours = JSON.stringify({ hooks: [{ command: toHookCommand('/x/bin/hook', 'claude-code', 'Stop') }] });
    for (const [before, after] of [
      [`[ // c\n${ours}]`, '[ // c\n]'],
      [`[ // c\n${ours}\n]`, '[ // c\n]'],
      [`[1, // c\n${ours}]`, '[1 // c\n]'],
      [`[1, // c\n${ours}, 2]`, '[1, // c\n 2]'],
      [`[1, // c\n  ${ours}, // d\n 2]`, '[1, // c\n   // d\n 2]'],
      [`[1 // c\n,${ours} /* d */, 2]`, '[1 // c\n, /* d */ 2]'],
      [`[1, // c\r\n\t${ours}\r\n]`, '[1 // c\r\n]'],
    ] as const) {
      const place = makePlace(t, `{"hooks":{"Stop":${before}}}`);
      place.uninstall();
      assert.equal(place.read(), `{"hooks":{"Stop":${after}}}`);
    }
  });

  test('loses our entries from every data directory, however often they are in it', (t) => {
    const command = toHookCommand('/else where/bin/hook', 'claude-code', 'Gone');
    const ours = { hooks: [{ type: 'command', command }] };
    const place = makePlace(t, JSON.stringify({ hooks: { Gone: [ours, ours, JSON.parse(OTHER), ours] } }));
    assert.deepEqual(place.uninstall().removed, ['Gone']);
    assert.deepEqual(JSON.parse(place.read()), { hooks: { Gone: [JSON.parse(OTHER)] } });
  });
});
