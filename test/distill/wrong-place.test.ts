import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wrongDirectory } from '../../src/distill/propose/paths/wrong-directory.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, type Step, worked } from './session-script.ts';

const inside = (cwd: string, step: Step): Step => ({ ...step, cwd });

describe('wrong-directory', () => {
  const cwd = '/repo/pkg/api';
  const again = failed('cd pkg/api && go test -run TestX', '(eval):cd:1: no such file or directory: pkg/api');

  it('learns that the shell is already there', () => {
    const [finding] = detectWith(
      wrongDirectory,
      inside(cwd, again),
      worked('pwd'),
      inside(cwd, worked('go test -run TestX')),
    );
    assert.ok(finding);
    assert.match(finding.summary, /`cd` still applies/);
    assert.ok(speaks(finding, { command: 'cd pkg/api && ls', cwd }));
    assert.ok(speaks(finding, { command: 'cd web/src', cwd: '/other/web/src' }), 'the mistake is the same anywhere');
    assert.ok(!speaks(finding, { command: 'cd pkg/api', cwd: '/repo' }));
    assert.ok(!speaks(finding, { command: 'cd /repo/pkg/api', cwd }));
    assert.ok(!speaks(finding, { command: 'go test', cwd }));
    assert.ok(!speaks(finding, 'cd pkg/api'), 'where the call is made must be known');
  });

  it('learns it of a path below the place, too', () => {
    const wrong = failed('go test ./pkg/api/users', 'stat /repo/pkg/api/pkg/api/users: directory not found');
    const [finding] = detectWith(wrongDirectory, inside(cwd, wrong), inside(cwd, worked('go test ./users')));
    assert.ok(finding);
    assert.ok(speaks(finding, { command: 'go test -v ./pkg/api/...', cwd }));
    assert.ok(!speaks(finding, { command: 'cd /repo && go test ./pkg/api/users', cwd }), 'it moves first');
    assert.ok(!speaks(finding, { command: 'go test ./users', cwd }));
  });

  it('takes the same path for the remedy when the line went up first', () => {
    const wrong = failed('git add pkg/api/a.go', "fatal: pathspec 'pkg/api/a.go' did not match any files");
    const up = inside(cwd, worked('cd /repo && git add pkg/api/a.go'));
    const [finding] = detectWith(wrongDirectory, inside(cwd, wrong), up);
    assert.ok(finding);
    assert.ok(speaks(finding, { command: 'git add pkg/api/b.go', cwd }));
    assert.ok(!speaks(finding, { command: 'cd /repo && git add pkg/api/b.go', cwd }));
    assert.ok(!speaks(finding, { command: 'git add pkg/api/b.go', cwd: '/repo' }));
    const stays = inside(cwd, worked('cd . && git add pkg/api/a.go'));
    assert.deepEqual(detectWith(wrongDirectory, inside(cwd, wrong), stays), [], 'it went nowhere');
  });

  it('takes nothing for the remedy but what was wanted: another command of the same program mends nothing', () => {
    const wrong = failed('cd pkg/api && git log -3', '(eval):cd:1: no such file or directory: pkg/api');
    for (const later of ['git push origin fix', 'git log --stat main', 'ls'])
      assert.deepEqual(detectWith(wrongDirectory, inside(cwd, wrong), inside(cwd, worked(later))), [], later);
    const [finding] = detectWith(wrongDirectory, inside(cwd, wrong), inside(cwd, worked('git log -3')));
    assert.match(finding?.evidence.excerpt ?? '', /fixed by: git log -3$/);
    const path = failed('go test ./pkg/api/users', 'stat /repo/pkg/api/pkg/api/users: directory not found');
    assert.deepEqual(detectWith(wrongDirectory, inside(cwd, path), inside(cwd, worked('go version'))), []);
  });

  it('says nothing of a directory that is nowhere', () => {
    const wrong = failed('cd build && make', 'bash: cd: build: No such file or directory');
    assert.deepEqual(detectWith(wrongDirectory, inside('/repo', wrong), inside('/repo', worked('make'))), []);
  });

  it('says nothing where the error is about something else', () => {
    const wrong = failed('cd pkg/api && go test', '--- FAIL: TestX (0.00s)');
    assert.deepEqual(detectWith(wrongDirectory, inside(cwd, wrong), inside(cwd, worked('go test'))), []);
  });
});
