import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCommand } from '../../src/base/shell/parse-command.ts';
import { checkTriggers } from '../../src/base/triggers/check-triggers.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { mayMean } from '../../src/loop/learning/past-calls.ts';

const PUSH: Triggers = { programs: [{ name: 'git', sub: ['push'], args: { any: ['--force', '-f'] } }] };

describe('whether triggers may mean a command', () => {
  it('is denied where a program or a word that they ask for is not in it', () => {
    assert.equal(mayMean(PUSH, 'ls push --force'), false);
    assert.equal(mayMean(PUSH, 'git pull --force'), false);
    assert.equal(mayMean(PUSH, 'git push origin main'), false);
    assert.equal(mayMean({ programs: [{ name: 'git', args: { all: ['-a', '-b'] } }] }, 'git log -a'), false);
  });

  it('is granted where one of several programs may be meant, and where none is named', () => {
    assert.equal(mayMean({ programs: [{ name: 'gh' }, ...(PUSH.programs ?? [])] }, 'git push -f'), true);
    assert.equal(mayMean({ line: { match: ['x'] } }, 'ls'), true);
  });

  it('is granted where quotes and escapes may hide a word, and for a word that needs them', () => {
    for (const command of [
      'git pu"sh" --force',
      "git pus'h' -f",
      'git pu\\sh --force',
      'git pu\\\nsh -f',
      "git $'pu\\x73h' -f",
    ])
      assert.equal(mayMean(PUSH, command), true, command);
    assert.equal(mayMean({ programs: [{ name: 'git', sub: ['a b'] }] }, 'git a\\ b'), true);
  });

  it('is granted for every command at which they hold', () => {
    const pieces = [
      'git',
      'push',
      '-f',
      '--force',
      ' ',
      ' ',
      ' ',
      ';',
      '&&',
      '|',
      '$(',
      ')',
      '"',
      "'",
      '=',
      '\n',
      '\\',
      '`',
      '$',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => {
        const command = `git ${parts.join('')}`;
        const call = {
          tool: 'shell' as const,
          commands: parseCommand(command),
          line: command,
          projectId: '',
          sessionId: '',
        };
        if (checkTriggers(PUSH, {}, call, { callOnly: true }).holds) assert.ok(mayMean(PUSH, command), command);
      }),
      { numRuns: 5_000 },
    );
  });
});
