/** Hundreds of sessions with lessons whose true effect is known: in the end the right thing was decided about each. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toEffects } from '../../src/measure/effects.ts';
import { undoChange } from '../../src/promote/undo-change.ts';
import { DAILY_MS, type Habits, learnLessons, openSimulation, type Simulation } from './open-simulation.ts';

const SESSIONS = 260;
/** From here on what one of them says is wrong. */
const TURN = 110;
/** From here on another model is at work. */
const MODEL = 190;
const SEED = 1;

const HABITS: Habits = {
  helps: { with: 0.1, without: 0.6 },
  useless: { with: 0.2, without: 0.2, fails: 'heeding' },
  harms: { with: 0.3, without: 0.03, fails: 'heeding' },
  deaf: { with: 0.95, without: 0.95 },
  turns: { with: 0.05, without: 0.6, fails: 'heeding' },
};
const TURNED: Habits = { ...HABITS, turns: { with: 0.85, without: 0.05, fails: 'heeding' } };

describe(`after ${SESSIONS} sessions`, () => {
  let simulation: Simulation;
  const lessons: Record<string, Lesson> = {};
  before(async () => {
    simulation = await openSimulation(SEED, { lessons: await learnLessons(Object.keys(HABITS)) });
    for (let n = 0; n < SESSIONS; n++)
      await simulation.playSession(n < TURN ? HABITS : TURNED, n < MODEL ? 'model-1' : 'model-2');
    for (const tool of Object.keys(HABITS)) lessons[tool] = await simulation.getLesson(tool);
  });
  after(() => simulation.close());

  const get = (tool: string): Lesson => lessons[tool] ?? assert.fail(tool);
  const isSilent = ({ status, needsReview }: Lesson): boolean => status !== 'active' || needsReview;

  it('a lesson that helps is trusted, and its effect is known to be one', async () => {
    const { id, status, needsReview, confidence } = get('helps');
    assert.deepEqual([status, needsReview], ['active', false]);
    assert.ok(confidence >= 0.85, String(confidence));
    const { effect } = toEffects(await simulation.store.readTrials({ lessonId: id }));
    const [low = 0, high = 0] = effect?.interval ?? [];
    assert.ok(low > 0 && low < 0.5 && high > 0.5, JSON.stringify(effect));
  });

  it('it was measured anew on the new model, and is judged on both', () => {
    assert.deepEqual(get('helps').measure?.on, ['model-1', 'model-2']);
    assert.equal(get('helps').measure?.retest, undefined);
  });

  it('a lesson that changes nothing waits for a person, with the reason', () => {
    assert.equal(isSilent(get('useless')), true);
    assert.match(get('useless').measure?.doubt ?? '', /changes nothing|advice fails/);
  });

  it('a lesson that does harm is silent', () => {
    assert.equal(isSilent(get('harms')), true);
  });

  it('a lesson that nobody heeds was raised, and a check is proposed', () => {
    const { mode, measure } = get('deaf');
    assert.equal(mode, 'pause');
    assert.match(measure?.raised ?? '', /did not try its advice/);
    assert.match(measure?.check ?? '', /deaf show/);
    assert.equal(isSilent(get('deaf')), true);
  });

  it('a lesson that became harmful was measured anew and archived, with the figures', async () => {
    const { id, status, archival } = get('turns');
    assert.deepEqual([status, archival?.cause], ['archived', 'harmful']);
    assert.match(archival?.reason ?? '', /calls fail more often with it: \d+ of \d+ with it, \d+ of \d+ without/);
    const reasons = (await simulation.store.listLessonHistory(id)).map(({ reason }) => reason);
    assert.ok(reasons.some((reason) => reason.includes('agents used to follow it')));
  });

  it('what was decided can be undone, and what was measured before counts no more', async () => {
    const history = await simulation.store.listLessonHistory(get('turns').id);
    const change = history.findLast(({ by }) => by === 'promote/decide-lesson') ?? assert.fail();
    const at = '2031-01-01T00:00:00.000Z';
    const undone = undoChange(get('turns'), change, { by: 'user:ann', at });
    assert.ok('lesson' in undone);
    assert.equal(undone.lesson.status, 'active');
    assert.equal(undone.lesson.archival, undefined);
    assert.equal(undone.lesson.measure?.from, at);
  });

  it('about a tenth of what could be withheld was, and nothing of it was said', async () => {
    const all = await simulation.store.listDeliveries({ lessonId: get('helps').id });
    const withheld = all.filter(({ arm }) => arm === 'holdout');
    assert.equal(all.length, SESSIONS);
    assert.ok(withheld.length > 10 && withheld.length < 60, String(withheld.length));
    assert.deepEqual([...new Set(withheld.map(({ bytes, mode }) => `${bytes} ${mode}`))], ['0 note']);
    assert.equal(
      all.slice(0, 5).every(({ arm }) => arm === 'shown'),
      true,
    );
    assert.deepEqual(await simulation.store.listMissed({ lessonId: get('helps').id }), []);
  });
});

for (const [often, stepMs] of [
  ['day', DAILY_MS],
  ['quarter of an hour', 15 * 60_000],
] as const)
  describe(`with a session every ${often}, and half of them untold`, () => {
    let simulation: Simulation;
    const habits: Habits = {
      helps: { with: 0.05, without: 0.8 },
      useless: { with: 0, without: 0 },
      harms: { with: 0.8, without: 0, fails: 'otherwise' },
      misleads: { with: 0.8, without: 0 },
      forgets: { with: 0, without: 0, relapses: 0.95 },
    };
    before(async () => {
      const lessons = await learnLessons(Object.keys(habits));
      simulation = await openSimulation(SEED, { lessons, stepMs, holdout: { share: 0.5, after: 0 } });
      for (let n = 0; n < 60; n++) await simulation.playSession(habits);
    });
    after(() => simulation.close());

    for (const tool of ['harms', 'misleads'])
      it(`a lesson that does harm is archived: ${tool}`, async () => {
        const { status, archival } = await simulation.getLesson(tool);
        assert.deepEqual([status, archival?.cause], ['archived', 'harmful']);
      });

    it('a lesson that changes nothing waits for a person', async () => {
      const { status, needsReview, measure } = await simulation.getLesson('useless');
      assert.deepEqual([status, needsReview], ['active', true]);
      assert.match(measure?.doubt ?? '', /changes nothing/);
    });

    it('a lesson that helps goes on, and its effect is known', async () => {
      const { id, status, needsReview } = await simulation.getLesson('helps');
      assert.deepEqual([status, needsReview], ['active', false]);
      const { effect } = toEffects(await simulation.store.readTrials({ lessonId: id }));
      assert.ok((effect?.interval[0] ?? 0) > 0, JSON.stringify(effect));
    });

    it('a lesson after which the next call works, and the mistake comes back later, is not trusted', async () => {
      const { id, status, needsReview } = await simulation.getLesson('forgets');
      assert.equal(status !== 'active' || needsReview, true);
      const { note, withheld } = await simulation.store.readTrials({ lessonId: id });
      for (const { judged, again } of [note, withheld]) assert.ok(again > judged / 2, `${again} of ${judged}`);
    });

    it('nothing becomes CRITICAL by what happened while we were silent', async () => {
      for (const tool of Object.keys(habits)) assert.ok((await simulation.getLesson(tool)).priority < 9, tool);
    });
  });

describe('where two new models are used by turns', () => {
  it('a lesson is measured anew, and then it was judged on both', async () => {
    const habits: Habits = { tool: { with: 0.05, without: 0.7 } };
    const lessons = await learnLessons(['tool']);
    const simulation = await openSimulation(SEED, { lessons, holdout: { share: 0.1, after: 5 } });
    try {
      for (let n = 0; n < 10; n++) await simulation.playSession(habits, 'model-1');
      const first: number[] = [];
      for (let n = 0; n < 50; n++) {
        await simulation.playSession(habits, n % 2 === 0 ? 'model-2' : 'model-3');
        if ((await simulation.getLesson('tool')).measure?.retest !== undefined) first.push(n);
      }
      assert.equal(first[0], 4, 'with the third session on one of them');
      const { measure } = await simulation.getLesson('tool');
      assert.deepEqual([measure?.on, measure?.retest], [['model-1', 'model-2', 'model-3'], undefined]);
    } finally {
      await simulation.close();
    }
  });
});

describe('where calls may be held back', () => {
  let simulation: Simulation;
  const habits: Habits = {
    roused: { with: 0.95, without: 0.95, withPause: 0.05 },
    stubborn: { with: 0.95, without: 0.95, withPause: 0.95 },
  };
  before(async () => {
    const lessons = await learnLessons(Object.keys(habits));
    simulation = await openSimulation(SEED, {
      lessons,
      delivery: { maxMode: 'pause', knownFixes: true, memory: true },
    });
    for (let n = 0; n < 40; n++) await simulation.playSession(habits);
  });
  after(() => simulation.close());

  it('a lesson that is heard only then goes on as a pause', async () => {
    const { id, status, mode, needsReview, measure } = await simulation.getLesson('roused');
    assert.deepEqual([status, mode, needsReview, measure?.check], ['active', 'pause', false, undefined]);
    const { acting, note } = await simulation.store.readTrials({ lessonId: id });
    assert.ok(acting.judged > 25 && acting.again <= 5 && note.judged <= 5, JSON.stringify({ acting, note }));
  });

  it('a lesson that does not help even then is retired, with a check in its place', async () => {
    const { status, archival, measure } = await simulation.getLesson('stubborn');
    assert.deepEqual([status, archival?.cause], ['archived', 'unhelpful']);
    assert.match(archival?.reason ?? '', /although it paused calls/);
    assert.match(measure?.check ?? '', /stubborn show/);
  });
});
