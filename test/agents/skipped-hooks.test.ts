/** Hooks that an agent skips, one by one: `doctor` names them and what to do. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { codexInstall } from '../../src/agents/codex/install.ts';
import { codexSkips } from '../../src/agents/codex/trust.ts';
import { DEFAULT_HOOK_FILE, toHookHandler } from '../../src/surfaces/install/hook-command.ts';
import { runDoctor } from '../cli/run-doctor.ts';
import { openStory, type Story } from '../stories/open-story.ts';

const FILE = '/home/ann/.codex/hooks.json';
/** Read from Codex 0.166.0 (`hooks/list` of its app-server) for our hook of `PreToolUse`. */
const KEY = `${FILE}:pre_tool_use:1:0`;
const HASH = 'sha256:9578f4e62957d61bd905f2e1dc731e0100bfaafd4c16611fd5833bc31f1eb23e';
const PLACED = {
  ...{ event: 'PreToolUse', files: [FILE], group: 1, index: 0 },
  handler: { ...toHookHandler(codexInstall, DEFAULT_HOOK_FILE, { name: 'PreToolUse', async: false }) },
};

describe('hooks that Codex skips', () => {
  const ask = (config?: string) => codexSkips.list([PLACED], config === undefined ? [] : [config]);
  const toTable = (more: string, key = KEY) =>
    `model = "x"\n\n[hooks.state.${JSON.stringify(key)}]\n${more}\n[other]\n`;

  it('are none once the user has trusted them in this form', () => {
    assert.deepEqual(ask(toTable(`trusted_hash = "${HASH}"`)), []);
    assert.deepEqual(ask(`[hooks.state]\n'${KEY}' = { trusted_hash = '${HASH}' }\n`), []);
  });

  it('are those that nobody has trusted', () => {
    const nobody = [undefined, '', toTable(''), toTable(`trusted_hash = "${HASH}"`, `${FILE}:pre_tool_use:0:0`)];
    for (const config of nobody) {
      const [skipped, ...others] = ask(config);
      assert.deepEqual([skipped?.events, others], [['PreToolUse'], []]);
      assert.match(skipped?.reason ?? '', /not trusted/);
      assert.match(skipped?.next ?? '', /\/hooks/);
    }
  });

  it('are those that have changed since, and those that are disabled', () => {
    assert.match(ask(toTable('trusted_hash = "sha256:00"'))[0]?.reason ?? '', /changed/);
    assert.match(ask(toTable(`enabled = false\ntrusted_hash = "${HASH}"`))[0]?.reason ?? '', /disabled/);
  });

  it('are all where the feature is off', () => {
    const trusted = toTable(`trusted_hash = "${HASH}"`);
    assert.match(ask(`${trusted}[features]\napps = true\nhooks = false\n`)[0]?.reason ?? '', /off/);
    assert.deepEqual(ask(`${trusted}[features]\nhooks = true\n[x]\nhooks = false\n`), []);
  });
});

describe('doctor', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: false });
  });
  after(() => story.close());

  it('says that Codex skips hooks until the user trusts them, also in a home behind a link', async () => {
    mkdirSync(join(story.home, 'real-codex'));
    symlinkSync(join(story.home, 'real-codex'), join(story.home, '.codex'));
    await story.cli('install', 'codex');
    const name = 'settings of Codex CLI';
    const untrusted = (await runDoctor(story)).get(name);
    assert.equal(untrusted.state, 'bad');
    assert.match(untrusted.detail, /not trusted.*: PreToolUse, .*PostCompact/);
    assert.match(untrusted.next ?? '', /\/hooks/);
    const file = realpathSync(join(story.home, '.codex/hooks.json'));
    for (const event of codexInstall.hooks.events) {
      const key = `${file}:${event.name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()}:0:0`;
      const state = `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "sha256:of-another-form"\n`;
      appendFileSync(join(story.home, '.codex/config.toml'), state);
    }
    assert.match((await runDoctor(story)).get(name).detail, /have changed since you trusted them/);
  });

  it('says that Copilot CLI runs no hooks where its settings switch them off', async () => {
    await story.cli('install', 'copilot', '--force');
    const name = 'settings of Copilot CLI';
    assert.equal((await runDoctor(story)).get(name).state, 'ok');
    writeFileSync(join(story.home, '.copilot/settings.json'), '{ "disableAllHooks": true }');
    const check = (await runDoctor(story)).get(name);
    assert.deepEqual([check.state, check.next], ['bad', 'remove it from settings.json']);
  });

  it('names the hooks that a user of Gemini CLI has disabled', async () => {
    await story.cli('install', 'gemini', '--force');
    const file = join(story.home, '.gemini/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    const name = 'settings of Gemini CLI';
    assert.equal((await runDoctor(story)).get(name).state, 'ok');
    const disabled = [settings.hooks.AfterTool[0].hooks[0].command];
    writeFileSync(file, `// mine\n${JSON.stringify({ ...settings, hooksConfig: { disabled } })}`);
    const check = (await runDoctor(story)).get(name);
    assert.equal(check.state, 'bad');
    assert.match(check.detail, /hooksConfig\.disabled.*: AfterTool$/);
    assert.match(check.next ?? '', /hooksConfig\.disabled/);
  });
});
