/** What is true in one session only: what helped against it in an earlier session is known at once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { knowCure, toMergeKey } from '../../src/distill/lessons/hash-lesson.ts';
import { makeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { detectWith } from './detect-pairs.ts';
import { brokenSearch } from './own-detectors.ts';
import { type Step, worked } from './session-script.ts';

describe('a finding about one session', () => {
  const broken: Step = { tool: 'grep', rawTool: 'Grep', outcome: 'failure', output: 'spawn rg ENOENT' };
  const [untold] = detectWith(brokenSearch, broken);
  const [proven] = detectWith(brokenSearch, broken, worked('grep -rn foo src'));
  assert.ok(untold && proven);
  const NOW = '2026-01-01T10:00:00.000Z';

  it('becomes a lesson of that session, and of no other', () => {
    const lesson = makeLesson(proven, { verdict: 'active' }, NOW);
    assert.deepEqual(lesson.scope, { kind: 'session', id: 'session-1' });
    assert.equal(toMergeKey(lesson, 'session-1'), toMergeKey(proven, 'prj_1'), 'the same session knows it again');
    assert.notEqual(toMergeKey(lesson, 'session-1'), toMergeKey({ ...proven, sessionId: 'session-2' }, 'prj_1'));
  });

  it('is no lesson until something has helped, here or in an earlier session', () => {
    assert.equal(gateFinding(untold, [], () => true).verdict, 'dropped');
    assert.equal(gateFinding(proven, [], () => true).verdict, 'active');
    const earlier = makeLesson({ ...proven, sessionId: 'session-0' }, { verdict: 'active' }, NOW);
    const known = knowCure(untold, [earlier]);
    assert.equal(gateFinding(known, [], () => true).verdict, 'active');
    assert.ok(makeLesson(known, { verdict: 'active' }, '2026-01-02T10:00:00.000Z').confidence >= 0.5);
    assert.equal(known.remediation, untold.remediation, "another project's command is not copied");
  });

  it('takes no cure from a lesson that a person put aside, or from one about something else', () => {
    const earlier = makeLesson(proven, { verdict: 'active' }, NOW);
    const over: Lesson = { ...earlier, archival: { cause: 'over', reason: 'it ended', from: 'active' } };
    const rejected: Lesson = { ...earlier, archival: { cause: 'rejected', reason: 'wrong', from: 'active' } };
    const other: Lesson = { ...earlier, triggers: { tools: ['read'] } };
    assert.ok(knowCure(untold, [over]).signals.includes('error-fix-success'));
    assert.equal(knowCure(untold, [rejected, other]), untold);
  });
});
