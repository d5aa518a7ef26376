import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import type { PastCall } from '../../src/distill/gate/gate-finding.ts';
import { addProvisional, isProvenByOwn } from '../../src/distill/lessons/make-lesson.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makePast } from './session-script.ts';

const finding = {
  agent: 'claude-code',
  sessionId: 'now',
  failingCallId: 'bad',
  fixingCallId: 'good',
  triggers: { tools: ['shell'] },
  evidence: { agent: 'claude-code', sessionId: 'now', at: '2026-01-02T12:00:00.000Z' },
} as unknown as Finding;
const past = [
  makePast({ callId: 'bad', command: 'gh --stat', outcome: 'failure' }),
  makePast({ callId: 'good', command: 'gh --name-only' }),
];
const speaksAt = (word: string) => (_: unknown, call: PastCall) => call.command?.includes(word) === true;

describe('a finding proves itself', () => {
  it('where its trigger speaks at its own mistake and not at its own fix', () => {
    assert.equal(isProvenByOwn(finding, past, speaksAt('--stat')), true);
    assert.equal(isProvenByOwn(finding, past, speaksAt('gh')), false);
    assert.equal(isProvenByOwn(finding, past, speaksAt('--web')), false);
    assert.equal(isProvenByOwn(finding, past.slice(0, 1), speaksAt('--stat')), false);
  });

  it('never where it asks for something first, which ran by then, or is text from outside', () => {
    const first = { ...finding, triggers: { ...finding.triggers, session: { unless: [{ ran: 'npm install' }] } } };
    assert.equal(isProvenByOwn(first, past, speaksAt('--stat')), false);
    assert.equal(isProvenByOwn({ ...finding, trust: 'foreign' }, past, speaksAt('--stat')), false);
  });
});

describe('a provisional lesson', () => {
  it('speaks for a day in the session that taught it', () => {
    const lesson = addProvisional(makeTestLesson({ status: 'draft' }), finding);
    assert.deepEqual(lesson.provisional, [
      { agent: 'claude-code', sessionId: 'now', until: '2026-01-03T12:00:00.000Z' },
    ]);
  });

  it('is a draft: what is active speaks anyway, what was archived stays silent', () => {
    for (const status of ['active', 'archived'] as const)
      assert.equal(addProvisional(makeTestLesson({ status }), finding).provisional, undefined);
  });

  it('has each session once, with its last correction, and the newest of many', () => {
    let lesson = addProvisional(makeTestLesson({ status: 'draft' }), finding);
    for (let hour = 0; hour < 30; hour++) {
      const at = new Date(Date.parse('2026-01-02T13:00:00.000Z') + hour * 3_600_000).toISOString();
      const sessionId = hour % 2 === 0 ? 'now' : `other-${hour}`;
      lesson = addProvisional(lesson, { ...finding, sessionId, evidence: { ...finding.evidence, at } });
    }
    const sessions = (lesson.provisional ?? []).map(({ sessionId }) => sessionId);
    assert.equal(sessions.filter((one) => one === 'now').length, 1);
    assert.deepEqual(sessions.slice(-2), ['now', 'other-29']);
    assert.ok(sessions.length <= 20);
  });
});
