/** A person's checklist over ten sessions: what was done of it decides, and it goes on speaking. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredDelivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { openSimulation, type SimulatedCall } from './open-simulation.ts';

const CHECKLIST = makeTestLesson({
  ...{ id: 'les_bump', slug: 'version-bump-1a2b', type: 'checklist', priority: 9, confidence: 0.75, mistake: '' },
  ...{ summary: 'A version bump changes four things', remediation: '', tags: [] },
  body: {
    title: 'Version bump',
    items: ['Change `plugin.json`', 'Change CHANGELOG.md', 'Run `npm run generate`', 'Think of the users'],
  },
  triggers: { tools: ['edit', 'write'], paths: ['**/package.json'] },
});

const BUMP: SimulatedCall = { edit: 'package.json' };
const REST: readonly SimulatedCall[] = [
  { edit: 'plugin.json' },
  { run: 'cat CHANGELOG.md' },
  { edit: 'CHANGELOG.md' },
  { run: 'npm run generate' },
];
/** Another version bump of the same file, which a lesson about a mistake would count as ignored. */
const AGAIN: SimulatedCall = { edit: 'package.json' };

const FOLLOWED = [BUMP, AGAIN, ...REST];
/** Done in another order: what was done before the delivery counts. */
const DONE_BEFORE = [...REST, BUMP];
const HALF: readonly SimulatedCall[] = [BUMP, { edit: 'plugin.json' }, AGAIN, { run: 'git commit -am bump' }];
const OTHER: readonly SimulatedCall[] = [{ run: 'git status' }, { edit: 'src/a.ts' }];
const IGNORED: readonly SimulatedCall[] = [BUMP, AGAIN, { run: 'git push' }];
const CUT_SHORT: readonly SimulatedCall[] = [BUMP];

const SESSIONS = [
  { calls: FOLLOWED, outcome: 'clean', open: [] },
  { calls: HALF, outcome: 'incomplete', open: [2, 3] },
  { calls: OTHER },
  { calls: IGNORED, outcome: 'ignored', open: [1, 2, 3] },
  { calls: IGNORED, outcome: 'ignored', open: [1, 2, 3] },
  { calls: DONE_BEFORE, outcome: 'clean', open: [] },
  { calls: IGNORED, outcome: 'ignored', open: [1, 2, 3] },
  { calls: CUT_SHORT, outcome: 'incomplete', open: [1, 2, 3] },
  { calls: IGNORED, outcome: 'ignored', open: [1, 2, 3] },
  { calls: IGNORED, outcome: 'ignored', open: [1, 2, 3] },
] as const;

async function play(lesson: Lesson, sessions: readonly { readonly calls: readonly SimulatedCall[] }[]) {
  const simulation = await openSimulation(1, { lessons: [lesson] });
  try {
    const shown: boolean[] = [];
    for (const { calls } of sessions) shown.push((await simulation.playCalls(calls)).includes(lesson.id));
    const deliveries = await simulation.store.listDeliveries({ lessonId: lesson.id });
    const after = (await simulation.store.findLesson(lesson.id)) ?? assert.fail();
    const [record] = await simulation.store.listTrackRecords();
    return { shown, deliveries: deliveries.filter(({ kind }) => kind === 'call'), after, record };
  } finally {
    await simulation.close();
  }
}

describe("a person's checklist", () => {
  it('is judged by its own items, gets credit when it was followed, and is never silenced', async () => {
    const { shown, deliveries, after, record } = await play(CHECKLIST, [...SESSIONS, { calls: FOLLOWED }]);
    assert.deepEqual(
      shown,
      [...SESSIONS, { calls: FOLLOWED }].map(({ calls }) => calls !== OTHER),
    );
    const told = SESSIONS.flatMap((session) => ('outcome' in session ? [session] : []));
    assert.deepEqual(
      deliveries.map(({ outcome, items }: StoredDelivery) => ({ outcome, open: items?.open })),
      [...told.map(({ outcome, open }) => ({ outcome, open })), { outcome: 'clean', open: [] }],
    );
    assert.deepEqual([record?.judged, record?.clean], [8, 3]);
    assert.deepEqual([after.status, after.needsReview, after.measure?.doubt], ['active', false, undefined]);
  });

  it('gains confidence where it is followed, and is not quiet afterwards', async () => {
    const hourly = Array.from({ length: 5 }, () => ({ calls: FOLLOWED }));
    const { shown, after } = await play({ ...CHECKLIST, priority: 7 }, hourly);
    assert.deepEqual(shown, [true, true, true, true, true]);
    assert.equal(after.confidence, 0.95);
  });

  it('is not judged where its items are prose', async () => {
    const prose = { title: 'Release', items: ['Think of the users', 'Tell support'] };
    const calls = [BUMP, AGAIN, { run: 'git push' }] as const;
    const sessions = Array.from({ length: 6 }, () => ({ calls }));
    const { deliveries, after } = await play({ ...CHECKLIST, priority: 7, body: prose }, sessions);
    assert.deepEqual(new Set(deliveries.map(({ outcome }) => outcome)), new Set(['incomplete']));
    assert.deepEqual([after.confidence, after.needsReview], [CHECKLIST.confidence, false]);
  });
});
