import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DELIVERY_MODES, type DeliveryMode } from '../../src/base/model/lesson.ts';
import { decideMode } from '../../src/match/modes.ts';

const ALL = DELIVERY_MODES;
const decide = (
  mode: DeliveryMode,
  maxMode: DeliveryMode,
  { modes = ALL, canRewrite = true }: { modes?: readonly DeliveryMode[]; canRewrite?: boolean } = {},
) => decideMode({ mode }, { maxMode, modes, canRewrite });

describe('how a lesson reaches a call', () => {
  it('is a note until the user allows more', () => {
    for (const mode of ALL) assert.equal(decide(mode, 'note'), 'note');
  });

  it('is as far as the lesson goes and the user allows', () => {
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

  it('is a pause where the correction is not certain, and a note where that is not allowed', () => {
    assert.equal(decide('rewrite', 'rewrite', { canRewrite: false }), 'pause');
    assert.equal(decide('rewrite', 'note', { canRewrite: false }), 'note');
  });

  it('is only what the agent can', () => {
    assert.equal(decide('rewrite', 'block', { modes: ['note', 'pause'] }), 'pause');
    assert.equal(decide('block', 'block', { modes: ['note'] }), 'note');
  });
});
