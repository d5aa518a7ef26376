import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { directoryRead } from '../../src/distill/propose/paths/directory-read.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makePast, makeWindow, other, type Step, worked } from './session-script.ts';

function unread(targetPath: string, output = `EISDIR: illegal operation on a directory, read '${targetPath}'`): Step {
  return { tool: 'read', rawTool: 'Read', targetPath, output, outcome: 'failure', cwd: '/repo' };
}

const wrong = unread('/repo/tasks/lint');

describe('directory-read', () => {
  it('learns that a name without an extension is a directory here', () => {
    const [finding] = detectFindings(makeWindow([wrong, worked('ls /repo/tasks/lint')]), [directoryRead]);
    assert.ok(finding);
    assert.match(finding.summary, /without an extension .*directories .*`ls`/);
    // The lesson is about all such paths of the project, not about this one.
    assert.doesNotMatch(finding.summary + finding.remediation, /tasks\/lint/);
    assert.equal(finding.caution, undefined);
    for (const path of ['/home/other/repo/tasks/lint', '/repo/src/auth', '/repo/packages/core-api'])
      assert.ok(speaks(finding, { tool: 'read', path }), path);
    assert.ok(!speaks(finding, { tool: 'write', path: '/repo/tasks/lint' }));
    assert.ok(!speaks(finding, 'ls tasks/lint'));
  });

  it('is silent of what may well be a file', () => {
    const [finding] = detectWith(directoryRead, wrong, worked('ls tasks/lint'));
    assert.ok(finding);
    for (const path of [
      '/repo/tasks/lint.md',
      '/repo/src/auth.d/x.conf',
      '/repo/Makefile',
      '/repo/LICENSE',
      '/repo/justfile',
      '/repo/web/gradlew',
      '/repo/bin/setup',
      '/repo/scripts/release',
      '/repo/.husky/pre-commit',
      '/repo/.git/hooks/pre-push',
      '/repo/.env',
      '/etc/hosts',
      '/tmp/out',
    ])
      assert.ok(!speaks(finding, { tool: 'read', path }), path);
  });

  it('speaks of the one path where its name has a dot, or where files have such names, too', () => {
    const [finding] = detectWith(directoryRead, unread('/repo/api.v2'), worked('ls api.v2'));
    assert.ok(finding);
    assert.ok(speaks(finding, { tool: 'read', path: '/home/other/repo/api.v2' }));
    for (const path of ['/repo/packages/x/api.v2', '/repo/api.v2/api.v2', '/other/api.v2', '/repo/auth'])
      assert.ok(!speaks(finding, { tool: 'read', path }), path);
    const below: Step = { ...unread('/repo/web/api.v2'), cwd: '/repo/web' };
    const [deeper] = detectWith(directoryRead, { ...worked('git status'), cwd: '/repo' }, below, worked('ls api.v2'));
    assert.deepEqual(deeper?.triggers.paths, ['**/repo/web/api.v2']);
    const [script] = detectWith(directoryRead, unread('/repo/ops/scripts/db'), worked('ls ops/scripts/db'));
    assert.deepEqual(script?.triggers.paths, ['**/ops/scripts/db']);
  });

  it('takes a listing, a search or the reading of a file in it for the fix', () => {
    const found = (step: Step): number => detectWith(directoryRead, wrong, step).length;
    assert.equal(found(worked('cat tasks/lint/go ./tasks/lint/md')), 1);
    assert.equal(found(other('read', '/repo/tasks/lint/go')), 1);
    assert.equal(found({ tool: 'glob', outcome: 'success', inputSummary: '{"pattern":"tasks/lint/*"}' }), 1);
    assert.equal(found({ tool: 'grep', outcome: 'success', inputSummary: '{"path":"/repo/tasks/lint"}' }), 1);
  });

  it('knows the words of other agents', () => {
    const said = unread('/repo/tasks/lint', 'Path is a directory, not a file: /repo/tasks/lint');
    assert.equal(detectWith(directoryRead, said, worked('ls tasks/lint')).length, 1);
  });

  it('passes the gate, unless files like it were read', () => {
    const [finding] = detectWith(directoryRead, wrong, worked('ls tasks/lint'));
    assert.ok(finding);
    const read = { tool: 'read', rawTool: 'Read', targetPath: '/repo/tasks/lint' } as const;
    const own = [
      makePast({ callId: 'call-0', ...read, outcome: 'failure' }),
      makePast({ callId: 'call-1', command: 'ls tasks/lint' }),
    ];
    assert.equal(gateFinding(finding, own, holdsInPast).verdict, 'active');
    assert.equal(gateFinding(finding, [...own, makePast({ callId: 'late', ...read })], holdsInPast).verdict, 'draft');
  });

  it('says nothing of places outside the project, or when nobody looked into it', () => {
    assert.deepEqual(detectWith(directoryRead, unread('/tmp/x/lint'), worked('ls /tmp/x/lint')), []);
    assert.deepEqual(detectWith(directoryRead, wrong, worked('git status')), []);
    assert.deepEqual(detectWith(directoryRead, wrong, worked('ls tasks/linters')), []);
    assert.deepEqual(detectWith(directoryRead, wrong, other('read', '/repo/tasks/lint.md')), []);
    assert.deepEqual(detectWith(directoryRead, wrong, failed('ls tasks/lint', 'Permission denied')), []);
    const late = [...Array.from({ length: 4 }, () => worked('git status')), worked('ls tasks/lint')];
    assert.deepEqual(detectWith(directoryRead, wrong, ...late), []);
  });

  it('says nothing of other failures, of files that speak of directories, of denied and cancelled calls', () => {
    const listed = worked('ls tasks/lint');
    assert.deepEqual(detectWith(directoryRead, unread('/repo/tasks/lint', 'File does not exist.'), listed), []);
    const text = unread('/repo/tasks/lint', 'File content exceeds maximum allowed tokens\n`tasks` is a directory');
    assert.deepEqual(detectWith(directoryRead, text, listed), []);
    assert.deepEqual(detectWith(directoryRead, { ...wrong, outcome: 'denied' }, listed), []);
    assert.deepEqual(detectWith(directoryRead, { ...wrong, outcome: 'cancelled' }, listed), []);
    assert.deepEqual(detectWith(directoryRead, { ...wrong, tool: 'grep' }, listed), []);
  });
});
