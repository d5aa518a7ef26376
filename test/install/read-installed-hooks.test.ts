import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { makePlace } from './make-place.ts';
import { eventNames, sampleAgent } from './sample-agent.ts';

test('misses everything where there is no file, and makes none', (t) => {
  const place = makePlace(t);
  assert.deepEqual(place.ask(), { present: [], missing: eventNames, outdated: [] });
  assert.ok(!existsSync(place.settingsFile));
});

test('finds everything after an installation and nothing after its removal', (t) => {
  const place = makePlace(t, '{ "hooks": { "PreToolUse": [ { "hooks": [] } ] } }');
  place.install();
  assert.deepEqual(place.ask(), { present: eventNames, missing: [], outdated: [] });
  place.uninstall();
  assert.deepEqual(place.ask(), { present: [], missing: eventNames, outdated: [] });
});

test('calls an entry with another timeout, another hook file or a twin outdated', (t) => {
  const place = makePlace(t, '{}');
  place.install();
  assert.deepEqual(place.ask({ hookFile: '/moved/bin/hook' }).outdated, eventNames);
  const settings = JSON.parse(place.read());
  settings.hooks.PreToolUse[0].hooks[0].timeout = 60;
  settings.hooks.SessionStart.push(settings.hooks.SessionStart[0]);
  delete settings.hooks.SessionEnd;
  place.write(JSON.stringify(settings));
  assert.deepEqual(place.ask(), {
    present: ['PostToolUse', 'PostToolUseFailure'],
    missing: ['SessionEnd'],
    outdated: ['PreToolUse', 'SessionStart'],
  });
  place.install();
  assert.deepEqual(place.ask(), { present: eventNames, missing: [], outdated: [] });
});

test('calls an entry for an event that is no longer asked for outdated', (t) => {
  const place = makePlace(t, '{}');
  place.install();
  const hooks = { ...sampleAgent.hooks, events: sampleAgent.hooks.events.slice(1) };
  assert.deepEqual(place.ask({ agent: { ...sampleAgent, hooks } }).outdated, ['PreToolUse']);
});

test('calls an entry that a matcher or a condition keeps from some calls narrowed, not present', (t) => {
  const place = makePlace(t, '{}');
  place.install();
  const settings = JSON.parse(place.read());
  settings.hooks.PreToolUse[0].matcher = 'Edit';
  settings.hooks.PostToolUse[0].hooks[0].if = 'Bash(git *)';
  settings.hooks.SessionStart[0].matcher = '*';
  place.write(JSON.stringify(settings));
  assert.deepEqual(place.ask(), {
    present: eventNames.filter((name) => !['PreToolUse', 'PostToolUse'].includes(name)),
    missing: [],
    outdated: [],
    narrowed: ['PreToolUse', 'PostToolUse'],
  });
  assert.equal(place.install().changed, false, 'it is the user’s');
});
