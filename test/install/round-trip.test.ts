import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { toRuns } from '../to-runs.ts';
import { makePlace } from './make-place.ts';
import { eventNames } from './sample-agent.ts';
import { MARKER, MOVED_MARKER, settingsArbitrary } from './settings-arbitrary.ts';

const runs = { numRuns: toRuns(300) };

function parseSettings(text: string) {
  return parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
}

test('installing and uninstalling gives the identical bytes, whatever the settings look like', (t) => {
  const place = makePlace(t);
  const property = fc.property(settingsArbitrary(), (original) => {
    place.write(original);
    place.install();
    assert.deepEqual(place.ask(), { present: eventNames, missing: [], outdated: [] });
    assert.equal(place.install().changed, false);
    assert.equal(place.uninstall().restored, 'bytes');
    assert.equal(place.read(), original);
  });
  fc.assert(property, runs);
});

test('an edit elsewhere survives uninstalling, and so does every byte that is not ours', (t) => {
  const place = makePlace(t);
  const property = fc.property(settingsArbitrary(), (original) => {
    place.write(original);
    place.install();
    place.write(place.read().replace(MARKER, MOVED_MARKER));
    assert.equal(place.uninstall().restored, 'edited');
    assert.equal(place.read(), original.replace(MARKER, MOVED_MARKER));
  });
  fc.assert(property, runs);
});

test('installing adds our entries to the end of each array and nothing else', (t) => {
  const place = makePlace(t);
  const property = fc.property(settingsArbitrary(), (original) => {
    place.write(original);
    place.install();
    const before = parseSettings(original);
    const after = parseSettings(place.read());
    for (const name of eventNames) {
      const groups = after.hooks[name];
      groups.pop();
      if (before.hooks?.[name] === undefined) {
        assert.deepEqual(groups, []);
        delete after.hooks[name];
      }
    }
    if (before.hooks === undefined) delete after.hooks;
    assert.deepEqual(after, before);
    place.uninstall();
  });
  fc.assert(property, runs);
});
