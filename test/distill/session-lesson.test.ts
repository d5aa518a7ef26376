/** What is true in one session only. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { toMergeKey } from '../../src/distill/lessons/hash-lesson.ts';
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

  it('is no lesson until something has helped, in that session', () => {
    assert.equal(gateFinding(untold, [], () => true).verdict, 'dropped');
    assert.equal(gateFinding(proven, [], () => true).verdict, 'active');
  });
});
