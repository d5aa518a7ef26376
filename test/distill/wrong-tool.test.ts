import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brokenTool } from '../../src/distill/detectors/broken-tool.ts';
import { outsideSandbox } from '../../src/distill/detectors/outside-sandbox.ts';
import { toMergeKey } from '../../src/distill/hash-lesson.ts';
import { makeLesson } from '../../src/distill/make-lesson.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, type Step, worked } from './session-script.ts';

describe('broken-tool', () => {
  const output = "ENOENT: no such file or directory, posix_spawn '/opt/agent/2.1/bin'";
  const broken: Step = { tool: 'grep', rawTool: 'Grep', outcome: 'failure', output };

  it('learns for this session that the shell has to search', () => {
    const [finding] = detectWith(brokenTool, broken, worked('grep -rn foo src'));
    assert.ok(finding);
    assert.equal(finding.scope, 'session');
    assert.ok(speaks(finding, { tool: 'glob' }));
    assert.ok(!speaks(finding, 'grep -rn foo src'));
    const lesson = makeLesson(finding, { verdict: 'active' }, '2026-01-01T10:00:00.000Z');
    assert.deepEqual(lesson.scope, { kind: 'session', id: 'session-1' });
    assert.equal(toMergeKey(lesson, 'session-1'), toMergeKey(finding, 'prj_1'), 'the same session knows it again');
    const elsewhere = { ...finding, sessionId: 'session-2' };
    assert.notEqual(toMergeKey(lesson, 'session-1'), toMergeKey(elsewhere, 'prj_1'));
  });

  it('says nothing of a search that found no path, or a tool that came back', () => {
    const missing: Step = { ...broken, output: 'Path does not exist: src' };
    assert.deepEqual(detectWith(brokenTool, missing, worked('grep -rn foo .')), []);
    const back: Step = { tool: 'grep', outcome: 'success' };
    assert.deepEqual(detectWith(brokenTool, broken, worked('grep -rn foo .'), back), []);
  });
});

describe('outside-sandbox', () => {
  const said =
    "fatal: cannot lock ref 'refs/heads/x': Unable to create '.git/refs/heads/x.lock': Operation not permitted";
  const inside: Step = { ...failed('git checkout -b x', said, 128), inputHash: 'a' };

  it('learns to ask at once where only the way of calling changed', () => {
    const [finding] = detectWith(outsideSandbox, inside, { ...worked('git checkout -b x'), inputHash: 'b' });
    assert.ok(finding);
    assert.match(finding.summary, /^`git checkout` is blocked by the sandbox here/);
    const command = 'git checkout -b y';
    assert.ok(speaks(finding, { command, json: '{"cmd":"git checkout -b y"}' }));
    assert.ok(!speaks(finding, { command, json: '{"cmd":"x","sandbox_permissions":"require_escalated"}' }));
  });

  it('says nothing of a plain second try, or of a key that the server refused', () => {
    assert.deepEqual(detectWith(outsideSandbox, inside, { ...worked('git checkout -b x'), inputHash: 'a' }), []);
    const key: Step = { ...failed('git push', 'Permission denied (publickey).'), inputHash: 'a' };
    assert.deepEqual(detectWith(outsideSandbox, key, { ...worked('git push'), inputHash: 'b' }), []);
  });
});
