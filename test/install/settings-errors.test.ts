import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../src/base/errors.ts';
import { makePlace, type Place } from './make-place.ts';

const UNUSABLE: [string, string | Buffer, RegExp][] = [
  ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', /line 3 \(comma expected\)/],
  ['an open bracket', '{\r\n  "a": [1\r\n', /line 3/],
  ['text after the end', '{}\n{}', /line 2/],
  ['a comment that does not end', '{\n/* ', /line 2/],
  ['a list', '[]', /does not contain a JSON object/],
  ['hooks that are a list', '{ "hooks": [] }', /"hooks" is not an object/],
  ['hooks that are null', '{ "hooks": null }', /"hooks" is not an object/],
  ['an event that is an object', '{ "hooks": { "SessionEnd": {} } }', /"hooks.SessionEnd" is not an array/],
  ['hooks given twice', '{ "hooks": {}, "hooks": {} }', /"hooks" twice/],
  ['an event given twice', '{ "hooks": { "PreToolUse": [], "PreToolUse": [] } }', /"hooks.PreToolUse" twice/],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not UTF-8/],
];

for (const [what, content, reason] of UNUSABLE) {
  test(`refuses ${what}, says why, and changes nothing`, (t) => {
    const place = makePlace(t, content);
    const isExplained = toExplanation(place.settingsFile, reason);
    assert.throws(() => place.install(), isExplained);
    assert.throws(() => place.ask(), isExplained);
    assert.deepEqual(place.readBytes(), Buffer.from(content));
    assert.deepEqual(place.list(), ['settings.json']);
    assert.deepEqual(readdirSync(place.record), ['install.lock']);
  });
}

test('refuses to uninstall from a file broken since, and can once it is mended', (t) => {
  const place = makePlace(t, '{\n  "a": 1\n}\n');
  place.install();
  const whole = place.read();
  place.write(`${whole}}`);
  assert.throws(() => place.uninstall(), toExplanation(place.settingsFile, /not valid JSON at line/));
  assert.equal(place.read(), `${whole}}`);
  place.write(whole);
  assert.equal(place.uninstall().restored, 'bytes');
});

test('refuses a settings path that is a folder, lies under a file, or is a symlink to itself', (t) => {
  const place = makePlace(t);
  mkdirSync(place.settingsFile, { recursive: true });
  assert.throws(() => place.install(), toExplanation(place.settingsFile, /is not a file/));
  const file = join(place.root, 'file');
  writeFileSync(file, '');
  const settingsFile = join(file, 'settings.json');
  assert.throws(() => place.install({ settingsFile }), toExplanation(settingsFile, /ENOTDIR|is not/));
  rmSync(place.settingsFile, { recursive: true });
  symlinkSync('settings.json', place.settingsFile);
  assert.throws(() => place.install(), toExplanation(place.settingsFile, /ELOOP/));
});

test('refuses when its own folder cannot be made', (t) => {
  const place = makePlace(t, '{}');
  writeFileSync(join(place.root, 'data'), '');
  assert.throws(() => place.install(), toExplanation(place.record, /cannot be written/));
  assert.equal(place.read(), '{}');
});

test('refuses a folder or a file that may not be written', (t) => {
  const place = makePlace(t, '{}');
  chmodSync(place.settingsFile, 0o444);
  assert.match(installUnprivileged(place), /settings\.json: cannot be written \(EACCES/);
  chmodSync(place.settingsFile, 0o666);
  chmodSync(dirname(place.settingsFile), 0o555);
  assert.match(installUnprivileged(place), /settings\.json: cannot be written \(EACCES/);
  assert.equal(place.read(), '{}');
  assert.deepEqual(place.list(), ['settings.json']);
  assert.deepEqual(readdirSync(place.record), ['install.lock']);
});

function toExplanation(subject: string, reason: RegExp) {
  return (thrown: unknown) => {
    assert.ok(thrown instanceof UserError, String(thrown));
    assert.equal(thrown.subject, subject);
    assert.match(thrown.reason, reason);
    assert.notEqual(thrown.next, '');
    return true;
  };
}

/** Root may write everything, so as root this runs as nobody. */
function installUnprivileged(place: Place): string {
  const isRoot = process.getuid?.() === 0;
  chmodSync(place.root, 0o777);
  const child = join(import.meta.dirname, 'install-once.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [child, JSON.stringify(place.options)], {
    encoding: 'utf8',
    ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
  });
  return stdout + stderr;
}
