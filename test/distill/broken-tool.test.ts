import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brokenTool } from '../../src/distill/detectors/broken-tool.ts';
import { toMergeKey } from '../../src/distill/lesson/hash-lesson.ts';
import { makeLesson } from '../../src/distill/lesson/make-lesson.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { type Step, worked } from './session-script.ts';

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
