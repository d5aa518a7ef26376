import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DELIVERY_MODES, type DeliveryMode } from '../../src/base/model/lesson.ts';
import { decideMode } from '../../src/match/reply-to-call.ts';

const ALL = DELIVERY_MODES;
const decide = (
  mode: DeliveryMode,
  maxMode: DeliveryMode,
  { modes = ALL, canRewrite = true }: { modes?: readonly DeliveryMode[]; canRewrite?: boolean } = {},
) => decideMode({ mode }, { maxMode, modes, canRewrite });

describe('the delivery mode of a lesson', () => {
  it('is a note until the user allows more', () => {
    for (const mode of ALL) assert.equal(decide(mode, 'note'), 'note');
  });

  it('is as strong as the lesson is and the user allows', () => {
    const TABLE: readonly (readonly [DeliveryMode, DeliveryMode, DeliveryMode])[] = [
      ['note', 'block', 'note'],
      ['pause', 'pause', 'pause'],
      ['pause', 'block', 'pause'],
      ['rewrite', 'pause', 'pause'],
      ['rewrite', 'rewrite', 'rewrite'],
      ['block', 'block', 'block'],
      ['block', 'pause', 'pause'],
      ['block', 'rewrite', 'pause'],
    ];
    for (const [mode, maxMode, expected] of TABLE) assert.equal(decide(mode, maxMode), expected, `${mode} ${maxMode}`);
  });

  it('is a pause if the correction is not certain, and a note if a pause is not allowed', () => {
    assert.equal(decide('rewrite', 'rewrite', { canRewrite: false }), 'pause');
    assert.equal(decide('rewrite', 'note', { canRewrite: false }), 'note');
  });

  it('is one that the agent supports', () => {
    assert.equal(decide('rewrite', 'block', { modes: ['note', 'pause'] }), 'pause');
    assert.equal(decide('block', 'block', { modes: ['note'] }), 'note');
  });
});
