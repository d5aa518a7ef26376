import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import { inferType } from '../../src/distill/lessons/infer-type.ts';

function infer(fields: Partial<Finding>): string {
  const calls = { failingCallId: 'a', fixingCallId: 'b' };
  const words = { summary: 's', remediation: 'r', tags: [], signals: ['error-fix-success'] as const };
  return inferType({ kind: 'corrected-command', ...calls, ...words, ...fields });
}

describe('the type of a lesson', () => {
  it('is a warning for a corrected command', () => assert.equal(infer({}), 'warning'));

  it('is a requirement for what a user said', () => {
    assert.equal(infer({ kind: 'refused-by-user' }), 'requirement');
    assert.equal(infer({ signals: ['user-corrected'] }), 'requirement');
  });

  it('is a checklist for what has to run first, a requirement for what has to be set', () => {
    const kind = 'missing-precondition';
    assert.equal(infer({ kind, tags: ['topic:precondition'], remediation: 'npm ci && npm test' }), 'checklist');
    assert.equal(infer({ kind, tags: ['topic:environment'], remediation: 'GOCACHE=/c go list' }), 'requirement');
  });

  it('follows the words of a report', () => {
    const report = { kind: 'self-reported', signals: ['self-reported'] } as const;
    assert.equal(infer({ ...report, remediation: '1. build 2. test' }), 'checklist');
    assert.equal(infer({ ...report, remediation: 'first build, then test' }), 'checklist');
    assert.equal(infer({ ...report, remediation: 'the best practice is to pin it' }), 'pattern');
    assert.equal(infer({ ...report, remediation: 'pin it' }), 'warning');
    assert.equal(infer({ ...report, signals: ['stated-lesson'], remediation: 'always pin it' }), 'requirement');
  });

  it('is a pattern where nothing failed', () => {
    assert.equal(infer({ signals: [], fixingCallId: 'a' }), 'pattern');
  });

  it('is a warning where something failed again and again and nothing mended it', () => {
    assert.equal(infer({ kind: 'wrong-path', signals: ['retry-loop'], fixingCallId: 'a' }), 'warning');
  });

  it('is what the finding says, or what its body is of', () => {
    assert.equal(infer({ type: 'pattern', kind: 'refused-by-user' }), 'pattern');
    assert.equal(infer({ body: { title: 't', items: ['a'] } }), 'checklist');
    assert.equal(infer({ body: { constraint: 'c' } }), 'requirement');
    assert.equal(infer({ body: { situation: 's', action: 'a' } }), 'pattern');
    assert.equal(infer({ body: { risk: 'r' } }), 'warning');
  });
});
