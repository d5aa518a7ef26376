import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { toMergeKey } from '../../src/distill/lessons/hash-lesson.ts';
import { knowCure } from '../../src/distill/lessons/know-cure.ts';
import { makeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { brokenTool } from '../../src/distill/propose/agent-tools/broken-tool.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { type Step, worked } from './session-script.ts';

describe('broken-tool', () => {
  const output = "ENOENT: no such file or directory, posix_spawn '/opt/agent/2.1/bin'";
  const broken: Step = { tool: 'grep', rawTool: 'Grep', outcome: 'failure', output };

  it('learns for this session that the shell has to search', () => {
    const [finding] = detectWith(brokenTool, broken, worked('grep -rn foo src'));
    assert.ok(finding);
    assert.equal(finding.scope, 'session');
    assert.ok(speaks(finding, { tool: 'grep' }));
    assert.ok(speaks(finding, { tool: 'glob' }), 'it runs the same program');
    assert.ok(!speaks(finding, 'grep -rn foo src'));
    const lesson = makeLesson(finding, { verdict: 'active' }, '2026-01-01T10:00:00.000Z');
    assert.deepEqual(lesson.scope, { kind: 'session', id: 'session-1' });
    assert.equal(toMergeKey(lesson, 'session-1'), toMergeKey(finding, 'prj_1'), 'the same session knows it again');
    const elsewhere = { ...finding, sessionId: 'session-2' };
    assert.notEqual(toMergeKey(lesson, 'session-1'), toMergeKey(elsewhere, 'prj_1'));
  });

  it('is about the tool alone where no program is named that others run too', () => {
    const alone: Step = { ...broken, output: 'spawn rg ENOENT' };
    const [finding] = detectWith(brokenTool, alone, worked('grep -rn foo src'));
    assert.ok(finding);
    assert.ok(speaks(finding, { tool: 'grep' }));
    assert.ok(!speaks(finding, { tool: 'glob' }));
  });

  it('ends when either of the two comes back', () => {
    const back: Step = { tool: 'glob', outcome: 'success' };
    assert.deepEqual(detectWith(brokenTool, broken, worked('grep -rn foo .'), back), []);
  });

  it('is told before anything helped, and is no lesson until something has, here or in an earlier session', () => {
    const [untold] = detectWith(brokenTool, broken);
    const [proven] = detectWith(brokenTool, broken, worked('grep -rn foo src'));
    assert.ok(untold && proven);
    assert.equal(gateFinding(untold, [], () => true).verdict, 'dropped');
    assert.equal(gateFinding(proven, [], () => true).verdict, 'active');
    const earlier = makeLesson(
      { ...proven, sessionId: 'session-0' },
      { verdict: 'active' },
      '2026-01-01T10:00:00.000Z',
    );
    const known = knowCure(untold, [earlier]);
    assert.equal(gateFinding(known, [], () => true).verdict, 'active');
    assert.ok(makeLesson(known, { verdict: 'active' }, '2026-01-02T10:00:00.000Z').confidence >= 0.5);
    assert.equal(known.remediation, untold.remediation, "another project's command is not copied");
  });

  it('takes no cure from a lesson that a person put aside, or from one about something else', () => {
    const [untold] = detectWith(brokenTool, broken);
    const [proven] = detectWith(brokenTool, broken, worked('grep -rn foo src'));
    assert.ok(untold && proven);
    const earlier = makeLesson(proven, { verdict: 'active' }, '2026-01-01T10:00:00.000Z');
    const over: Lesson = { ...earlier, archival: { cause: 'over', reason: 'it ended', from: 'active' } };
    const rejected: Lesson = { ...earlier, archival: { cause: 'rejected', reason: 'wrong', from: 'active' } };
    const other: Lesson = { ...earlier, triggers: { tools: ['read'] } };
    assert.ok(knowCure(untold, [over]).signals.includes('error-fix-success'));
    assert.equal(knowCure(untold, [rejected, other]), untold);
  });

  it('says nothing of a search that found no path, or a tool that came back', () => {
    const missing: Step = { ...broken, output: 'Path does not exist: src' };
    assert.deepEqual(detectWith(brokenTool, missing, worked('grep -rn foo .')), []);
    const back: Step = { tool: 'grep', outcome: 'success' };
    assert.deepEqual(detectWith(brokenTool, broken, worked('grep -rn foo .'), back), []);
  });
});
