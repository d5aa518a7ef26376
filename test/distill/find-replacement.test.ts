import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { findReplacement } from '../../src/distill/episodes/make-finding.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { failed, makeWindow, worked } from './session-script.ts';

const TRIGGERS = {
  tools: ['shell'],
  programs: [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat'] } }],
} as const;

const call = (command: string, fields: Partial<LiveCall> = {}): LiveCall => ({
  ...{ agent: 'a', sessionId: 's', contextId: '', callId: command, projectId: 'p', tool: 'shell', rawTool: 'Bash' },
  ...{ outcome: 'success', outcomeType: 'exit-code', masked: false, command, occurredAt: '2026-01-01T00:00:00.000Z' },
  ...fields,
});
const UNKNOWN = 'unknown flag: --stat';
const find = (wrong: string, right: string, fields: Partial<LiveCall> = {}) =>
  findReplacement(call(wrong, { outcome: 'failure', output: UNKNOWN }), call(right, fields), TRIGGERS);

describe('the one word that made the difference', () => {
  it('is known where everything else is the same', () => {
    const replacement = { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' };
    assert.deepEqual(find('gh pr diff 12 --stat', 'gh pr diff 12 --name-only'), { replacement });
    assert.deepEqual(find('cd a && gh pr diff 12 --stat', 'cd a && gh pr diff 12 --name-only '), { replacement });
  });

  it('need not be seen again where the message itself names the other one', () => {
    const suggests = (output: string) =>
      findReplacement(
        call('gh pr diff 12 --stat', { outcome: 'failure', output }),
        call('gh pr diff 12 --name-only'),
        TRIGGERS,
      )?.isSuggested;
    assert.equal(suggests(`${UNKNOWN}\nDid you mean --name-only?`), true);
    assert.equal(suggests(`${UNKNOWN}\n\nDid you mean this?\n\t--name-only`), true);
    assert.equal(suggests(`${UNKNOWN}\n\nUsage: gh pr diff [flags]\n\n  --name-only  names only`), undefined);
  });

  const OBJECTS: readonly (readonly [wrong: string, said: string, right: string])[] = [
    ['kubectl get pod web-1', 'Error from server (NotFound): pods "web-1" not found', 'kubectl get pod web-2'],
    ['git checkout man', "error: pathspec 'man' did not match any file(s) known to git", 'git checkout dev'],
    ['npm run tset', 'npm error Missing script: "tset"', 'npm run test'],
    ['docker logs web1', 'Error: No such container: web1', 'docker logs web2'],
    ['aws s3 ls --profile dev', 'The config profile (dev) could not be found', 'aws s3 ls --profile prod'],
  ];
  for (const [wrong, output, right] of OBJECTS)
    it(`is not known where a thing of that name is not there: ${wrong}`, () => {
      const [finding] = correctedCommand.detect(makeWindow([failed(wrong, output), worked(right)]));
      assert.equal(finding?.replacement, undefined);
    });

  it('is not known of a value that the message lists no others for', () => {
    const triggers = { programs: [{ name: 'app', sub: ['show'], args: { all: ['--format', 'yml'] } }] };
    const wrong = call('app show --format yml x', {
      outcome: 'failure',
      output: "invalid value 'yml' for '--format': no such format",
    });
    assert.equal(findReplacement(wrong, call('app show --format yaml x'), triggers), undefined);
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
