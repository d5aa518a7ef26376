import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideAliases, LINK_PROOFS, type ProjectLink } from '../../src/base/model/project.ts';

const link = (fromId: string, intoId: string, more: Partial<ProjectLink> = {}): ProjectLink => ({
  ...{ fromId, intoId, proof: 'remote', at: '2026-01-01' },
  ...more,
});
const endsOf = (...links: readonly ProjectLink[]) =>
  Object.fromEntries(decideAliases(links).map(({ fromId, intoId }) => [fromId, intoId]));

describe('the aliases that follow from links', () => {
  it('lead to the final id in one step', () => {
    assert.deepEqual(endsOf(link('a', 'b'), link('b', 'c')), { a: 'c', b: 'c' });
  });

  it('do not exist for an id whose links lead to two projects', () => {
    assert.deepEqual(endsOf(link('workspace', 'shop'), link('workspace', 'desk')), {});
  });

  it('exist once the two projects are one', () => {
    assert.deepEqual(endsOf(link('a', 'x'), link('a', 'y'), link('y', 'x')), { a: 'x', y: 'x' });
  });

  it('follow a person where proofs disagree, and ignore links that a person refused', () => {
    assert.deepEqual(endsOf(link('a', 'x'), link('a', 'y', { proof: 'person' })), { a: 'y' });
    assert.deepEqual(endsOf(link('a', 'x', { isRefused: true }), link('a', 'y')), { a: 'y' });
  });

  it('never form a cycle, whatever the links and their order', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const some = fc.array(
      fc.record({ fromId: id, intoId: id, proof: fc.constantFrom(...LINK_PROOFS), at: fc.constant('t') }),
    );
    fc.assert(
      fc.property(some, (links) => {
        const aliases = decideAliases(links);
        const from = new Set(aliases.map(({ fromId }) => fromId));
        return aliases.every(({ fromId, intoId }) => fromId !== intoId && !from.has(intoId));
      }),
    );
  });
});
