import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { toSettingsHome } from '../../src/agents/agents.ts';
import { COMMANDS } from '../../src/agents/commands.ts';
import { installCommands, planCommands, uninstallCommands } from '../../src/surfaces/install/command-files.ts';
import { COMMAND_NOTICE, SESSION_COMMANDS } from '../../src/surfaces/install/session-commands.ts';

describe('our commands in the settings folder of an agent', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'oncebitten-command-'));
  });
  afterEach(() => {
    for (const folder of [home, `${home}-data`]) rmSync(folder, { recursive: true, force: true });
  });
  const toHome = (agentId: string) => ({ agentId, env: {}, home, record: `${home}-data` });
  const read = (): Record<string, string> => {
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
    return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  };

  for (const { facts } of COMMANDS) {
    it(`come to ${facts.name} as planned, once, and go again with the folders that they made`, () => {
      const { typed, files } = planCommands(toHome(facts.id));
      assert.deepEqual(read(), {});
      assert.equal(typed.length, SESSION_COMMANDS.filter(({ isForAgent }) => !isForAgent).length);
      installCommands(toHome(facts.id));
      installCommands(toHome(facts.id));
      assert.deepEqual(read(), Object.fromEntries(Object.entries(files).toSorted()));
      assert.deepEqual(uninstallCommands(toHome(facts.id)).removed, Object.keys(files));
      const left = readdirSync(home, { recursive: true }).map(String);
      const top = `${toSettingsHome(facts, { env: {}, home })}/`;
      assert.ok(
        left.every((path) => top.startsWith(`${join(home, path)}/`)),
        left.join(),
      );
      assert.deepEqual(uninstallCommands(toHome(facts.id)), { removed: [], faults: [] });
    });

    it(`leave files of the user in ${facts.name} as they are, also beside and in place of ours`, () => {
      const [first = ''] = Object.keys(planCommands(toHome(facts.id)).files);
      const beside = join(dirname(dirname(first)), 'mine.md');
      mkdirSync(dirname(first), { recursive: true });
      for (const file of [first, beside]) writeFileSync(file, 'mine');
      const { files } = installCommands(toHome(facts.id));
      assert.ok(!Object.hasOwn(files, first) && Object.keys(files).length > 0);
      uninstallCommands(toHome(facts.id));
      assert.deepEqual(read(), Object.fromEntries([first, beside].toSorted().map((file) => [file, 'mine'])));
    });
  }

  it('leave the empty folders of the user', () => {
    for (const { facts } of COMMANDS) {
      const [first = ''] = Object.keys(planCommands(toHome(facts.id)).files);
      const top = toSettingsHome(facts, { env: {}, home });
      const own = join(top, relative(top, first).split('/')[0] ?? '');
      mkdirSync(own, { recursive: true });
      installCommands(toHome(facts.id));
      uninstallCommands(toHome(facts.id));
      assert.deepEqual(readdirSync(own), [], facts.id);
    }
    assert.ok(!readdirSync(`${home}-data`).some((name) => name.startsWith('commands-')));
  });

  it('go with the folders of our name, if nobody recorded who made them', () => {
    installCommands(toHome('claude-code'));
    rmSync(`${home}-data`, { recursive: true });
    uninstallCommands(toHome('claude-code'));
    assert.deepEqual(readdirSync(join(home, '.claude'), { recursive: true }).toSorted(), ['commands', 'skills']);
  });

  it('replaces an older file of ours', () => {
    const [file = ''] = Object.keys(planCommands(toHome('claude-code')).files);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `# ${COMMAND_NOTICE}\nolder`);
    installCommands(toHome('claude-code'));
    assert.match(readFileSync(file, 'utf8'), /oncebitten learn --next/);
  });

  it('are for agents that have commands', () => {
    assert.deepEqual(installCommands(toHome('vscode')), { typed: [], files: {}, faults: [] });
    assert.deepEqual(uninstallCommands(toHome('vscode')), { removed: [], faults: [] });
    assert.ok(!existsSync(join(home, 'skills')));
  });
});
