import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredCall } from '../../src/base/model/call.ts';
import { auditLessons, toAuditCalls } from '../../src/loop/checks/audit-lessons.ts';
import { testLesson } from '../../src/loop/checks/test-lesson.ts';
import { makeFinding, makeSignature } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const UNTIL_INIT = makeTestLesson({
  summary: '`terraform plan` needs `terraform init` first',
  triggers: {
    tools: ['shell'],
    programs: [{ name: 'terraform', sub: ['plan'] }],
    session: { unless: [{ ran: 'terraform init' }] },
  },
});

let n = 0;
function make(sessionId: string, inputSummary: string | undefined, fields: Partial<StoredCall> = {}): StoredCall {
  n++;
  return {
    ...{ id: `out_${n}`, agent: 'claude-code', sessionId, contextId: '', callId: `c${n}`, projectId: 'prj_1' },
    ...{ tool: 'shell', rawTool: 'Bash', outcome: 'success', outcomeType: 'exit-code', masked: false },
    ...(inputSummary === undefined ? {} : { inputSummary }),
    occurredAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    ...fields,
  };
}

const FAILED = { outcome: 'failure' } as const;

describe('a lesson on the calls it came from', () => {
  it('is not blamed for its own mistake when the text of that call is gone', () => {
    const { session: _, ...triggers } = UNTIL_INIT.triggers;
    const lesson = { ...UNTIL_INIT, triggers };
    const [gone, kept] = [make('a', undefined, FAILED), make('a', 'terraform plan', FAILED)];
    const findings = [gone, kept].map(({ callId }) =>
      makeFinding({ sessionId: 'a', failingCallId: callId, fixingCallId: 'fix', lessonId: lesson.id }),
    );
    const tested = testLesson(lesson, toAuditCalls([gone, kept], true), findings, (id) => id);
    const { mistakes, mistakesHit, blank, pastCalls, faults } = tested;
    assert.deepEqual(
      { mistakes, mistakesHit, blank, pastCalls },
      { mistakes: 1, mistakesHit: 1, blank: 1, pastCalls: 1 },
    );
    assert.deepEqual(faults, []);
  });
});

describe('a lesson on past calls', () => {
  const { session: _, ...triggers } = UNTIL_INIT.triggers;
  const stored = [make('a', 'terraform plan'), make('b', 'terraform plan', { projectId: 'prj_2' })];
  const calls = toAuditCalls(stored, true);

  it('of a joined project is tried on the calls of all its ids', () => {
    const lesson = { ...UNTIL_INIT, triggers, scope: { kind: 'project', id: 'prj_1' } } as const;
    const count = (toProjectId: (id: string) => string): readonly unknown[] => {
      const { tried } = auditLessons({ findings: [], lessons: [lesson], past: calls, toProjectId });
      return [tried[0]?.fires, testLesson(lesson, calls, [], toProjectId).fires];
    };
    assert.deepEqual(
      count((id) => id),
      [1, 1],
    );
    assert.deepEqual(
      count(() => 'prj_3'),
      [2, 2],
    );
  });

  it('of one session is tried on the calls of that session only', () => {
    const lesson = { ...UNTIL_INIT, triggers, scope: { kind: 'session', id: 'b' } } as const;
    assert.equal(testLesson(lesson, calls, [], (id) => id).fires, 1);
  });
});

describe('a lesson that rests on what the store does not keep', () => {
  const { session: _, ...triggers } = UNTIL_INIT.triggers;
  const own = (callId: string, lessonId: string) =>
    makeFinding({ sessionId: 'a', failingCallId: callId, fixingCallId: 'fix', lessonId });

  it('is not tried on past calls, and not blamed', () => {
    const lesson = { ...UNTIL_INIT, triggers: { ...triggers, directory: { in: 'infra' } } };
    const call = make('a', 'terraform plan', FAILED);
    const tested = testLesson(lesson, toAuditCalls([call], true), [own(call.callId, lesson.id)], (id) => id);
    assert.deepEqual([tested.unstored, tested.mistakes, tested.pastCalls], [['directory'], 0, 0]);
    assert.deepEqual(tested.faults, []);
  });

  it('is not blamed for a mistake behind the place where its command was cut', () => {
    const lesson = { ...UNTIL_INIT, triggers: { ...triggers, command: { match: ['-refresh'] } } };
    const cut = make('a', `terraform plan ${'-var a=b '.repeat(30)}`.slice(0, 200), FAILED);
    const whole = make('a', 'terraform plan -lock', FAILED);
    const findings = [cut, whole].map(({ callId }) => own(callId, lesson.id));
    const { mistakes, mistakesHit } = testLesson(lesson, toAuditCalls([cut, whole], true), findings, (id) => id);
    assert.deepEqual([mistakes, mistakesHit], [1, 0]);
  });
});

describe('a lesson that speaks until something ran, on the calls of the past', () => {
  const test = (calls: readonly StoredCall[], isWhole = true) =>
    testLesson(UNTIL_INIT, toAuditCalls(calls, isWhole), [], (id) => id);

  it('is silent after it ran in the session, and speaks before and in others', () => {
    const { fires, hits, falseAlarms, untold } = test([
      make('a', 'terraform plan', FAILED),
      make('a', 'terraform init'),
      make('a', 'terraform plan -out x'),
      make('a', 'terraform plan'),
      make('b', 'terraform plan', FAILED),
    ]);
    assert.deepEqual({ fires, hits, falseAlarms, untold }, { fires: 2, hits: 2, falseAlarms: 0, untold: 0 });
  });

  it('takes what failed for not done', () => {
    const { fires } = test([make('a', 'terraform init', FAILED), make('a', 'terraform plan', FAILED)]);
    assert.equal(fires, 1);
  });

  it('takes what worked with a warning for done', () => {
    const past = toAuditCalls([make('a', 'terraform init', { outcome: 'partial' }), make('a', 'terraform plan')], true);
    assert.equal(testLesson(UNTIL_INIT, past, [], (id) => id).fires, 0);
  });

  it('counts a call for nothing when the text of one before is no longer kept', () => {
    const calls = [make('a', undefined), make('a', 'terraform plan'), make('b', 'terraform plan', FAILED)];
    const { fires, falseAlarms, untold, pastCalls } = test(calls);
    assert.deepEqual({ fires, falseAlarms, untold, pastCalls }, { fires: 1, falseAlarms: 0, untold: 1, pastCalls: 1 });
  });

  it('knows that it ran all the same where another call tells', () => {
    const calls = [make('a', undefined), make('a', 'terraform init'), make('a', 'terraform plan')];
    const { fires, untold } = test(calls);
    assert.deepEqual([fires, untold], [0, 0]);
  });

  it('counts for nothing what stands at the edge of the calls that were looked at', () => {
    const later = { occurredAt: '2026-02-01T00:00:00.000Z' };
    const { fires, untold } = test([make('a', 'terraform plan'), make('b', 'terraform plan', later)], false);
    assert.deepEqual([fires, untold], [1, 1]);
  });

  it('is not unsettled about a lesson that asks for nothing before', () => {
    const { session: _, ...triggers } = UNTIL_INIT.triggers;
    const calls = toAuditCalls([make('a', undefined), make('a', 'terraform plan')], false);
    const { fires, untold } = testLesson({ ...UNTIL_INIT, triggers }, calls, [], (id) => id);
    assert.deepEqual([fires, untold], [1, 0]);
  });
});

describe('a lesson that a person wrote', () => {
  it('has the same hits in the audit and in its own test: it names no failure, so any failure is one', () => {
    const { session: _, ...triggers } = UNTIL_INIT.triggers;
    const lesson = { ...UNTIL_INIT, triggers };
    const past = toAuditCalls(
      [make('a', 'terraform plan', { ...FAILED, signature: makeSignature('terraform') })],
      true,
    );
    const [audited] = auditLessons({ findings: [], lessons: [lesson], past, toProjectId: (id) => id }).tried;
    assert.equal(audited?.hits, 1);
    assert.equal(testLesson(lesson, past, [], (id) => id).hits, 1);
  });
});
