import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReplayedCall, ReplayedDelivery } from '../../src/measure/judge-replay.ts';
import { judgeReplay } from '../../src/measure/judge-replay.ts';
import { makeBacktestReport } from '../../src/measure/make-backtest-report.ts';

let count = 0;
const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();

function call(sessionId: string, fields: Partial<ReplayedCall> = {}): ReplayedCall {
  const n = count++;
  return {
    ...{ agent: 'claude-code', sessionId, projectId: 'prj_a', callId: `c${n}`, at: at(n * 2), endedAt: at(n * 2 + 1) },
    ...{ program: 'gh', worked: fields.failure === undefined, deliveries: [], what: 'gh pr diff' },
    ...fields,
  };
}

const failed = (reference: string, found: 'command' | 'verdict' = 'command') => ({ class: found, reference });
const lesson = (reference: string, found: 'command' | 'verdict' = 'command'): ReplayedDelivery => ({
  ...{ lessonId: `les_${reference}`, slug: reference, class: found, references: [reference] },
});

const repeats = (calls: readonly ReplayedCall[]) => judgeReplay(calls).map(({ repeat }) => repeat);

describe('a replay, judged', () => {
  it('counts a failure as a repeat if its signature occurred before in the session or the project', () => {
    assert.deepEqual(
      repeats([
        call('s1', { failure: failed('x') }),
        call('s1', { failure: failed('y') }),
        call('s1', { failure: failed('x') }),
        call('s2', { failure: failed('x') }),
        call('s3', { projectId: 'prj_b', failure: failed('x') }),
        call('s4'),
      ]),
      [false, false, true, true, false, undefined],
    );
  });

  it('counts a repeat as warned if the lesson was shown at it or before it in the session', () => {
    const warned = judgeReplay([
      call('s1', { failure: failed('x') }),
      call('s1', { failure: failed('x'), deliveries: [lesson('x')] }),
      call('s1', { failure: failed('x') }),
      call('s2', { failure: failed('x') }),
      call('s2', { deliveries: [lesson('x')] }),
      call('s3', { failure: failed('x'), deliveries: [lesson('y')] }),
    ]).map((one) => one.warned);
    assert.deepEqual(warned, [false, true, true, false, undefined, false]);
  });

  it('counts a delivery as a hit only if that very call failed that way', () => {
    const hits = judgeReplay([
      call('s1', { deliveries: [lesson('x')], failure: failed('x') }),
      call('s1', { deliveries: [lesson('x')], failure: failed('y') }),
      call('s1', { deliveries: [lesson('x')] }),
      call('s1', { failure: failed('x') }),
    ]).flatMap(({ deliveries }) => deliveries.map(({ hit }) => hit));
    assert.deepEqual(hits, [true, false, false]);
  });

  it('counts a delivery of a lesson learned from a refusal as a hit if the call was refused again', () => {
    const shown = { deliveries: [{ lessonId: 'les_r', slug: 'r', references: ['refused: gh'] }] };
    const hits = judgeReplay([
      call('s1', { ...shown, refusal: 'refused: gh' }),
      call('s1', shown),
      call('s1', { ...shown, failure: failed('refused: gh') }),
    ]).flatMap(({ deliveries }) => deliveries.map(({ hit }) => hit));
    assert.deepEqual(hits, [true, false, false]);
  });

  it('counts a delivery about a verdict as a hit if the verdict occurs in the rest of the session', () => {
    const shown = { deliveries: [lesson('x', 'verdict')] };
    const hits = judgeReplay([
      call('s1', { failure: failed('x', 'verdict') }),
      call('s2', shown),
      call('s2', { failure: failed('x', 'verdict') }),
      call('s2', shown),
      call('s3', { failure: failed('x', 'verdict') }),
    ]).flatMap(({ deliveries }) => deliveries.map(({ hit }) => hit));
    assert.deepEqual(hits, [true, false]);
  });

  it('counts a repeat as learnable if a call of the program had worked soon after an earlier one', () => {
    const learnable = (between: readonly ReplayedCall[]) =>
      judgeReplay([call('s1', { failure: failed('x') }), ...between, call('s2', { failure: failed('x') })]).at(-1)
        ?.learnable;
    assert.equal(learnable([]), false);
    assert.equal(learnable([call('s1')]), true);
    assert.equal(learnable([call('s1', { program: 'ls' })]), false);
    assert.equal(learnable([call('s2')]), false, 'of another session it is no fix');
    const later = Array.from({ length: 8 }, () => call('s1', { program: 'ls' }));
    assert.equal(learnable([...later, call('s1')]), false, 'too far away');
  });
});

describe('a back-test report', () => {
  it('counts by class, and all together', () => {
    const report = makeBacktestReport([
      call('s1', { failure: failed('x') }),
      call('s1'),
      call('s2', { failure: failed('x'), deliveries: [lesson('x')] }),
      call('s2', { deliveries: [lesson('x')] }),
      call('s3', { failure: failed('x') }),
      call('s3', { failure: failed('z', 'verdict') }),
      call('s3', { failure: failed('z', 'verdict') }),
    ]);
    const { command, verdict, world } = report.classes;
    assert.deepEqual([report.sessions, report.calls, report.failures, report.deliveries], [3, 7, 5, 2]);
    assert.equal(report.deliveriesPer100Calls, 28.571);
    assert.deepEqual(
      [command.failures, command.repeats, command.warned, command.deliveries, command.hits, command.recall],
      [3, 2, 1, 2, 1, 0.5],
    );
    assert.deepEqual([command.precision, command.precisionInterval], [0.5, [0.095, 0.905]]);
    assert.deepEqual([verdict.repeats, verdict.recall, verdict.precision], [1, 0, null]);
    assert.deepEqual([world.failures, world.recall, world.recallInterval], [0, null, null]);
    assert.deepEqual([report.all.repeats, report.all.warned, report.learnable.repeats], [3, 1, 2]);
    assert.deepEqual(report.perSignature[0], {
      ...{ signature: 'x', class: 'command', failures: 3, sessions: 3, repeats: 2, warned: 1 },
    });
    assert.deepEqual(
      report.examples.map(({ kind }) => kind),
      ['hit', 'false-alarm', 'missed'],
    );
  });

  it('counts hidden failures not as repeats but as hits, and separates lessons that no failure taught', () => {
    const report = makeBacktestReport([
      call('s1', { masked: failed('x') }),
      call('s1', { masked: failed('x'), deliveries: [lesson('x')] }),
      call('s1', { deliveries: [{ lessonId: 'les_u', slug: 'u', references: [] }] }),
    ]);
    assert.deepEqual([report.failures, report.all.repeats, report.all.hits], [0, 0, 1]);
    assert.deepEqual(report.masked, { failures: 2, hits: 1 });
    assert.deepEqual(report.unclassed, { deliveries: 1, hits: 0 });
    assert.equal(report.classes.command.deliveries, 1);
  });

  it('of no calls is empty', () => {
    const { calls, deliveriesPer100Calls, perProject, all } = makeBacktestReport([]);
    assert.deepEqual([calls, deliveriesPer100Calls, perProject.length, all.recall], [0, 0, 0, null]);
  });
});
