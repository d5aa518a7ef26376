import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { decideProvenMode } from '../../src/keep/manifest/compile-manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const REPLACEMENT = { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' };
const PROVEN = { confidence: 0.85, tested: { hits: 4, falseAlarms: 1 } };
const reach = (fields: Partial<Lesson>) => decideProvenMode(makeTestLesson(fields));

describe('the strongest mode that the evidence allows', () => {
  it('is a note as long as nothing proves the lesson', () => {
    assert.equal(reach({}), 'note');
    assert.equal(reach({ ...PROVEN, confidence: 0.79 }), 'note');
    assert.equal(reach({ confidence: 0.95 }), 'note');
    assert.equal(reach({ ...PROVEN, tested: { hits: 2, falseAlarms: 0 } }), 'note');
    assert.equal(reach({ ...PROVEN, tested: { hits: 3, falseAlarms: 1 } }), 'note');
    assert.equal(reach({ ...PROVEN, replacement: REPLACEMENT, tested: { hits: 0, falseAlarms: 0 } }), 'note');
  });

  it('is a pause once it is trusted and was right on past calls, and a rewrite if calls have shown the word', () => {
    assert.equal(reach(PROVEN), 'pause');
    assert.equal(reach({ ...PROVEN, tested: { hits: 3, falseAlarms: 0 } }), 'pause');
    assert.equal(reach({ ...PROVEN, replacement: REPLACEMENT }), 'rewrite');
  });

  it('is the mode that a person set, also if it is weaker than the proof allows', () => {
    const by = { modeBy: 'user:me', reviewedBy: 'user:me' };
    assert.equal(reach({ ...by, mode: 'pause' }), 'pause');
    assert.equal(reach({ ...by, mode: 'block' }), 'block');
    assert.equal(reach({ ...by, mode: 'note', ...PROVEN }), 'note');
    assert.equal(reach({ ...by, mode: 'rewrite', replacement: REPLACEMENT }), 'rewrite');
    assert.equal(reach({ ...by, mode: 'rewrite' }), 'pause');
  });

  it('is never stronger than proven if no person set the mode', () => {
    assert.equal(reach({ mode: 'block' }), 'note');
    assert.equal(reach({ mode: 'block', ...PROVEN }), 'pause');
    assert.equal(reach({ mode: 'pause' }), 'note');
  });

  it('is a pause if it was raised because agents ignored it, and a rewrite only if that is proven', () => {
    const raised = { mode: 'pause', measure: { raised: 'nobody tried what it says in 3 of 3' } } as const;
    assert.equal(reach(raised), 'pause');
    assert.equal(reach({ ...raised, replacement: REPLACEMENT }), 'pause');
    assert.equal(reach({ ...raised, ...PROVEN, replacement: REPLACEMENT }), 'rewrite');
    assert.equal(reach({ ...raised, mode: 'note', modeBy: 'user:me' }), 'note');
    assert.equal(reach({ ...raised, origin: { kind: 'import', by: 'x', trust: 'foreign' } }), 'note');
  });

  it('is a note for lessons from outside and for drafts, whatever they claim', () => {
    const origin = { kind: 'import', by: 'repository', trust: 'foreign' } as const;
    assert.equal(reach({ origin, mode: 'block', ...PROVEN, replacement: REPLACEMENT }), 'note');
    assert.equal(reach({ origin, mode: 'block', modeBy: 'user:them' }), 'note');
    assert.equal(reach({ ...PROVEN, status: 'draft' }), 'note');
  });

  it('is a pause for a block that was only approved: to block, a person must ask for it', () => {
    const origin = { kind: 'import', by: 'repository', trust: 'foreign' } as const;
    const approved = { origin, mode: 'block', reviewedBy: 'user:me' } as const;
    assert.equal(reach(approved), 'pause');
    assert.equal(reach({ ...approved, modeBy: 'user:me' }), 'block');
  });
});
