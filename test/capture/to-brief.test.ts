import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UnresolvedFailure } from '../../src/base/contracts/store.ts';
import { toBrief } from '../../src/capture/brief.ts';

const AT = '2026-01-02T03:04:05.000Z';

const hook = (id: string, command: string, text = 'command not found'): UnresolvedFailure => ({
  id,
  command: JSON.stringify({ hook: 'Stop', command }),
  hook: 'Stop',
  output: text,
  signatureId: 'sig1_x',
  at: AT,
});

describe('a brief', () => {
  it('has one entry for each hook, with the command that the agent recorded', () => {
    const { failures } = toBrief(
      { failures: [hook('a', 'say "hi"'), hook('b', 'my-linter'), hook('c', 'say "hi"')] },
      AT,
    );
    assert.deepEqual(
      failures.map(({ ids, command, hook: name }) => ({ ids, command, name })),
      [
        { ids: ['a', 'c'], command: 'say "hi"', name: 'Stop' },
        { ids: ['b'], command: 'my-linter', name: 'Stop' },
      ],
    );
  });

  it("has as much of a command as was recorded, and the hook's name if there is none", () => {
    const cut = { ...hook('a', 'x'), command: '{"hook":"Stop","command":"lint --very-lo' };
    assert.equal(toBrief({ failures: [cut] }, AT).failures[0]?.command, 'lint --very-lo');
    assert.equal(toBrief({ failures: [{ ...cut, command: '{"hook":"Stop"}' }] }, AT).failures[0]?.command, 'Stop');
  });
});
