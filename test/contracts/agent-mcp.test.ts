/**
 * The contract of every agent's list of MCP servers: our server is added once beside those of the user, and taking it out
 * leaves no trace, whatever the file looks like.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { INSTALLS } from '../../src/agents/installs.ts';
import { MCP_CLIENTS } from '../../src/agents/mcp-clients.ts';
import type { AgentMcp } from '../../src/base/contracts/agent-mcp.ts';
import { UserError } from '../../src/base/errors.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { DEFAULT_HOOK_FILE } from '../../src/surfaces/install/hook-command.ts';
import { installHooks, uninstallHooks } from '../../src/surfaces/install/install-hooks.ts';
import {
  findMcpFile,
  installMcp,
  isMcpUntouched,
  planMcp,
  readInstalledMcp,
  toMcpInstallation,
  uninstallMcp,
} from '../../src/surfaces/install/install-mcp.ts';
import { MARKER, MOVED_MARKER, settingsArbitrary } from '../install/settings-arbitrary.ts';
import { toRuns } from '../to-runs.ts';

const runs = { numRuns: toRuns(150) };
type Context = { after(clean: () => void): void };

function makePlace(client: AgentMcp, context: Context) {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-mcp-'));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  const home = toDataHome(join(root, 'data'));
  const installation = toMcpInstallation(client, home, { env: {}, home: root });
  const file = installation.settingsFile;
  return {
    ...{ root, home, installation, file },
    read: () => readFileSync(file, 'utf8'),
    write(text: string) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    servers: (): Record<string, Record<string, unknown>> => {
      const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
      const parsed = client.format === 'json' ? parseJson(text, [], { allowTrailingComma: true }) : parseToml(text);
      return parsed[client.key];
    },
  };
}

for (const client of MCP_CLIENTS)
  describe(`the MCP servers of ${client.facts.name}`, () => {
    const theirs =
      client.format === 'json'
        ? `{ "${client.key}": { "mine": { "command": "x" } } }`
        : '[mcp_servers.mine]\ncommand = "x"\n';

    it('get ours once, beside those of the user, and it starts our command', (context) => {
      const place = makePlace(client, context);
      place.write(theirs);
      assert.deepEqual(readInstalledMcp(place.installation), { isInstalled: false, isCurrent: false });
      assert.equal(installMcp(place.installation).changed, true);
      assert.equal(installMcp(place.installation).changed, false);
      assert.deepEqual(readInstalledMcp(place.installation), { isInstalled: true, isCurrent: true });
      const { mine, oncebitten = {} } = place.servers();
      assert.deepEqual({ ...mine }, { command: 'x' });
      const { command, args } = oncebitten;
      assert.deepEqual([command, args ?? []].flat(), [place.home.commandFile, 'mcp']);
    });

    it('are planned without a change of the file', (context) => {
      const place = makePlace(client, context);
      place.write(theirs);
      const { changed, after } = planMcp(place.installation);
      assert.deepEqual([changed, place.read()], [true, theirs]);
      installMcp(place.installation);
      assert.equal(place.read(), after.toString('utf8'));
    });

    it('lose ours and nothing else: the bytes of the user, or no file and no folder where there was none', (context) => {
      const place = makePlace(client, context);
      installMcp(place.installation);
      assert.equal(uninstallMcp(place.installation).restored, 'deleted');
      assert.equal(existsSync(place.file), false);
      assert.equal(dirname(place.file) === place.root || !existsSync(dirname(place.file)), true);
      assert.equal(uninstallMcp(place.installation).restored, 'nothing');
      place.write(theirs);
      installMcp(place.installation);
      assert.equal(uninstallMcp(place.installation).restored, 'bytes');
      assert.equal(place.read(), theirs);
    });

    it('keep a server of the user that has our name', (context) => {
      const place = makePlace(client, context);
      const own = theirs.replace('mine', 'oncebitten');
      place.write(own);
      assert.throws(() => installMcp(place.installation), UserError);
      assert.equal(uninstallMcp(place.installation).changed, false);
      assert.equal(place.read(), own);
    });

    it('are updated after the data directory moved, and keep what the user added to our entry', (context) => {
      const place = makePlace(client, context);
      place.write(theirs);
      installMcp(place.installation);
      const added =
        client.format === 'json'
          ? place.read().replace('"oncebitten": {', '"oncebitten": { "timeout": 5,')
          : place.read();
      place.write(added);
      const moved = { ...place.installation, command: '/elsewhere/bin/oncebitten' };
      assert.deepEqual(readInstalledMcp(moved), { isInstalled: true, isCurrent: false });
      installMcp(moved);
      const { oncebitten = {} } = place.servers();
      assert.equal([oncebitten.command].flat()[0], moved.command);
      if (client.format === 'json') assert.equal(oncebitten.timeout, 5);
      uninstallMcp(moved);
      assert.deepEqual(Object.keys(place.servers()), ['mine']);
    });

    it('leave the words that the user wrote behind our entry', (context) => {
      if (client.format !== 'toml') return;
      const place = makePlace(client, context);
      for (const words of ['# mine\n', '\n# mine\n\n# also mine\n', '# mine\n[tui]\nx = 1\n']) {
        place.write(theirs);
        installMcp(place.installation);
        place.write(place.read() + words);
        assert.equal(uninstallMcp(place.installation).restored, 'edited');
        assert.equal(place.read(), theirs + words);
      }
    });

    it('are left to the user where our table cannot be beside theirs', (context) => {
      if (client.format !== 'toml') return;
      const place = makePlace(client, context);
      const own = `${client.key} = { foo = { command = "x" } }\n`;
      place.write(own);
      assert.throws(
        () => installMcp(place.installation),
        (error: UserError) => /cannot change safely/.test(error.reason) && /by hand/.test(error.next),
      );
      assert.equal(place.read(), own);
    });

    it('are added beside numbers of any size', (context) => {
      if (client.format !== 'toml') return;
      const place = makePlace(client, context);
      const own = 'i = 9223372036854775807\n';
      place.write(own);
      installMcp(place.installation);
      assert.match(place.read(), /oncebitten/);
      assert.equal(uninstallMcp(place.installation).restored, 'bytes');
      assert.equal(place.read(), own);
    });

    it('are left alone if the file is broken, with an error that names it', (context) => {
      const place = makePlace(client, context);
      const broken = client.format === 'json' ? '{ "a": ' : '[mcp_servers\n';
      place.write(broken);
      assert.throws(
        () => installMcp(place.installation),
        (error: UserError) => error.subject === place.file,
      );
      assert.equal(uninstallMcp(place.installation).restored, 'nothing');
      assert.equal(place.read(), broken);
    });

    it('come back to the byte, whatever the file looks like, and keep every later edit', (context) => {
      const place = makePlace(client, context);
      const [texts, before, after] =
        client.format === 'json'
          ? [settingsArbitrary(), MARKER, MOVED_MARKER]
          : [tomlArbitrary(), TOML_MARKER, TOML_MOVED];
      const property = fc.property(texts, (original) => {
        place.write(original);
        installMcp(place.installation);
        assert.equal(readInstalledMcp(place.installation).isCurrent, true);
        assert.equal(uninstallMcp(place.installation).restored, 'bytes');
        assert.equal(place.read(), original);
        installMcp(place.installation);
        place.write(place.read().replace(before, after));
        assert.equal(uninstallMcp(place.installation).restored, 'edited');
        assert.equal(normalize(place.read()), normalize(original.replace(before, after)));
      });
      fc.assert(property, runs);
    });

    it('share a file with our hooks, and both leave no trace in either order', (context) => {
      const agent = INSTALLS.find(({ facts }) => facts.id === client.facts.id);
      if (agent === undefined || agent.hooks.program !== undefined || client.format !== 'json') return;
      const place = makePlace(client, context);
      const hooks = { agent, settingsFile: place.file, hookFile: DEFAULT_HOOK_FILE, record: place.home.installDir };
      for (const isServerFirst of [true, false]) {
        place.write(theirs);
        if (isServerFirst) installMcp(place.installation);
        installHooks(hooks);
        if (!isServerFirst) installMcp(place.installation);
        assert.equal(isMcpUntouched(place.installation), !isServerFirst);
        const undo = [() => uninstallMcp(place.installation), () => uninstallHooks(hooks)];
        for (const one of isServerFirst ? undo.toReversed() : undo) assert.equal(one().restored, 'bytes');
        assert.equal(place.read(), theirs);
      }
    });
  });

/** A blank line at the end of a TOML file may go with our table. */
function normalize(text: string): string {
  return text.trimEnd();
}

const TOML_MARKER = 'marker = "before"';
const TOML_MOVED = 'marker = "after, and [longer] than \\" before"';

/** Settings as people write them: comments, tables in any order, texts that look like tables. */
function tomlArbitrary(): fc.Arbitrary<string> {
  const top = fc.subarray(['model = "x" # [mcp_servers.oncebitten]', 'a.b = 1', "text = '''\n[tui]\n'''", '# note']);
  const tables = fc.shuffledSubarray([
    '[mcp_servers.probe]\ncommand = "sh"\nargs = ["-c", "[x]"]',
    '[mcp_servers.probe2]\nurl = "http://x"\n[mcp_servers.probe2.http_headers]\nA = "b"',
    '  [ tui ]\n# about tui\nx = 1',
    '[projects."/tmp/x"]\ntrust_level = "trusted"',
    '[[items]]\nx = 1\n\n[[items]]\nx = 2',
    '# the last words',
  ]);
  return fc
    .tuple(
      top,
      tables,
      fc.constantFrom('\n', '\n\n', '\n\n\n'),
      fc.constantFrom('', '\n', '\n\n'),
      fc.constantFrom('\n', '\r\n'),
    )
    .map(([above, below, gap, end, eol]) => ([TOML_MARKER, ...above, ...below].join(gap) + end).replaceAll('\n', eol));
}

it('the list of MCP servers of Claude Code moves with its settings', () => {
  const [claude] = MCP_CLIENTS;
  if (claude === undefined) return;
  assert.equal(findMcpFile(claude, { env: {}, home: '/home/u' }), '/home/u/.claude.json');
  assert.equal(findMcpFile(claude, { env: { CLAUDE_CONFIG_DIR: '/c' }, home: '/home/u' }), '/c/.claude.json');
});
