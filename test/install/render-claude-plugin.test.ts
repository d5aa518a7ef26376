import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claudeCodeInstall } from '../../src/agents/claude-code/install.ts';
import { DEFAULT_HOOK_FILE, renderPlugin } from '../../src/surfaces/install/hook-command.ts';
import { makePlace } from './make-place.ts';
import { sampleAgent as agent, eventNames } from './sample-agent.ts';

const { plugin } = claudeCodeInstall;
assert.ok(plugin);
const files = renderPlugin({ agent, plugin, hookFile: DEFAULT_HOOK_FILE, version: '1.2.3' });
const parse = (path: string) => JSON.parse(files[path] ?? '');

test('registers the same handlers as the settings do, byte for byte', (t) => {
  const place = makePlace(t);
  place.install();
  assert.deepEqual(parse('claude-code/hooks/hooks.json').hooks, JSON.parse(place.read()).hooks);
  assert.deepEqual(Object.keys(parse('claude-code/hooks/hooks.json').hooks), eventNames);
});

test('is a plugin with name and version, in a marketplace that points at it', () => {
  const { name, version } = parse('claude-code/.claude-plugin/plugin.json');
  assert.deepEqual([name, version], ['oncebitten', '1.2.3']);
  assert.deepEqual(parse('.claude-plugin/marketplace.json').plugins[0].source, './claude-code');
});

test('runs the hook of another data directory when asked to', () => {
  const moved = renderPlugin({ agent, plugin, hookFile: '/data/bin/hook', version: '1.2.3' });
  assert.match(moved['claude-code/hooks/hooks.json'] ?? '', /\[ -x \\"\/data\/bin\/hook\\" \]/);
});
