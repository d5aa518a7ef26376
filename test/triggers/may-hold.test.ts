import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toRecordedView } from '../../src/base/triggers/call-view.ts';
import { checkTriggers } from '../../src/base/triggers/check-triggers.ts';
import { mayHold, mayRunProgram } from '../../src/base/triggers/may-hold.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { toRuns } from '../to-runs.ts';

const PUSH: Triggers = { programs: [{ name: 'git', sub: ['push'], args: { any: ['--force', '-f'] } }] };

describe('whether triggers may hold for a command line', () => {
  it('is no if a required program or word is missing', () => {
    assert.equal(mayHold(PUSH, 'ls push --force'), false);
    assert.equal(mayHold(PUSH, 'git pull --force'), false);
    assert.equal(mayHold(PUSH, 'git push origin main'), false);
    assert.equal(mayHold({ programs: [{ name: 'git', args: { all: ['-a', '-b'] } }] }, 'git log -a'), false);
  });

  it('is yes if one of several programs may be meant, and if none is named', () => {
    assert.equal(mayHold({ programs: [{ name: 'gh' }, ...(PUSH.programs ?? [])] }, 'git push -f'), true);
    assert.equal(mayHold({ line: { match: ['x'] } }, 'ls'), true);
  });

  it('is yes if quotes and escapes may hide a word, and for a word that needs them', () => {
    for (const command of [
      'git pu"sh" --force',
      "git pus'h' -f",
      'git pu\\sh --force',
      'git pu\\\nsh -f',
      "git $'pu\\x73h' -f",
      'g"i"t push -f',
      'g\\\nit push -f',
      'gi`t push -f',
      'GIT push -f',
    ])
      assert.equal(mayHold(PUSH, command), true, command);
    assert.equal(mayHold({ programs: [{ name: 'git', sub: ['a b'] }] }, 'git a\\ b'), true);
  });

  it('is no if the name of the program occurs only inside other words', () => {
    assert.equal(mayRunProgram('ls category google_sheets', 'go'), false);
    assert.equal(mayRunProgram('grep -r "high"light src', 'gh'), false);
    assert.equal(mayRunProgram('', 'go'), false);
  });

  it('is yes wherever a shell may find the program', () => {
    for (const command of ['go test', '/usr/bin/go', 'cd x&&go vet', '"go" env', '\\go', "bash -c $'cd x\\ngo test'"])
      assert.equal(mayRunProgram(command, 'go'), true, command);
  });

  it('is yes for every command line that the triggers match, in any shell', () => {
    const pieces = ['git', 'push', '-f', '--force', 'gi', 't', 'pu', 'sh', 'GIT', '.exe', 'bash -c ', 'pwsh -c '];
    const marks = [
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
      '\\\n',
      '`',
      '`\n',
      '$',
      '{',
      '}',
      '/',
    ];
    const triggers: readonly Triggers[] = [
      PUSH,
      { programs: [{ name: 'git' }] },
      { programs: [{ name: 'git', args: { all: ['push', '-f'] } }] },
      { programs: [{ name: 'sh' }, { name: 'push', sub: ['git'] }] },
    ];
    const start = fc.constantFrom('', 'git ', 'git push -f');
    const part = fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(...marks));
    fc.assert(
      fc.property(
        start,
        fc.array(part, { maxLength: 12 }),
        fc.constantFrom('Bash', 'PowerShell', 'shell'),
        fc.constantFrom(...triggers),
        (begin, parts, rawTool, wanted) => {
          const command = begin + parts.join('');
          const view = toRecordedView({ tool: 'shell', rawTool, command });
          if (checkTriggers(wanted, {}, view, { callOnly: true }).holds) assert.ok(mayHold(wanted, command), command);
        },
      ),
      { numRuns: toRuns(20_000) },
    );
  });
});
