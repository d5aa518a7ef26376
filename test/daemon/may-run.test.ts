import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseCommand } from '../../src/base/shell/parse-command.ts';
import { mayRun } from '../../src/loop/learning/past-calls.ts';

describe('whether a command may run a program', () => {
  it('is denied where the name stands inside other words only', () => {
    assert.equal(mayRun('ls category google_sheets', 'go'), false);
    assert.equal(mayRun('grep -r highlight src', 'gh'), false);
    assert.equal(mayRun('', 'go'), false);
  });

  it('is granted wherever the shell may see it as one', () => {
    for (const command of ['go test', '/usr/bin/go', 'cd x&&go vet', '"go" env', '\\go', "bash -c $'cd x\\ngo test'"])
      assert.equal(mayRun(command, 'go'), true, command);
  });

  it('is granted for every program that the parser finds and the text names', () => {
    const pieces = [
      'go',
      'gh',
      'test',
      ' ',
      ' ',
      ';',
      '&&',
      '|',
      '$(',
      ')',
      '"',
      "'",
      '/',
      '=',
      '\n',
      '\\',
      '`',
      '-',
      '.',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const command = parts.join('');
        for (const { program } of parseCommand(command))
          if (program === 'go' || program === 'gh')
            assert.ok(!command.includes(program) || mayRun(command, program), command);
      }),
      { numRuns: 3_000 },
    );
  });
});
