import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeNoTrials, type Trials } from '../../src/base/statistics/delivery-counts.ts';
import { DECIDED_BY, decideLesson, type Evidence } from '../../src/promote/decide-lesson.ts';
import { noteCircumstances } from '../../src/promote/outdated-lessons.ts';
import { isRefused } from '../../src/promote/transition.ts';
import { undoChange } from '../../src/promote/undo-change.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { ACT, openLife } from './open-life.ts';

const LEARNED = { id: 'les_own', origin: { kind: 'episode', by: 'distill/x@1', trust: 'observed' } } as const;

describe('undoing a consequence of measurement', () => {
  const NEW = [1, 2, 3].map((n) => `s${n}`);
  const LATER = { note: { judged: 9, again: 1, failed: 1 }, withheld: { judged: 20, again: 9, failed: 9 } };
  const evidence = (counts: Partial<Trials> = {}): Evidence => ({
    trials: { ...makeNoTrials('les_own'), ...counts },
    isWaiting: false,
    mayWithhold: true,
  });
  const decide = (life: ReturnType<typeof openLife>, counts: Partial<Trials> = {}): void => {
    const { lesson, reason } = decideLesson(life.now(), evidence(counts), ACT.at) ?? assert.fail('nothing follows');
    life.save(lesson, DECIDED_BY, reason);
  };
  const use = (life: ReturnType<typeof openLife>, model: string, ...sessions: readonly string[]): void => {
    for (const sessionId of sessions) {
      const noted = noteCircumstances(life.now(), { agent: 'a', sessionId, model });
      if (noted !== undefined) life.save(noted, 'promote/move-confidence', 'clean');
    }
  };
  const openUsed = (): ReturnType<typeof openLife> => {
    const life = openLife(makeTestLesson({ ...LEARNED, lastMatchedAt: ACT.at }));
    use(life, 'old', 's0');
    use(life, 'new', ...NEW);
    return life;
  };

  it('reverts it after one more session, and it does not come back at once', () => {
    for (const more of [[], ['s4'], ['s4', 's5']]) {
      const life = openUsed();
      decide(life);
      assert.equal(life.now().measure?.retest, 'it was never judged on new');
      use(life, 'new', ...more);
      assert.ok(life.take('undo'));
      const { from: _, ...measure } = life.now().measure ?? {};
      assert.deepEqual(measure, { on: ['old', 'new'] });
      assert.equal(decideLesson(life.now(), evidence(), ACT.at), undefined);
      use(life, 'new', 's6', 's7', 's8');
      assert.equal(decideLesson(life.now(), evidence(), ACT.at), undefined);
      assert.ok(life.take('redo'));
      assert.equal(life.now().measure?.retest, 'it was never judged on new');
    }
  });

  it('continues a measurement whose end is undone', () => {
    const life = openUsed();
    decide(life);
    decide(life, LATER);
    assert.deepEqual([life.now().measure?.retest, life.now().measure?.on], [undefined, ['old', 'new']]);
    assert.ok(life.take('undo'));
    assert.equal(life.now().measure?.retest, 'it was never judged on new');
    decide(life, LATER);
    assert.equal(life.now().measure?.retest, undefined);
  });

  it('reverts it as a whole: a pause with its reason, wherever the lesson was used since', () => {
    const life = openLife(makeTestLesson({ ...LEARNED, mode: 'note', confidence: 0.5, lastMatchedAt: ACT.at }));
    use(life, 'old', 's0');
    const counts = { note: { judged: 4, again: 4, failed: 4 }, own: { failed: 4, worked: 0 } };
    decide(life, { ...counts, verdicts: { clean: 0, ignored: 4, failedAnyway: 0 } });
    assert.deepEqual([life.now().mode, life.now().measure?.raised !== undefined], ['pause', true]);
    use(life, 'new', ...NEW);
    const change = life.history.find(({ by }) => by === DECIDED_BY) ?? assert.fail();
    const undone = undoChange(life.now(), change, ACT);
    assert.ok(!isRefused(undone));
    assert.deepEqual(undone.kept, []);
    assert.deepEqual([undone.lesson.mode, undone.lesson.confidence], ['note', 0.5]);
    assert.deepEqual(undone.lesson.measure, {
      ...{ from: ACT.at, on: ['old'] },
      untried: [{ on: 'new', sessions: NEW }],
    });
  });

  it('keeps it if it led to something else since, and is refused if nothing else is left of it', () => {
    const life = openUsed();
    decide(life);
    const [change] = life.history.slice(-1);
    const other = { ...life.now(), measure: { ...life.now().measure, retest: 'for another reason' } };
    const undone = undoChange(other, change ?? assert.fail(), ACT);
    assert.ok(isRefused(undone));
    assert.match(undone.refused, /changed again later/);
  });
});
