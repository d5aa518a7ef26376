import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallResult, EndedCall } from '../../src/base/model/event.ts';
import { judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';

function shell(command: string, result: Partial<CallResult>): EndedCall {
  const input = { command, json: JSON.stringify({ command }) };
  return { callId: 'c', tool: 'shell', rawTool: 'Bash', input, result: { isError: false, text: '', ...result } };
}

const judge = (command: string, result: Partial<CallResult>) => judgeOutcome(shell(command, result)).outcome;
const failing = (exitCode: number, text = '') => ({ isError: true, exitCode, text });

describe('an outcome', () => {
  it('follows from the exit code, the error flag or their absence', () => {
    assert.deepEqual(judgeOutcome(shell('ls', { exitCode: 0 })), {
      outcome: 'success',
      outcomeType: 'exit-code',
      masked: false,
    });
    assert.equal(judgeOutcome(shell('ls x', failing(2))).outcomeType, 'exit-code');
    assert.equal(judgeOutcome(shell('ls', { isError: true })).outcomeType, 'error-flag');
    assert.equal(judgeOutcome(shell('ls', {})).outcomeType, 'no-error');
  });

  it('is a failure for a code other than 0 even if the agent flags no error', () => {
    assert.equal(judge('make', { isError: false, exitCode: 2 }), 'failure');
  });

  it('is never a failure for a refused or cancelled call', () => {
    assert.equal(judge('rm -rf x', { ...failing(1), denied: {} }), 'denied');
    const types = {
      user: 'user-refusal',
      rule: 'rule-denial',
      hook: 'hook-denial',
      oncebitten: 'own-refusal',
    } as const;
    for (const by of ['user', 'rule', 'hook', 'oncebitten'] as const)
      assert.equal(judgeOutcome(shell('x', { isError: true, denied: { by } })).outcomeType, types[by]);
    assert.equal(judge('sleep 9', { ...failing(137), cancelled: true }), 'cancelled');
  });

  it('says that a call continues in the background, and that its end was not seen', () => {
    const background = judgeOutcome(shell('npm start', { background: true }));
    assert.deepEqual([background.outcome, background.outcomeType], ['success', 'background']);
    const unended = judgeOutcome(shell('npm test', { unended: true }));
    assert.deepEqual([unended.outcome, unended.outcomeType], ['cancelled', 'no-end']);
  });

  it('believes the error line of a program behind its runners if the end was not seen', () => {
    for (const command of ['corepack pnpm test', 'fnm exec --using=24 -- corepack pnpm run test', 'pnpm test']) {
      const { outcome, outcomeType } = judgeOutcome(
        shell(command, { unended: true, text: '> vitest run\n ELIFECYCLE  Test failed. See above for more details.' }),
      );
      assert.deepEqual([outcome, outcomeType], ['failure', 'error-line'], command);
    }
  });

  it('says that a call timed out', () => {
    assert.equal(judgeOutcome(shell('sleep 9', failing(143, 'Command timed out after 2m 0s'))).outcomeType, 'timeout');
    assert.equal(judgeOutcome(shell('timeout 5 sleep 9', failing(124))).outcomeType, 'timeout');
  });
});

describe('an exit code that is an answer', () => {
  const answers: readonly [number, string][] = [
    [1, 'grep foo file'],
    [1, 'rg -n foo src'],
    [1, 'cd src && grep foo file'],
    [1, 'cat a b | grep -v foo'],
    [1, 'echo start; grep foo file'],
    [1, 'grep "$(cat pattern)" file'],
    [1, 'sudo grep foo /etc/hosts'],
    [1, "bash -c 'grep foo file'"],
    [1, 'diff a b'],
    [1, 'cmp a b'],
    [1, '[ -f x ]'],
    [1, '[ -f x ] && echo yes'],
    [1, '[[ -f x ]] && echo yes'],
    [1, 'test -d y'],
    [1, 'pgrep node'],
    [1, 'git diff --quiet'],
    [1, 'git -C sub diff --exit-code'],
    [1, 'git grep foo'],
    [8, 'gh pr checks 12'],
    [1, 'command -v pnpm'],
    [2, 'git remote get-url upstream'],
    [1, 'tmux ls'],
    [1, 'crontab -l'],
    [44, 'security find-generic-password -s shop'],
    [3, 'robocopy a b'],
  ];
  for (const [code, command] of answers) {
    it(`${code} of \`${command}\` is not a failure`, () => assert.equal(judge(command, failing(code)), 'success'));
  }

  const failures: readonly [number, string, string?][] = [
    [2, 'grep foo missing'],
    [1, 'npm test'],
    [1, 'npm test && grep foo file'],
    [1, 'git diff main'],
    [1, 'gh pr checks 12'],
    [1, 'gh pr view 8'],
    [1, "echo 'grep foo' | npm run x"],
    [1, 'grep -rn foo --include=*.go .', '(eval):1: no matches found: --include=*.go'],
    [1, 'cd nowhere && grep foo file', '(eval):cd:1: no such file or directory: nowhere'],
    [1, 'cd nowhere && grep foo file', 'bash: line 1: cd: nowhere: No such file or directory'],
    [1, 'node "$(which grep)"'],
  ];
  for (const [code, command, text] of failures) {
    it(`${code} of \`${command}\` is a failure`, () => assert.equal(judge(command, failing(code, text)), 'failure'));
  }
});

describe('a successful call that warns', () => {
  const done = (text: string) => ({ exitCode: 0, text });

  it('is partial', () => {
    assert.equal(judge('npm ci', done('npm warn deprecated glob@7')), 'partial');
    assert.equal(judge('make', done('a.c:3: warning: unused')), 'partial');
    assert.equal(judge('./run', done('[WARN] low disk')), 'partial');
    assert.equal(judge('./run --json', done('{"warnings": ["x"]}')), 'partial');
  });

  it('is a success if the list of warnings is empty', () => {
    assert.equal(judge('./run --json', done('{"warnings": [ ]}')), 'success');
  });

  it('is a success if the program only shows other texts', () => {
    assert.equal(judge('cat log | tail -5', done('warning: x')), 'success');
    assert.equal(judge('cd x && git log -3', done('fix deprecated call')), 'success');
    const read = { ...shell('', done('deprecated')), tool: 'read' as const };
    assert.equal(judgeOutcome(read).outcome, 'success');
  });
});
