import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { gateFinding, type PastCall } from '../../src/distill/gate/gate-finding.ts';
import { rejectedWord } from '../../src/distill/propose/rejected-words/rejected-word.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makePast, makeWindow, type Step, worked } from './session-script.ts';

const wrong = failed('acme find "billing" --no-pager', 'Usage:\n  acme find <text>\n\nError: unknown flag: --no-pager');

function toPast(finding: Finding, ...more: readonly Partial<PastCall>[]): readonly PastCall[] {
  const own = {
    command: 'acme find "billing" --no-pager',
    outcome: 'failure',
    signatureId: finding.signature.id,
  } as const;
  const others = more.map((one, i) => makePast({ callId: `past-${i}`, ...own, ...one }));
  return [makePast({ callId: 'call-0', ...own }), ...others];
}

describe('rejected-word', () => {
  it('sees what a program refuses, though nothing mended it', () => {
    const [finding] = detectFindings(makeWindow([wrong, worked('git status')]), [rejectedWord]);
    assert.ok(finding);
    assert.equal(finding.summary, '`acme find` has no `--no-pager`');
    assert.equal(finding.remediation, 'Leave out `--no-pager`, or look up the options of `acme find`');
    assert.equal(finding.fixingCallId, finding.failingCallId);
    assert.ok(!finding.signals.includes('error-fix-success'));
    assert.ok(speaks(finding, 'acme find "tax" --json --no-pager'));
    assert.ok(!speaks(finding, 'acme find "tax" --json'));
    assert.ok(!speaks(finding, 'acme show 7 --no-pager'), 'another command may have it');
    assert.ok(!speaks(finding, 'git --no-pager log'));
  });

  it('becomes a lesson where it was refused before, or other calls of the program work, and it never worked', () => {
    const later = Array.from({ length: 8 }, (_, i) => worked(`ls ${i}`));
    assert.equal(detectWith(rejectedWord, wrong, ...later.slice(1)).length, 1, 'the fix may still come');
    const [atOnce, finding] = detectWith(rejectedWord, wrong, ...later);
    assert.ok(atOnce && finding);
    assert.equal(gateFinding(atOnce, toPast(atOnce), holdsInPast).verdict, 'dropped');
    const judge = (...more: readonly Partial<PastCall>[]) =>
      gateFinding(finding, toPast(finding, ...more), holdsInPast).verdict;
    const plain = { command: 'acme list', outcome: 'success' } as const;
    assert.equal(judge(), 'draft', 'no other call of the program is known');
    assert.equal(judge(...Array.from({ length: 4 }, () => plain)), 'draft');
    assert.equal(judge(...Array.from({ length: 5 }, () => plain)), 'active');
    assert.equal(judge(...Array.from({ length: 5 }, () => plain), { outcome: 'success' }), 'dropped', 'it worked');
    assert.equal(judge({}), 'active', 'refused twice');
    assert.equal(judge({}, { outcome: 'success' }), 'dropped');
  });

  it('needs a second refusal where the word may be right on another day', () => {
    for (const step of [
      failed('vulture src', 'zsh: command not found: vulture'),
      failed('npm run lint:all', 'npm error Missing script: "lint:all"'),
    ]) {
      const [finding, again] = detectWith(rejectedWord, step, ...Array.from({ length: 8 }, () => worked('ls')));
      assert.ok(finding);
      assert.equal(again, undefined);
      const own = { command: step.command ?? '', outcome: 'failure', signatureId: finding.signature.id } as const;
      const past = [makePast({ callId: 'call-0', ...own })];
      assert.equal(gateFinding(finding, past, holdsInPast).verdict, 'dropped');
      const judge = (more: Partial<PastCall>): string =>
        gateFinding(finding, [...past, makePast({ callId: 'b', ...own, ...more })], holdsInPast).verdict;
      assert.equal(judge({ sessionId: 'another' }), 'active');
      assert.equal(judge({}), step.command?.startsWith('npm') ? 'active' : 'draft', 'the same session knows no more');
    }
  });

  it('leaves to others what was mended near by', () => {
    assert.deepEqual(detectWith(rejectedWord, wrong, worked('acme find "billing"')), []);
  });

  it('tells it of commands, values, tasks and programs, too', () => {
    const seen = (step: Step): string | undefined => detectWith(rejectedWord, step)[0]?.summary;
    assert.match(
      seen(failed('acme serch x', 'error: unrecognized subcommand "serch"')) ?? '',
      /has no command `serch`/,
    );
    assert.match(seen(failed('npm run lint:all', 'npm error Missing script: "lint:all"')) ?? '', /finds no `lint:all`/);
    assert.match(seen(failed('vulture src', 'zsh: command not found: vulture')) ?? '', /`vulture` is not on the PATH/);
    const field = failed('gh pr view 7 --json title,merged', 'Unknown JSON field: "merged"');
    assert.match(seen(field) ?? '', /`gh pr view --json` does not take `merged`/);
  });

  it('says nothing of what belongs to a script behind a runner, of programs that are being built, of things that come and go', () => {
    for (const [command, said] of [
      ['node tools/seed.js --rows 3', 'error: unknown option --rows'],
      ['python seed.py --rows 3', 'seed.py: error: unrecognized arguments: --rows'],
      ['docker exec web acme find --fast', 'Error: unknown flag: --fast'],
      ['perl tools/seed.pl --rows', 'Unknown option: --rows'],
      ['pipenv run seed --rows', 'seed: error: unrecognized arguments: --rows'],
      ['./bin/acme find x --fast', 'Error: unknown flag: --fast'],
      ['/tmp/build/acme find x --fast', 'Error: unknown flag: --fast'],
      ['git checkout fix-login', "error: pathspec 'fix-login' did not match any file(s) known to git"],
      ['kubectl get pods -n shop', 'Error from server (NotFound): namespaces "shop" not found'],
    ] as const)
      assert.deepEqual(detectWith(rejectedWord, failed(command, said)), [], command);
  });

  it('tells it of commands of a container program that run nothing inside', () => {
    const [finding] = detectWith(rejectedWord, failed('docker build --fast .', 'unknown flag: --fast'));
    assert.match(finding?.summary ?? '', /`docker build` has no `--fast`/);
  });

  it('never tells anybody to leave out what keeps a command harmless', () => {
    for (const option of ['--dry-run', '--check', '--preview'])
      assert.deepEqual(
        detectWith(rejectedWord, failed(`acme deploy ${option}`, `unknown flag: ${option}`)),
        [],
        option,
      );
  });

  it('says nothing where a check or the network spoke, or where it worked', () => {
    const tested = failed('acme find x --fast', '--- FAIL: TestFlags (0.00s)\n    unknown flag: --fast');
    assert.deepEqual(detectWith(rejectedWord, tested), []);
    assert.deepEqual(detectWith(rejectedWord, worked('acme find x --fast', 'unknown flag: --fast')), []);
  });
});
