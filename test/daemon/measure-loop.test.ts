/** Events of hooks through the whole loop: what they say about a lesson that was shown, or kept silent, before them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { FACT_VERSION, type Fact } from '../../src/base/model/fact.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { compileLessons } from '../../src/loop/compile-lessons.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { type Loop, makeLoop } from '../../src/loop/learn.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeDelivery } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const START_MS = Date.parse('2026-03-01T10:00:00.000Z');
const DAY_MS = 24 * 60 * 60_000;
const ERROR = 'unknown flag: --stat';
const MISTAKE = 'gh pr diff 1 --stat';

describe('what hooks tell', () => {
  const home = toDataHome(mkdtempSync(join(tmpdir(), 'oncebitten-told-')));
  const { manifestFile, switchesFile, storeFile, dir } = home;
  // Nothing is withheld: this is about what is said, and what is not.
  const settings = { ...DEFAULT_SETTINGS, holdout: { share: 0, after: 5 } };
  let store: Store;
  let loop: Loop;
  let lesson: Lesson;
  let count = 0;
  let nowMs = START_MS;
  before(async () => {
    store = await openStore({ url: '', file: storeFile });
  });
  after(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const { signature } = toSignature('gh', ERROR) ?? assert.fail();
    for (const { id } of await store.listLessons()) await store.updateLessons([id], retire);
    lesson = makeTestLesson({
      ...{ id: `les_${++count}`, slug: `l-${count}`, contentHash: `${count}`, signatureId: signature.id },
      ...{ origin: { kind: 'episode', by: 'test', trust: 'observed' }, confidence: 0.7, scope: { kind: 'user' } },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', evidence: [] },
    });
    await store.saveLesson(lesson, { by: 'test', reason: 'made', at: lesson.createdAt });
    // Each story on a day of its own.
    nowMs = START_MS + count * DAY_MS;
    loop = makeLoop({ store, settings, manifestFile, switchesFile, now: () => nowMs });
  });

  const retire = ([one]: readonly (Lesson | undefined)[]) =>
    one === undefined
      ? []
      : [
          {
            lesson: { ...one, status: 'archived' as const },
            change: { by: 'test', reason: 'over', at: one.updatedAt },
          },
        ];
  const tick = (): string => {
    nowMs += 1_000;
    return new Date(nowMs).toISOString();
  };
  const sessionId = () => `told-${count}`;
  const event = (callId: string, command: string) => ({
    ...{ agent: 'claude-code', sessionId: sessionId(), contextId: '', source: 'hook' as const, cwd: dir },
    ...{ at: tick() },
    ...{ callId, tool: 'shell' as const, rawTool: 'Bash', input: { command, json: JSON.stringify({ command }) } },
  });
  const start = (callId: string, command = MISTAKE): AgentEvent => ({
    kind: 'call-started',
    ...event(callId, command),
  });
  const end = (callId: string, command = MISTAKE, text = ERROR): AgentEvent => ({
    ...{ kind: 'call-ended', ...event(callId, command) },
    result: { isError: text !== '', exitCode: text === '' ? 0 : 1, text },
  });
  const said = ({ sessionId, at }: AgentEvent, callId: string): Fact => ({
    ...{ v: FACT_VERSION, agent: 'claude-code', sessionId, at, kind: 'delivered' },
    delivery: makeDelivery({ id: `dlv_${count}`, lessonId: lesson.id, sessionId, callId, deliveredAt: at }),
  });
  const outcome = async () => (await store.listDeliveries({ sessionId: sessionId() }))[0]?.outcome;
  /** Each by itself, as a daemon hears them. */
  const tell = async (...events: readonly AgentEvent[]): Promise<void> => {
    for (const [n, one] of events.entries()) await loop.takeEvents([one], n === 0 ? [said(one, 'a')] : []);
  };

  for (const [first, second] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const)
    it(`two calls side by side do not judge the note at one of them: ${first} ends first`, async () => {
      await tell(start('a'), start('b'), end(first), end(second));
      assert.equal(await outcome(), undefined);
      await tell(start('c'), end('c'));
      assert.equal(await outcome(), 'ignored');
    });

  it('a call whose end is never told is over when the user speaks again', async () => {
    const { input: _, tool: __, rawTool: ___, callId: ____, ...origin } = event('', '');
    await tell(start('a'), { ...origin, kind: 'prompted', text: 'go on' }, start('b'), end('b'));
    assert.equal(await outcome(), 'ignored');
  });

  it('the mistake that works is clean, earns no trust, and speaks against the trigger', async () => {
    await tell(start('a'), end('a'), start('b'), end('b', MISTAKE, ''));
    assert.equal(await outcome(), 'clean');
    const { confidence, mode, validity } = (await store.findLesson(lesson.id)) ?? assert.fail();
    assert.deepEqual([confidence, mode, validity.refutedBy?.length], [lesson.confidence, 'note', 1]);
  });

  /** In the last minutes, so many times. */
  const follow = async (times: number): Promise<void> => {
    for (let n = 1; n <= times; n++) {
      const at = new Date(nowMs - n * 60_000).toISOString();
      const place = { lessonId: lesson.id, sessionId: `followed-${count}-${n}`, deliveredAt: at };
      await store.saveDelivery(makeDelivery({ id: `dlv_${count}_${n}`, ...place }));
      await store.judgeDelivery(`dlv_${count}_${n}`, 'clean', at);
    }
    await compileLessons({ store, settings, manifestFile, now: () => nowMs });
  };
  const compiled = () =>
    openManifest(readFileSync(manifestFile))
      ?.all()
      .find(({ id }) => id === lesson.id);
  const quietUntil = () => compiled()?.quietUntil;
  const change = (fields: Partial<Lesson>) =>
    store.updateLessons([lesson.id], ([one = assert.fail()]) => [
      { lesson: { ...one, ...fields }, change: { by: 'test', reason: 'changed', at: one.updatedAt } },
    ]);
  /** The mistake, of which the hook said nothing because the lesson was quiet. */
  const makeQuietly = async (text: string): Promise<void> => {
    const asked = start('a');
    const skipped = [{ lessonId: lesson.id, reason: 'quiet' as const }];
    const place = { v: FACT_VERSION, agent: asked.agent, sessionId: asked.sessionId, at: asked.at };
    await loop.takeEvents([asked], [{ ...place, kind: 'skipped', contextId: '', callId: 'a', skipped }]);
    await loop.takeEvents([end('a', MISTAKE, text)], []);
  };

  it('a mistake while the lesson was quiet makes it speak again', async () => {
    await follow(3);
    assert.equal(quietUntil(), new Date(nowMs - 60_000 + DAY_MS).toISOString());
    await makeQuietly(ERROR);
    assert.equal(quietUntil(), undefined);
  });

  it('of a person’s own lesson the deed is the mistake, also where it works', async () => {
    const { signatureId: _, ...own } = lesson;
    lesson = { ...own, id: `les_own_${count}`, slug: `own-${count}`, contentHash: `own-${count}` };
    await store.saveLesson(lesson, { by: 'user:ann', reason: 'written', at: lesson.createdAt });
    await follow(3);
    assert.notEqual(quietUntil(), undefined);
    await makeQuietly('');
    assert.equal(quietUntil(), undefined);
  });

  it('what a person vouches for as CRITICAL is never quiet and weighs no less, whatever was measured', async () => {
    const { signatureId: _, ...own } = lesson;
    const origin = { kind: 'user', by: 'ann', trust: 'stated' } as const;
    const named = { id: `les_own_${count}`, slug: `own-${count}`, contentHash: `own-${count}` };
    lesson = { ...own, ...named, origin, priority: 9 };
    await store.saveLesson(lesson, { by: 'user:ann', reason: 'written', at: lesson.createdAt });
    await follow(3);
    assert.equal(quietUntil(), undefined);
    for (let n = 0; n < 20; n++) {
      const at = new Date(nowMs - 60_000).toISOString();
      const place = { lessonId: lesson.id, sessionId: `ignored-${count}-${n}`, deliveredAt: at };
      await store.saveDelivery(makeDelivery({ id: `dlv_i${count}_${n}`, ...place }));
      await store.judgeDelivery(`dlv_i${count}_${n}`, 'ignored', at);
    }
    await follow(1);
    assert.equal(compiled()?.measured, 1);
  });

  it('a lesson that could not be trusted more falls quiet as soon as it was followed often enough', async () => {
    await change({ confidence: 0.95 });
    await follow(2);
    assert.equal(quietUntil(), undefined);
    await tell(start('a'), end('a'), start('b', 'gh pr diff 1 --name-only'), end('b', 'gh pr diff 1 --name-only', ''));
    assert.equal(await outcome(), 'clean');
    assert.equal((await store.findLesson(lesson.id))?.confidence, 0.95);
    assert.notEqual(quietUntil(), undefined);
  });

  it('what was measured before a person decided is in no manifest: no weight, and no silence', async () => {
    await follow(6);
    assert.deepEqual([compiled()?.measured, quietUntil() !== undefined], [1.5, true]);
    await change({ measure: { from: new Date(nowMs - 3.5 * 60_000).toISOString() } });
    await compileLessons({ store, settings, manifestFile, now: () => nowMs });
    assert.deepEqual([compiled()?.measured, quietUntil() !== undefined], [undefined, true], 'three of them count');
    await change({ measure: { from: new Date(nowMs).toISOString() } });
    await compileLessons({ store, settings, manifestFile, now: () => nowMs });
    assert.deepEqual([compiled()?.measured, quietUntil()], [undefined, undefined]);
  });

  it('a clock that was ahead once makes no lesson quiet for longer than a day, nor keeps it from falling quiet', async () => {
    const ahead = new Date(nowMs + 400 * DAY_MS).toISOString();
    await store.saveDelivery(makeDelivery({ id: `dlv_${count}_a`, lessonId: lesson.id, deliveredAt: ahead }));
    await store.judgeDelivery(`dlv_${count}_a`, 'clean', ahead);
    await store.saveDelivery(makeDelivery({ id: `dlv_${count}_b`, lessonId: lesson.id, deliveredAt: ahead }));
    await store.judgeDelivery(`dlv_${count}_b`, 'ignored', ahead);
    await follow(2);
    assert.equal(quietUntil(), undefined);
    await follow(3);
    assert.equal(quietUntil(), new Date(nowMs - 60_000 + DAY_MS).toISOString());
    await tell(start('a'), end('a'), start('b'), end('b'));
    assert.deepEqual([await outcome(), quietUntil()], ['ignored', undefined]);
  });

  it('a lesson that is measured from a time to come is measured from now on', async () => {
    await change({ measure: { from: new Date(nowMs + 400 * DAY_MS).toISOString(), on: ['model-1'] } });
    await follow(3);
    const { measure } = (await store.findLesson(lesson.id)) ?? assert.fail();
    assert.deepEqual(measure, { from: new Date(nowMs).toISOString(), on: ['model-1'] });
    assert.equal(quietUntil(), undefined, 'what was before does not count');
    nowMs += DAY_MS;
    const at = new Date(nowMs - 60_000).toISOString();
    for (const n of [7, 8, 9]) {
      await store.saveDelivery(makeDelivery({ id: `dlv_${count}_${n}`, lessonId: lesson.id, deliveredAt: at }));
      await store.judgeDelivery(`dlv_${count}_${n}`, 'clean', at);
    }
    await compileLessons({ store, settings, manifestFile, now: () => nowMs });
    assert.notEqual(quietUntil(), undefined);
  });
});
