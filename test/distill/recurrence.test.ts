/** The same failure in two sessions, without a fix: what its calls have in common becomes the trigger. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import type { PastCall } from '../../src/distill/gate/gate-finding.ts';
import { mayRecur, proposeRecurrence } from '../../src/distill/propose/recurrence.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { failed, makePast, makeWindow, type Step } from './session-script.ts';

const REFUSED = 'shipit: the board archive is closed';

function toFailing(step: Step, program = 'shipit'): LiveCall {
  const cause = toSignature(program, step.output ?? '');
  const signed = { ...step, signature: cause?.signature, message: cause?.causeLine } as Step;
  return makeWindow([signed]).calls[0] ?? assert.fail();
}

let calls = 0;
const past = (inputSummary: string, fields: Partial<PastCall> = {}): PastCall =>
  makePast({
    callId: `past-${++calls}`,
    sessionId: `s${calls}`,
    tool: 'shell',
    rawTool: 'Bash',
    inputSummary,
    ...fields,
  });

const again = (inputSummary: string, { signature }: LiveCall, fields: Partial<PastCall> = {}): PastCall =>
  past(inputSummary, { outcome: 'failure', signatureId: signature?.id, ...fields });

describe('a failure that comes again in another session', () => {
  const failing = toFailing(failed('shipit move 7 --board archive', REFUSED));
  const works = [past('shipit move 8 --board inbox'), past('shipit move 9 --board inbox')];

  it('fires on the word that the error names, and that no working call has', () => {
    const finding = proposeRecurrence(
      failing,
      [...works, again('shipit move 3 --board archive', failing)],
      holdsInPast,
    );
    assert.ok(finding);
    assert.ok(holdsInPast(finding.triggers, past('shipit move 10 --board archive')));
    assert.ok(!holdsInPast(finding.triggers, past('shipit move 10 --board inbox')));
    assert.match(finding.mistake, /shipit move.*archive/);
  });

  it('teaches nothing in one session, or where a working call has the same word', () => {
    const { sessionId } = failing;
    assert.equal(proposeRecurrence(failing, works, holdsInPast), undefined);
    const before = again('shipit move 3 --board archive', failing);
    assert.equal(proposeRecurrence(failing, [...works, { ...before, sessionId }], holdsInPast), undefined);
    const open = past('shipit move 4 --board archive');
    assert.equal(proposeRecurrence(failing, [...works, before, open], holdsInPast), undefined);
  });

  it('is about the whole command where that failed in three sessions and never worked', () => {
    const never = toFailing(failed('shipit publish', 'shipit: this account is closed'));
    const one = again('shipit publish', never);
    assert.equal(proposeRecurrence(never, [...works, one], holdsInPast), undefined);
    const finding = proposeRecurrence(never, [...works, one, again('shipit publish --now', never)], holdsInPast);
    assert.deepEqual(finding?.triggers.programs, [{ name: 'shipit', sub: ['publish'] }]);
  });

  it('is a missing set-up where the lines of other sessions that work begin with one', () => {
    const bare = toFailing(failed('npm test', 'npm: needs runtime 20, this is runtime 14'), 'npm');
    const one = again('npm test -- cart', bare);
    const head = '. ~/env.sh && runtimes use 20';
    const set = [past(`${head} && npm test`), past(`${head}; npm run build`)];
    const finding = proposeRecurrence(bare, [one, ...set], holdsInPast);
    assert.ok(finding);
    assert.match(finding.remediation, /\. ~\/env\.sh && runtimes use 20/);
    assert.ok(holdsInPast(finding.triggers, past('npm test')));
    assert.ok(!holdsInPast(finding.triggers, past(`${head} && npm test`)));
    const without = ['npm run build', 'npm run lint', 'npm run dev'].map((line) => past(line));
    assert.equal(proposeRecurrence(bare, [one, ...set, ...without], holdsInPast), undefined, 'it mostly works without');
    assert.equal(proposeRecurrence(bare, [one, set[0] ?? one], holdsInPast), undefined, 'one line may be chance');
  });

  it('is a folder that was read as a file', () => {
    const folder = toFailing(failed('cat tasks/lint', 'cat: tasks/lint: Is a directory'), 'cat');
    assert.ok(mayRecur(folder));
    const finding = proposeRecurrence(
      folder,
      [past('cat tasks/lint/go'), again('cat tasks/lint', folder)],
      holdsInPast,
    );
    assert.deepEqual(finding?.triggers.programs, [{ name: 'cat', args: { all: ['tasks/lint'] } }]);
    assert.ok(!mayRecur(toFailing(failed('cp a.txt tasks/a.txt', 'cp: a.txt: No such file or directory'), 'cp')));
  });

  it('is known by the value of a parameter, for another tool', () => {
    const tool = { tool: 'other', rawTool: 'Skill' } as const;
    const skill = toFailing(
      { ...tool, parameters: { skill: 'deploy' }, outcome: 'failure', output: 'Unknown skill: deploy' },
      'Skill',
    );
    const earlier = again('{"skill":"deploy"}', skill, tool);
    const finding = proposeRecurrence(skill, [past('{"skill":"review"}', tool), earlier], holdsInPast);
    assert.ok(finding);
    assert.ok(holdsInPast(finding.triggers, past('{"skill":"deploy"}', tool)));
    assert.ok(!holdsInPast(finding.triggers, past('{"skill":"review"}', tool)));
  });

  it('is no mistake of the call where code was judged, the world was in the way, or nothing was said', () => {
    assert.ok(mayRecur(failing));
    assert.ok(!mayRecur(toFailing(failed('shipit test', '3 failed, 2 passed\nFAILED tests/a'))));
    assert.ok(!mayRecur(toFailing(failed('shipit pull', 'shipit: connection refused'))));
    assert.ok(!mayRecur({ ...failing, message: '' }));
  });
});
