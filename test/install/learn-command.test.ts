import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { toSettingsHome } from '../../src/agents/agents.ts';
import { COMMANDS } from '../../src/agents/commands.ts';
import {
  installCommand,
  LEARN_COMMAND,
  planCommand,
  uninstallCommand,
} from '../../src/surfaces/install/learn-command.ts';

describe('our command in the sessions of an agent', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'oncebitten-command-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));
  const place = (agentId: string) => ({ agentId, env: {}, home });

  for (const { facts, render } of COMMANDS) {
    it(`tells ${facts.name} which commands to run, whole and with our notice`, () => {
      const texts = Object.values(render(LEARN_COMMAND));
      assert.ok(texts.some((text) => text.includes(LEARN_COMMAND.text)));
      assert.ok(texts.every((text) => text.includes(LEARN_COMMAND.notice)));
    });

    it(`comes to ${facts.name} and goes again, with the folders that it made`, () => {
      const files = Object.keys(installCommand(place(facts.id))?.files ?? {});
      assert.ok(files.length > 0 && files.every((file) => existsSync(file)));
      assert.deepEqual(uninstallCommand(place(facts.id)), files);
      const left = readdirSync(home, { recursive: true }).map(String);
      assert.ok(
        left.every((path) => `${toSettingsHome(facts, { env: {}, home })}/`.startsWith(`${join(home, path)}/`)),
        left.join(),
      );
      assert.deepEqual(uninstallCommand(place(facts.id)), []);
    });
  }

  it('replaces an older file of ours, and neither replaces nor removes one of the user', () => {
    const [file = ''] = Object.keys(planCommand(place('claude-code'))?.files ?? {});
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `# ${LEARN_COMMAND.notice}\nolder`);
    installCommand(place('claude-code'));
    assert.match(readFileSync(file, 'utf8'), /oncebitten learn --next/);
    writeFileSync(file, 'mine');
    assert.equal(installCommand(place('claude-code')), undefined);
    assert.deepEqual(uninstallCommand(place('claude-code')), []);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  });

  it('leaves other commands of the user and their folder alone', () => {
    const other = join(home, '.claude/commands/mine.md');
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, 'mine');
    installCommand(place('claude-code'));
    uninstallCommand(place('claude-code'));
    assert.deepEqual(readdirSync(dirname(other)), ['mine.md']);
  });

  it('is for agents that have one', () => {
    assert.equal(installCommand(place('copilot')), undefined);
    assert.deepEqual(uninstallCommand(place('copilot')), []);
  });
});
