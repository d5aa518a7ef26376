import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isSameChecklist } from '../../src/distill/lessons/same-checklist.ts';

const list = (...items: readonly string[]) => ({ title: '', items });
const BUMP = list('Update `plugin.json`', 'Update CHANGELOG.md', 'Run `npm run generate`', 'Tag the commit');

describe('two checklists', () => {
  it('are the same in another order, with other small words and one more item', () => {
    const again = list(
      'Tag the commit',
      'Run `npm run generate` then',
      'Change plugin.json',
      'Update the CHANGELOG.md.',
    );
    assert.ok(isSameChecklist(BUMP, again));
    assert.ok(isSameChecklist(BUMP, list(...again.items, 'Push')));
  });

  it('differ if too few items have a partner', () => {
    assert.ok(!isSameChecklist(BUMP, list('Update `plugin.json`', 'Tell support', 'Wait', 'Tag the commit')));
    assert.ok(!isSameChecklist(BUMP, list('Update `plugin.json`')));
    assert.ok(!isSameChecklist(list('Update `a.json`'), list('Update `b.json`')));
    assert.ok(!isSameChecklist(list(), list()));
    assert.ok(!isSameChecklist(BUMP, { constraint: 'Update plugin.json' }));
  });

  it('are compared the same from either side, and each equals itself', () => {
    const some = fc.array(fc.constantFrom('update a', 'run b', 'tell c now', 'tag', 'run b twice'), { maxLength: 6 });
    fc.assert(
      fc.property(some, some, (a, b) => {
        if (a.length > 0) assert.ok(isSameChecklist(list(...a), list(...a)));
        if (a.length !== b.length)
          assert.equal(isSameChecklist(list(...a), list(...b)), isSameChecklist(list(...b), list(...a)));
      }),
    );
  });
});
