import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import { gateFinding, type PastCall } from '../../src/distill/gate/gate-finding.ts';
import { makeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { absentPath } from './own-detectors.ts';
import { failed, makePast, makeWindow, worked } from './session-script.ts';

const [finding] = correctedCommand.detect(
  makeWindow([failed('gh pr diff 1 --stat', 'unknown flag: --stat'), worked('gh pr diff 1 --name-only')]),
) as [Finding];

const OWN: readonly PastCall[] = [
  makePast({ callId: 'call-0', command: 'gh pr diff 1 --stat', outcome: 'failure', signatureId: finding.signature.id }),
  makePast({ callId: 'call-1', command: 'gh pr diff 1 --name-only' }),
];
let n = 0;
const past = (command: string, outcome: PastCall['outcome'], signatureId?: string): PastCall => {
  n++;
  return makePast({ callId: `past-${n}`, command, outcome, signatureId });
};

describe('the back-test before trust', () => {
  it('lets a trigger start active that spoke on its mistake and nowhere else', () => {
    const { reason, ...gate } = gateFinding(finding, [...OWN, past('git diff --stat', 'success')], holdsInPast);
    assert.deepEqual(gate, { verdict: 'active', hits: 1, falseAlarms: 0 });
    assert.match(reason, /1 past failure and 0 working calls .*21 %/);
  });

  it('counts failures of the same signature as hits and successes as false alarms', () => {
    const gate = gateFinding(
      finding,
      [
        ...OWN,
        past('gh pr diff 2 --stat', 'failure', finding.signature.id),
        past('gh pr diff 3 --stat', 'failure', 'sig1_other'),
        past('gh pr diff 4 --stat', 'partial'),
        past('gh pr diff 5 --stat', 'denied'),
      ],
      holdsInPast,
    );
    assert.deepEqual([gate.verdict, gate.hits, gate.falseAlarms], ['active', 2, 1]);
  });

  it('keeps a trigger a draft that would have been wrong as often as right, until more speaks for it', () => {
    const wrong = (count: number) => Array.from({ length: count }, () => past('gh pr diff 2 --stat', 'success'));
    const again = (count: number) =>
      Array.from({ length: count }, () => past('gh pr diff 2 --stat', 'failure', finding.signature.id));
    assert.equal(gateFinding(finding, [...OWN, ...wrong(1)], holdsInPast).verdict, 'draft');
    assert.equal(gateFinding(finding, [...OWN, ...wrong(1), ...again(1)], holdsInPast).verdict, 'active');
    assert.equal(gateFinding(finding, [...OWN, ...wrong(3), ...again(1)], holdsInPast).verdict, 'draft');
  });

  it('drops a trigger that speaks where nothing is wrong', () => {
    const usual = Array.from({ length: 30 }, () => past('gh pr diff 2 --stat', 'success'));
    const { verdict, reason } = gateFinding(finding, [...OWN, ...usual], holdsInPast);
    assert.deepEqual([verdict, reason.includes('1 past failure and 30 working calls')], ['dropped', true]);
  });

  it('does not count against it what worked only as far as a pipe tells', () => {
    const hidden = past('gh pr diff 2 --stat | head', 'success');
    const gate = gateFinding(finding, [...OWN, hidden], holdsInPast);
    assert.deepEqual([gate.verdict, gate.falseAlarms], ['active', 0]);
  });

  it('drops a trigger that is silent on its own mistake', () => {
    assert.equal(gateFinding(finding, OWN, () => false).verdict, 'dropped');
  });

  it('drops a trigger that speaks on its own fix', () => {
    assert.equal(gateFinding(finding, OWN, () => true).verdict, 'dropped');
  });

  it('keeps a draft when its own calls are not among the past ones', () => {
    assert.equal(gateFinding(finding, [], holdsInPast).verdict, 'draft');
  });

  it('tells how often a dropped trigger was wrong: a lesson that has it is then doubted', () => {
    const usual = Array.from({ length: 30 }, () => past('gh pr diff 2 --stat', 'success'));
    const { hits, falseAlarms } = gateFinding(finding, [...OWN, ...usual], holdsInPast);
    assert.deepEqual([hits, falseAlarms], [1, 30]);
  });
});

describe('the back-test of a program that is on the machine, but not on the PATH', () => {
  const [lost] = correctedCommand.detect(
    makeWindow([
      failed('go list ./...', '/bin/bash: line 1: go: command not found', 127),
      worked('/usr/local/go/bin/go list ./...'),
    ]),
  ) as [Finding];
  const own: readonly PastCall[] = [
    makePast({ callId: 'call-0', command: 'go list ./...', outcome: 'failure', signatureId: lost.signature.id }),
    makePast({ callId: 'call-1', command: '/usr/local/go/bin/go list ./...' }),
  ];

  it('waits until it was seen twice: any call of the program would be spoken at', () => {
    assert.equal(gateFinding(lost, own, holdsInPast).verdict, 'draft');
    const before = past('go list -m all', 'failure', lost.signature.id);
    assert.equal(gateFinding(lost, [before, ...own], holdsInPast).verdict, 'active');
  });

  it('counts what worked before a pipe, too: most calls are piped, and its failure would show there', () => {
    const before = past('go list -m all', 'failure', lost.signature.id);
    const piped = Array.from({ length: 48 }, () => past('go list ./... | tail -20', 'success'));
    assert.equal(gateFinding(lost, [before, ...own, ...piped], holdsInPast).verdict, 'dropped');
  });
});

describe('the back-test of what nothing mended', () => {
  const [missed] = absentPath.detect(
    makeWindow([{ ...failed('cat docs', 'cat: docs: No such file or directory'), cwd: '/repo' }]),
  ) as [Finding];
  const own = makePast({
    callId: missed.failingCallId,
    command: 'cat docs',
    cwd: '/repo',
    outcome: 'failure',
    signatureId: missed.signature.id,
  });
  const before: PastCall = { ...own, callId: 'earlier', command: 'head docs' };

  it('drops what failed once: looking is no mistake', () => {
    assert.equal(gateFinding(missed, [own], holdsInPast).verdict, 'dropped');
    assert.equal(gateFinding(missed, [own, { ...before, command: 'head notes' }], holdsInPast).verdict, 'dropped');
  });

  it('lets pass what failed before, too', () => {
    const gate = gateFinding(missed, [before, own], holdsInPast);
    assert.deepEqual([gate.verdict, gate.hits, gate.falseAlarms], ['active', 2, 0]);
    const lesson = makeLesson(missed, gate, '2026-01-01T10:00:00.000Z');
    assert.deepEqual([lesson.status, lesson.type, lesson.confidence >= 0.5], ['active', 'warning', true]);
  });

  it('drops a path that any tool has read or written, wherever', () => {
    const proofs: readonly Partial<PastCall>[] = [
      { tool: 'write', targetPath: '/elsewhere/repo/docs' },
      { tool: 'read', targetPath: 'docs' },
      { command: 'mkdir -p docs' },
      { command: 'git checkout topic -- docs' },
      { command: 'date > docs' },
    ];
    for (const proof of proofs) {
      const call = makePast({ callId: 'proof', cwd: '/repo', ...proof });
      assert.equal(gateFinding(missed, [before, own, call], holdsInPast).verdict, 'dropped', JSON.stringify(proof));
    }
    for (const command of ['git log -- docs', 'echo docs', 'grep docs a.md', 'mkdir other/x-docs']) {
      const call = makePast({ callId: 'other', cwd: '/repo', command });
      assert.equal(gateFinding(missed, [before, own, call], holdsInPast).verdict, 'active', command);
    }
  });

  it('drops what failed once also where the guard holds it back: a call shows it, not only words', () => {
    for (const held of [
      { ...missed, trust: 'foreign' as const },
      { ...missed, caution: 'it sends data' },
    ]) {
      assert.equal(gateFinding(held, [own], holdsInPast).verdict, 'dropped');
      assert.equal(gateFinding(held, [before, own], holdsInPast).verdict, 'draft');
    }
  });

  it('drops what was there meanwhile', () => {
    const found: PastCall = { ...before, callId: 'found', outcome: 'success' };
    assert.equal(gateFinding(missed, [before, found, own], holdsInPast).verdict, 'dropped');
  });
});
