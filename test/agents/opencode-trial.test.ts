/** The script with which `doctor` tries OpenCode's plugin. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { opencodeInstall } from '../../src/agents/opencode/install.ts';

it('finds the plugin in a folder of any name', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-trial-'));
  context.after(() => rmSync(root, { recursive: true }));
  const { program } = opencodeInstall.hooks;
  assert.ok(program !== undefined);
  for (const name of ['per%41cent', 'a#b', 'a?b', 'new\nline', 'sp ace']) {
    const bin = join(root, name, 'bin');
    mkdirSync(bin, { recursive: true });
    const hooks = "{ 'tool.execute.after': async (_, output) => { output.output = 'note'; } }";
    writeFileSync(join(bin, 'program.mjs'), `export const open = () => (${hooks});\n`);
    const plugin = join(root, name, 'plugin.mjs');
    writeFileSync(plugin, program.render(join(bin, 'hook')));
    const words: readonly string[] = ['--input-type=module', '--eval', program.renderTrial('ls', root), plugin];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    assert.equal(stdout, 'note', `${name}: ${stderr}`);
  }
});
