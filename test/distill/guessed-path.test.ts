/** A path that was guessed wrong: a lesson only where the same was guessed before. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gateFinding, type PastCall } from '../../src/distill/gate/gate-finding.ts';
import { guessedPath } from '../../src/distill/propose/paths/guessed-path.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makePast, worked } from './session-script.ts';

const WRONG = 'pytest tests/unit -q';
const RIGHT = 'pytest tests/api -q';
const SAID = 'ERROR: file or directory not found: tests/unit\n\nno tests ran in 0.01s';
const SESSION = [failed(WRONG, SAID, 4), worked('ls tests', 'api\nconftest.py'), worked(RIGHT, '12 passed')];

describe('guessed-path', () => {
  it('sees the same command with another path', () => {
    const [finding] = detectWith(guessedPath, ...SESSION);
    assert.equal(finding?.summary, '`pytest` finds no `tests/unit` here: `tests/api` is there');
    assert.equal(finding?.remediation, 'Replace `tests/unit` with `tests/api`');
  });

  it('speaks at that path, however it is written, and at no other', () => {
    const [finding] = detectWith(guessedPath, ...SESSION);
    assert.ok(finding);
    for (const command of [WRONG, 'pytest ./tests/unit', 'pytest -x "tests/unit/"', 'pytest tests/api tests/unit'])
      assert.ok(speaks(finding, command), command);
    for (const command of [RIGHT, 'pytest', 'pytest tests/units', 'ls tests/unit', 'cd web && pytest tests/unit'])
      assert.ok(!speaks(finding, command), command);
  });

  it('knows how other programs say it', () => {
    for (const [wrong, said, right] of [
      ['go test ./pkg/store', 'stat /repo/pkg/store: directory not found', 'go test ./internal/store'],
      ['ruff check lib/app', 'lib/app:1:1: E902 No such file or directory (os error 2)', 'ruff check src/app'],
      ['python tools/seed.py', "python: can't open file '/repo/tools/seed.py': [Errno 2]", 'python scripts/seed.py'],
    ] as const)
      assert.equal(detectWith(guessedPath, failed(wrong, said), worked(right)).length, 1, wrong);
  });

  it('says nothing where more than the path changed, where it was made, or where nothing worked', () => {
    for (const session of [
      [failed(WRONG, SAID), worked('pytest tests/api -x --lf')],
      [failed(WRONG, SAID), worked('mkdir tests/unit'), worked(RIGHT)],
      [failed(WRONG, SAID), failed(RIGHT, 'ERROR: file or directory not found: tests/api')],
      [failed(WRONG, 'E   assert 1 == 2\n1 failed'), worked(RIGHT)],
      [failed('cd web && pytest tests/unit', SAID), worked('cd web && pytest tests/api')],
      [failed('cat docs/plan.md', 'cat: docs/plan.md: No such file or directory'), worked('cat docs/PLAN.md')],
    ])
      assert.deepEqual(detectWith(guessedPath, ...session), []);
  });

  it('is no lesson the first time, and one the second', () => {
    const [finding] = detectWith(guessedPath, ...SESSION);
    assert.ok(finding);
    const signatureId = finding.signature.id;
    const own: readonly PastCall[] = [
      makePast({ callId: finding.failingCallId, command: WRONG, outcome: 'failure', signatureId }),
      makePast({ callId: finding.fixingCallId, command: RIGHT }),
    ];
    const before = makePast({ callId: 'earlier', command: WRONG, outcome: 'failure', signatureId });
    assert.equal(gateFinding(finding, own, holdsInPast).verdict, 'dropped');
    assert.equal(gateFinding(finding, [before, ...own], holdsInPast).verdict, 'active');
    const found = makePast({ callId: 'there', command: WRONG });
    assert.notEqual(gateFinding(finding, [found, found, before, ...own], holdsInPast).verdict, 'active');
  });
});
