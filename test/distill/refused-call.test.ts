import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusedCall } from '../../src/distill/propose/user-words/refused-call.ts';
import { denied, detectWith, speaks } from './detect-pairs.ts';
import { makeWindow, other, type Step, worked } from './session-script.ts';

describe('refused-call', () => {
  it('keeps a thing not to do, in the words of the user', () => {
    const [finding] = detectWith(
      refusedCall,
      denied('git add a.ts && git commit -m "x"', 'no, I did not say commit anything'),
      worked('git status'),
    );
    assert.ok(finding);
    assert.equal(finding.summary, 'The user refused `git commit -m <text>`: "no, I did not say commit anything"');
    assert.deepEqual(finding.signals, ['user-corrected']);
    assert.ok(speaks(finding, 'git commit --amend'));
    assert.ok(!speaks(finding, 'git add a.ts'));
  });

  it('speaks of the script that was refused, not of its runner', () => {
    const [finding] = detectWith(
      refusedCall,
      denied('npm run test:e2e', "don't run the e2e tests, too slow"),
      worked('npm test'),
    );
    assert.ok(finding);
    assert.ok(speaks(finding, 'npm run test:e2e -- --headed'));
    assert.ok(!speaks(finding, 'npm run build'));
  });

  it('keeps what has to be done first, until it is done', () => {
    const [finding] = detectWith(
      refusedCall,
      denied('git push', 'pull rebase first'),
      worked('git pull --rebase origin main'),
      worked('git push'),
    );
    assert.ok(finding);
    assert.equal(finding.fixingCallId, 'call-1');
    assert.ok(speaks(finding, 'git push -u origin x'));
    assert.ok(!speaks(finding, { command: 'git push', ran: ['git pull --rebase'] }));
    assert.ok(!speaks(finding, 'git pull --rebase && git push'));
  });

  it('keeps that where calls come one by one, too', () => {
    const script = [denied('git push', 'pull rebase first'), worked('git pull --rebase'), worked('git push')];
    const found = script.map((_, last) => refusedCall.detect(makeWindow(script.slice(0, last + 1), last)).length);
    assert.deepEqual(found, [0, 0, 1]);
  });

  it('keeps it for edits, too', () => {
    const refused: Step = {
      tool: 'edit',
      targetPath: '/repo/a.ts',
      outcome: 'denied',
      outcomeType: 'user-refusal',
      message: "let's cut a branch first",
      output: 'The user said: cut a branch first',
    };
    const [finding] = detectWith(refusedCall, refused, worked('git checkout -b fix'), other('edit', '/repo/a.ts'));
    assert.ok(finding);
    assert.ok(speaks(finding, { tool: 'edit', path: '/repo/b.ts' }));
    assert.ok(!speaks(finding, { tool: 'edit', path: '/repo/b.ts', ran: ['git checkout -b other'] }));
    assert.ok(!speaks(finding, { tool: 'read', path: '/repo/b.ts' }));
  });

  for (const words of [
    "i'll take it from here",
    'actually, leave it as it is',
    'huh, look at that again',
    'do you have another tool?',
    "don't check this in",
    "don't worry about linting for now",
    'wait',
    'why not use the other one?',
  ])
    it(`takes "${words}" for what it is: about this moment`, () => {
      assert.deepEqual(detectWith(refusedCall, denied('git commit -m x', words), worked('git status')), []);
    });

  it('leaves rules of the harness and unexplained refusals alone', () => {
    const { message: _, ...silent } = denied('git commit -m x', '');
    assert.deepEqual(detectWith(refusedCall, silent, worked('ls')), []);
    const byRule: Step = { ...denied('git commit -m x', "don't commit"), outcomeType: 'rule' };
    assert.deepEqual(detectWith(refusedCall, byRule, worked('ls')), []);
  });
});
