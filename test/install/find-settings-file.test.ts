import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSettingsFile } from '../../src/surfaces/install/agent-place.ts';
import { sampleAgent as agent } from './sample-agent.ts';

const home = '/home/ann';

test("finds the settings in the user's home", () => {
  assert.equal(findSettingsFile({ agent, env: {}, home }), '/home/ann/.claude/settings.json');
});

test("follows the agent's environment variable, unless it is empty", () => {
  const moved = findSettingsFile({ agent, env: { CLAUDE_CONFIG_DIR: '/etc/claude' }, home });
  assert.equal(moved, '/etc/claude/settings.json');
  assert.equal(findSettingsFile({ agent, env: { CLAUDE_CONFIG_DIR: '' }, home }), '/home/ann/.claude/settings.json');
});

test("gives a person's own settings in a project, never the team's, wherever the agent's home is", () => {
  const env = { CLAUDE_CONFIG_DIR: '/etc/claude' };
  assert.equal(findSettingsFile({ agent, env, home, project: '/src/app' }), '/src/app/.claude/settings.local.json');
});
