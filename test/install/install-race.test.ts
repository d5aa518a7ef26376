import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import { changeSettingsFile, withInstallLock, writeSettingsFile } from '../../src/surfaces/install/user-file.ts';
import { makePlace, type Place } from './make-place.ts';
import { eventNames } from './sample-agent.ts';

const ORIGINAL = '{\n  // mine\n  "hooks": { "PreToolUse": [ { "hooks": [] } ] }\n}\n';

async function race(place: Place, processes: number) {
  const options = JSON.stringify({ ...place.options, startAt: Date.now() + 1500 });
  const child = join(import.meta.dirname, 'install-once.ts');
  const runs = Array.from({ length: processes }, () => promisify(execFile)(process.execPath, [child, options]));
  const outputs = await Promise.all(runs);
  return outputs.map(({ stdout }) => JSON.parse(stdout) as { changed: boolean; backupFile?: string });
}

for (const original of [undefined, ORIGINAL]) {
  test(`installs once when several processes race for ${original === undefined ? 'no file' : 'a file'}`, async (t) => {
    const place = makePlace(t, original);
    const results = await race(place, 4);
    const winners = results.filter((result) => result.changed);
    assert.equal(winners.length, 1);
    if (original !== undefined) assert.equal(readFileSync(winners[0]?.backupFile ?? '', 'utf8'), original);
    assert.deepEqual(place.ask(), { present: eventNames, missing: [], outdated: [] });
    const groups = Object.values<unknown[]>(parse(place.read()).hooks);
    assert.equal(groups.flat().length, eventNames.length + (original === undefined ? 0 : 1));
    assert.deepEqual(place.list(), ['settings.json']);
    place.uninstall();
    if (original !== undefined) assert.equal(place.read(), original);
  });
}

test('waits for an installation that is under way', async (t) => {
  const place = makePlace(t);
  const child = join(import.meta.dirname, 'install-once.ts');
  const run = withInstallLock(place.record, () => {
    const started = promisify(execFile)(process.execPath, [child, JSON.stringify(place.options)]);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    assert.ok(!existsSync(place.settingsFile));
    return started;
  });
  assert.equal(JSON.parse((await run).stdout).changed, true);
});

test('does not wait for an installation that was killed', async (t) => {
  const place = makePlace(t);
  const lockFile = join(import.meta.dirname, '../../src/surfaces/install/user-file.ts');
  const script = `import { writeSync } from 'node:fs';
    import { withInstallLock } from ${JSON.stringify(lockFile)};
    withInstallLock(${JSON.stringify(place.record)}, () => {
      writeSync(1, 'held');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
    });`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  // A lock that is still held fails it.
  assert.equal(place.install().changed, true);
});

test('starts over when the agent writes the file in between', (t) => {
  const place = makePlace(t, '{"a":1}');
  const seen: string[] = [];
  changeSettingsFile(place.settingsFile, (file) => {
    seen.push(String(file.found?.bytes));
    if (seen.length === 1) place.write('{"a":2}');
    return writeSettingsFile(file, Buffer.from(`${seen.at(-1)}\n`)) || undefined;
  });
  assert.deepEqual(seen, ['{"a":1}', '{"a":2}']);
  assert.equal(place.read(), '{"a":2}\n');
  assert.deepEqual(place.list(), ['settings.json']);
});

test('gives up on a file that never rests, and leaves it', (t) => {
  const place = makePlace(t, '0');
  const change = () =>
    changeSettingsFile(place.settingsFile, (file) => {
      place.write(`${Number(file.found?.bytes) + 1}`);
      return writeSettingsFile(file, Buffer.from('ours')) || undefined;
    });
  assert.throws(change, /being changed by another program/);
  assert.match(place.read(), /^\d+$/);
  assert.deepEqual(place.list(), ['settings.json']);
});
