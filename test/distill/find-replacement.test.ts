import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/call.ts';
import { findReplacement } from '../../src/distill/find-replacement.ts';

const TRIGGERS = {
  tools: ['shell'],
  programs: [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat'] } }],
} as const;

const call = (command: string, fields: Partial<LiveCall> = {}): LiveCall => ({
  ...{ agent: 'a', sessionId: 's', contextId: '', callId: command, projectId: 'p', tool: 'shell', rawTool: 'Bash' },
  ...{ outcome: 'success', outcomeType: 'exit-code', masked: false, command, occurredAt: '2026-01-01T00:00:00.000Z' },
  ...fields,
});
const find = (wrong: string, right: string, fields: Partial<LiveCall> = {}) =>
  findReplacement(call(wrong, { outcome: 'failure' }), call(right, fields), TRIGGERS);

describe('the one word that made the difference', () => {
  it('is known where everything else is the same', () => {
    const expected = { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' };
    assert.deepEqual(find('gh pr diff 12 --stat', 'gh pr diff 12 --name-only'), expected);
    assert.deepEqual(find('cd a && gh pr diff 12 --stat', 'cd a && gh pr diff 12 --name-only '), expected);
  });

  const NONE: readonly (readonly [string, string, string])[] = [
    ['another number was given too', 'gh pr diff 12 --stat', 'gh pr diff 13 --name-only'],
    ['a word came or went', 'gh pr diff 12 --stat', 'gh pr diff 12'],
    ['something else was run beside it', 'gh pr diff 12 --stat', 'cd a && gh pr diff 12 --name-only'],
    ['the environment changed', 'gh pr diff 12 --stat', 'A=1 gh pr diff 12 --name-only'],
    ['another user ran it', 'gh pr diff 12 --stat', 'sudo gh pr diff 12 --name-only'],
    ['nobody knows that it worked', 'gh pr diff 12 --stat | cat', 'gh pr diff 12 --name-only | cat'],
    ['it is quoted', 'gh pr diff 12 --stat', 'gh pr diff 12 "--name-only"'],
    ['it is another deed', 'gh pr diff 12 --stat', 'gh pr view 12 --name-only'],
    ['the lesson is about another word', 'gh pr diff 12 --stat', 'gh pr diff 13 --stat'],
    ['what is kept of it is not what ran', 'gh pr diff 12 --stat', 'gh pr diff 12 [REDACTED]'],
  ];
  for (const [why, wrong, right] of NONE)
    it(`is not known where ${why}`, () => assert.equal(find(wrong, right), undefined));

  it('needs a success that proves it', () => {
    for (const outcome of ['failure', 'partial', 'denied', 'cancelled'] as const)
      assert.equal(find('gh pr diff 12 --stat', 'gh pr diff 12 --name-only', { outcome }), undefined);
  });
});
