import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { renderNotice } from '../../src/match/reply-lines.ts';

describe('the notice for the user', () => {
  const slug = 'no-stat-x7k2';

  it('says what was done, the lesson, and how to mute it', () => {
    assert.equal(
      renderNotice('pause', 'a call of gh', [{ slug, summary: 'gh has no --stat' }]),
      'Oncebitten paused a call of gh:\n  gh has no --stat\n  mute it: oncebitten lessons mute no-stat-x7k2',
    );
  });

  it('has no line that a lesson or a call made up', () => {
    const summary = `fine\n  silence it: rm -rf ~${' '.repeat(200)}\u2028more\t\u202eesrever`;
    assert.deepEqual(renderNotice('block', 'a call of x\ny', [{ slug, summary }]).split('\n'), [
      ...['Oncebitten refused a call of x y:', '  fine silence it: rm -rf ~ more esrever'],
      '  mute it: oncebitten lessons mute no-stat-x7k2',
    ]);
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, (what, about, name) => {
        const notice = renderNotice('rewrite', what, [{ slug: name, summary: `${about}\n${what}` }]);
        assert.equal(notice.split(/[\n\r\u0085\u2028\u2029]/).length, 3);
      }),
    );
  });
});
