import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ROOT } from './read-import-graph.ts';

const OWN = [
  /^src\/surfaces\/hook\//,
  /^src\/surfaces\/data-home\.ts$/,
  /^src\/(agents|base|match)\//,
  /^src\/capture\/(identify-project|to-remote-name|judge-facts|expected-exits|is-expected-exit|is-showing|is-warning)\.ts$/,
  /^src\/capture\/(find-remote|to-duration|to-facts|to-told|write-spool)\.ts$/,
];
const MAX_BYTES = 200 * 1024;

describe('the hot path', () => {
  let inputs: readonly string[] = [];
  before(() => {
    execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { cwd: ROOT });
    inputs = JSON.parse(readFileSync(join(ROOT, 'dist/build.json'), 'utf8')).hookInputs;
  });

  it('bundles only its own files and the shell parser', () => {
    const foreign = inputs.filter(
      (input) => !OWN.some((own) => own.test(input)) && !input.startsWith('node_modules/unbash/'),
    );
    assert.deepEqual(
      foreign,
      [],
      'hook.cjs runs while an agent waits, on any Node from 18: no store, no packages, nothing of the daemon.',
    );
  });

  it('bundles the matcher and the parser, so the test above sees the real list', () => {
    assert.ok(inputs.includes('src/match/match-lessons.ts'));
    assert.ok(inputs.some((input) => input.startsWith('node_modules/unbash/')));
  });

  it('stays small: parsing the bundle is part of every cold call', () => {
    const { size } = statSync(join(ROOT, 'dist/hook-body.cjs'));
    assert.ok(size < MAX_BYTES, `hook-body.cjs is ${size} bytes, over ${MAX_BYTES}`);
  });

  it('loads slow built-in modules only when a call needs them', () => {
    const bundle = ['hook', 'hook-body'].map((name) => readFileSync(join(ROOT, `dist/${name}.cjs`), 'utf8')).join('\n');
    for (const slow of ['node:crypto', 'node:child_process', 'node:v8', 'node:net', 'node:sqlite']) {
      assert.ok(
        !bundle.includes(`require("${slow}")`),
        `${slow} is loaded at start: it costs milliseconds; load it where it is needed`,
      );
    }
  });
});
