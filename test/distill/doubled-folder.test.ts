import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { doubledFolder } from '../../src/distill/propose/paths/wrong-directory.ts';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makePast, type Step, worked } from './session-script.ts';

const at = (cwd: string, step: Step): Step => ({ ...step, cwd });
const ROOT = '/home/u/shop';
const cwd = `${ROOT}/web`;
const start = at(ROOT, worked('git status'));
const wrong = at(
  cwd,
  failed(
    'git add web/app.ts && git commit -m "fix"',
    "warning: could not open directory 'web/web/': No such file or directory\nfatal: pathspec 'web/app.ts' did not match any files",
    128,
  ),
);

describe('doubled-folder', () => {
  it('learns that a path from above is not there from within, when it worked from above', () => {
    const [finding] = detectWith(doubledFolder, start, wrong, at(cwd, worked(`cd ${ROOT} && git add web/app.ts`)));
    assert.ok(finding);
    assert.match(finding.summary, /^The shell is in `web` already/);
    assert.ok(speaks(finding, { command: 'git add web/other.ts web/b.ts', cwd }));
    assert.ok(speaks(finding, { command: 'git add ./web/other.ts', cwd: '/srv/clones/shop/web' }), 'another clone');
    for (const [command, stand] of [
      ['git add web/app.ts', ROOT],
      [`cd ${ROOT} && git add web/app.ts`, cwd],
      ['git add app.ts src/web/a.ts', cwd],
      [`git add ${cwd}/app.ts`, cwd],
      ['git commit -m "web/app.ts"', cwd],
      ['git add web/app.ts 2>/dev/null', cwd],
      ['git add web/app.ts', '/home/u/shop/packages/web'],
    ] as const)
      assert.ok(!speaks(finding, { command, cwd: stand }), `${command} in ${stand}`);
    for (const source of finding.triggers.command?.match ?? []) assert.ok(isLinearRegex(source));
  });

  it('learns it as well when the rest of the path worked from within, or the shell went up before', () => {
    assert.equal(detectWith(doubledFolder, start, wrong, at(cwd, worked('git add app.ts'))).length, 1);
    assert.equal(detectWith(doubledFolder, start, wrong, at(ROOT, worked('git add web/app.ts'))).length, 1);
    assert.equal(detectWith(doubledFolder, start, wrong, at(cwd, worked('cd .. && git add web/app.ts'))).length, 1);
  });

  it('trusts it although the same command works from above, which is what it says', () => {
    const [finding] = detectWith(doubledFolder, start, wrong, at(cwd, worked(`cd ${ROOT} && git add web/app.ts`)));
    assert.ok(finding);
    const usual = Array.from({ length: 9 }, (_, i) => makePast({ callId: `past-${i}`, command: 'git add web/x.ts' }));
    assert.equal(gateFinding(finding, usual, () => true).verdict, 'active');
  });

  it('says nothing of a folder that has one of its own name, as a package often has', () => {
    const inRoot = at(ROOT, failed('pytest shop/tests/test_tax.py', 'ERROR: file not found: shop/tests/test_tax.py'));
    assert.deepEqual(detectWith(doubledFolder, inRoot, at(ROOT, worked('pytest shop/tests/test_vat.py'))), []);
    assert.deepEqual(detectWith(doubledFolder, start, inRoot, at(ROOT, worked('pytest shop/tests/test_vat.py'))), []);
    const only = detectWith(doubledFolder, wrong, at(cwd, worked('git add app.ts')));
    assert.deepEqual(only, [], 'where nobody was above, the folder may be the project itself');
  });

  it('says nothing where the path was not what was missing, or nothing shows that it is there from above', () => {
    const other = at(cwd, failed('git add web/app.ts', "fatal: Unable to create '/x/.git/index.lock': File exists."));
    assert.deepEqual(detectWith(doubledFolder, start, other, at(ROOT, worked('git add web/app.ts'))), []);
    assert.deepEqual(detectWith(doubledFolder, start, wrong, at(cwd, worked('git add server.ts'))), []);
    assert.deepEqual(detectWith(doubledFolder, start, wrong, at('/elsewhere', worked('git add web/app.ts'))), []);
    assert.deepEqual(detectWith(doubledFolder, start, wrong, at(cwd, worked('git status'))), []);
  });
});
