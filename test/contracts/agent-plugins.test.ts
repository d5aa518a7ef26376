/** Every agent's plugin: the hooks of its settings file, our commands, and how we see that it is switched on. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { COMMANDS } from '../../src/agents/commands.ts';
import { INSTALLS } from '../../src/agents/installs.ts';
import { DEFAULT_HOOK_FILE } from '../../src/surfaces/install/hook-command.ts';
import { PLUGIN_NAME, renderPlugin } from '../../src/surfaces/install/plugin-files.ts';
import { PLUGIN_COMMANDS } from '../../src/surfaces/install/session-commands.ts';
import { makePlace } from '../install/make-place.ts';

/** What the clients themselves wrote when the plugin was installed, and when it was switched off. */
const RECORDS: Readonly<Record<string, { readonly on: string; readonly off: string }>> = {
  'claude-code': {
    on: '{"enabledPlugins":{"oncebitten@oncebitten":true}}',
    off: '{"enabledPlugins":{"oncebitten@oncebitten":false,"other@oncebitten":true}}',
  },
  codex: {
    on: '[marketplaces.oncebitten]\nsource_type = "local"\n\n[plugins."oncebitten@oncebitten"]\nenabled = true\n',
    off: '[plugins."oncebitten@oncebitten"]\nenabled = false\n\n[plugins."other@x"]\nenabled = true\n',
  },
  gemini: {
    on: '{"oncebitten":{"overrides":["/home/dev/*"]}}',
    off: '{"oncebitten":{"overrides":["!/home/dev/*"]},"other":{"overrides":["/home/dev/*"]}}',
  },
  copilot: {
    on: '{"enabledPlugins":{"oncebitten@oncebitten":true}}',
    off: '{"enabledPlugins":{"oncebitten@oncebitten":false}}',
  },
};

for (const agent of INSTALLS) {
  const { facts, plugin } = agent;
  if (plugin === undefined) continue;
  const version = '1.2.3';
  const files = renderPlugin({ agent, plugin, hookFile: DEFAULT_HOOK_FILE, version });
  const parse = (path: string) => JSON.parse(files[path] ?? assert.fail(path));

  describe(`the plugin of ${facts.name}`, () => {
    it('registers the same handlers as the settings do', (t: TestContext) => {
      const place = makePlace(t);
      place.install({ agent });
      assert.deepEqual(parse(`${facts.id}/hooks/hooks.json`).hooks, JSON.parse(place.read()).hooks);
    });

    it('runs the hook of another data directory when asked to', () => {
      const moved = renderPlugin({ agent, plugin, hookFile: '/data/bin/hook', version });
      assert.match(moved[`${facts.id}/hooks/hooks.json`] ?? '', /\[ -x \\"\/data\/bin\/hook\\" \]/);
    });

    it('has name and version, and a marketplace points at its folder', () => {
      const manifests = Object.keys(files).filter((path) => /^[^/]+\/(?:\.[^/]+\/)?[a-z-]+\.json$/.test(path));
      const own = manifests.find((path) => path.startsWith(`${facts.id}/`)) ?? assert.fail('no manifest');
      assert.deepEqual([parse(own).name, parse(own).version], [PLUGIN_NAME, version]);
      const market = Object.keys(files).find((path) => path.endsWith('marketplace.json'));
      if (market !== undefined) assert.equal(parse(market).plugins[0].source, `./${facts.id}`);
    });

    it('contains all our commands', () => {
      const commands = COMMANDS.find((one) => one.facts.id === facts.id) ?? assert.fail('no commands');
      for (const command of PLUGIN_COMMANDS)
        for (const [path, text] of Object.entries(commands.render(command, 'plugin')))
          assert.equal(files[`${facts.id}/${path}`], text);
    });

    it('is seen in the file in which the agent keeps what is switched on', () => {
      const isOn = (text: string): boolean => {
        const settings = text.startsWith('{') ? JSON.parse(text) : {};
        return plugin.isOn({ text, settings }, PLUGIN_NAME);
      };
      const { on, off } = RECORDS[facts.id] ?? assert.fail(`no records of ${facts.id}`);
      assert.deepEqual([isOn(on), isOn(off), isOn('')], [true, false, false]);
    });
  });
}
