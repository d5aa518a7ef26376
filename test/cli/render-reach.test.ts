/** How `lessons show` and `lessons edit` say how far a lesson goes, and why not as far as its mode. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { renderReach } from '../../src/surfaces/cli/lessons/lesson-details.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const PROVEN = { confidence: 0.9, tested: { hits: 5, falseAlarms: 0 } };
const FOREIGN = { kind: 'import', by: 'test', trust: 'foreign' } as const;
const OBSERVED = { kind: 'episode', by: 'test', trust: 'observed' } as const;

const render = (fields: Partial<Lesson>): string =>
  renderReach(makeTestLesson({ slug: 'one', status: 'active', origin: OBSERVED, ...fields }), 'block');

describe('how far a lesson goes, in words', () => {
  it('names the one reason that keeps it from its mode, and the command that changes it', () => {
    assert.match(render({ mode: 'block', origin: FOREIGN }), /^note, .* approved it: oncebitten lessons approve one$/);
    assert.match(render({ mode: 'block' }), /^note, .*: oncebitten lessons edit one --mode block$/);
    assert.match(
      render({ mode: 'block', reviewedBy: 'user:ann' }),
      /^pause, .*: oncebitten lessons edit one --mode block$/,
    );
  });

  it('blames the status only of a lesson that is not active', () => {
    assert.match(render({ mode: 'pause', status: 'draft' }), /^note, .*status is draft$/);
    for (const origin of [FOREIGN, OBSERVED]) assert.doesNotMatch(render({ mode: 'block', origin }), /active|status/);
  });

  it('says that past calls prove a lesson that goes further than its mode', () => {
    assert.match(render({ mode: 'note', ...PROVEN }), /^pause, because past calls prove it.*edit one --mode note$/);
    const replacement = { program: 'gh', from: '--stat', to: '--name-only' };
    assert.match(render({ mode: 'pause', replacement, ...PROVEN }), /^rewrite, because past calls prove it/);
  });
});
