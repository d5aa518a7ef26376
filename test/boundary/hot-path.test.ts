import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ROOT } from './read-import-graph.ts';

const OWN = [
  /^src\/surfaces\/hook\//,
  /^src\/(agents|base|match)\//,
  /^src\/capture\/outcomes\/judge-facts\.ts$/,
  /^src\/capture\/journal\/(facts|journal)\.ts$/,
  /^src\/capture\/projects\/identify-project\.ts$/,
  /^src\/loop\/delivery\/(canary|decision|decide-opening|conversation|session-past)\.ts$/,
  /^src\/loop\/home\/(data-home|daemon-fault)\.ts$/,
  /^src\/loop\/projects\/find-project\.ts$/,
  /^src\/loop\/privacy\/(private-sessions|switches)\.ts$/,
  /^src\/loop\/deliver\.ts$/,
];
/** The hooks of six agents are about 35 KB of it. */
const MAX_BYTES = 209 * 1024;

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

  it('asks only for those facts about programs that its bundle has', () => {
    assert.ok(inputs.includes('src/base/shell/programs/find-program.ts'));
    assert.ok(
      !inputs.includes('src/base/shell/programs/all-facts.ts'),
      'The build leaves facts out of the hook: ask through find-program.ts, and name what is missing in HOOK_TRAITS or HOOK_FACTS.',
    );
  });

  it('stays small: parsing the bundle is part of every cold call', () => {
    const { size } = statSync(join(ROOT, 'dist/hook-body.cjs'));
    assert.ok(size < MAX_BYTES, `hook-body.cjs is ${size} bytes, over ${MAX_BYTES}`);
  });

  it('uses nothing that Node 18 does not have', () => {
    const folder = mkdtempSync(join(tmpdir(), 'oncebitten-node18-'));
    // Node 18 has ES2022, and these two of ES2023.
    const found = 'findLast(is: (item: T) => boolean): T | undefined; findLastIndex(is: (item: T) => boolean): number;';
    const arrays = ['Array', 'ReadonlyArray'].map((name) => `interface ${name}<T> { ${found} }\n`);
    writeFileSync(join(folder, 'node18.d.ts'), arrays.join(''));
    const entries = ['hook/hook-main', 'hook/run-hook', 'launch/launch-daemon', 'launch/launch-command'];
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { lib: ['es2022'], noImplicitAny: false, typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: [],
      files: ['node18.d.ts', ...entries.map((name) => join(ROOT, `src/surfaces/${name}.ts`))],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    assert.equal(
      stdout,
      '',
      'The hook delivers lessons on any Node from 18: use what ES2022 has, or base/group-by.ts.',
    );
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
