/** Lessons that are withheld by chance, and what the hook records of those that it skips. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { EventOf } from '../../src/base/model/event.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { CompiledLesson } from '../../src/base/model/manifest.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { factSchema, parseFact } from '../../src/capture/journal/read-facts.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { decideReply } from '../../src/loop/deliver.ts';
import { type DecisionContext, toDecisionFacts } from '../../src/loop/delivery/decision.ts';
import { readSeed } from '../../src/loop/home/holdout-seed.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const AT = '2026-01-01T00:00:00.000Z';
const SEED = 'abcdefgh1234';

const option = (name: string, fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({
    ...{ id: `les_${name}`, slug: `no-${name}`, summary: `gh has no --${name}`, contentHash: name, tags: ['tool:gh'] },
    triggers: { tools: ['shell'], programs: [{ name: 'gh', args: { any: [`--${name}`] } }] },
    ...fields,
  });

type Measured = Pick<CompiledLesson, 'withheld' | 'quietUntil'>;

describe('a lesson that is withheld', () => {
  let dir: string;
  let calls = 0;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-withheld-')));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const ask = (
    lessons: readonly Lesson[],
    measure: (lesson: Lesson) => Measured,
    {
      command = 'gh pr diff --one',
      contextId = '',
      sessionId = 's1',
      settings = {},
      ...context
    }: Partial<DecisionContext> & {
      command?: string;
      contextId?: string;
      sessionId?: string;
      settings?: Partial<Settings>;
    } = {},
  ) => {
    const all = { ...DEFAULT_SETTINGS, ...settings };
    const input = { lessons, settings: all, generatedAt: AT, measure, seed: SEED };
    const manifest = openManifest(compileManifest(input));
    const event: EventOf<'call-started'> = {
      ...{ kind: 'call-started', agent: 'claude-code', sessionId, contextId, at: AT, source: 'hook', cwd: dir },
      ...{ callId: `c${++calls}`, tool: 'shell', rawTool: 'Bash', input: { command, json: '{}' } },
    };
    const decision = decideReply(event, {
      ...{ manifest: manifest ?? assert.fail(), claimsDir: join(dir, 'claims'), pastDir: dir, briefsDir: dir },
      ...{ troubleFile: join(dir, 'trouble'), projectId: 'prj_a', switches: { pauses: [], mutes: [] } },
      ...{ modes: ['note', 'pause'], probe: false, elapsedUs: () => 0, ...context },
    });
    const text = decision.reply?.kind === 'note' ? decision.reply.context : (decision.reply?.kind ?? '');
    const deliveries = decision.deliveries.map(({ lessonId, arm, bytes }) => `${lessonId} ${arm} ${bytes > 0}`);
    return { event, decision, text, deliveries, skipped: decision.skipped };
  };
  const always =
    (...names: readonly string[]) =>
    ({ id }: Lesson): Measured =>
      names.includes(id) ? { withheld: 1 } : {};

  it('is not said, and recorded once for each context, like one that is', () => {
    const lessons = [option('one')];
    const first = ask(lessons, always('les_one'));
    assert.deepEqual([first.text, first.deliveries], ['', ['les_one holdout false']]);
    assert.deepEqual([first.decision.deliveries[0]?.mode, first.decision.deliveries[0]?.bytes], ['note', 0]);
    assert.deepEqual(ask(lessons, always('les_one')).deliveries, []);
    assert.deepEqual(ask(lessons, always('les_one'), { contextId: 'sub' }).deliveries, ['les_one holdout false']);
    assert.equal(first.skipped, undefined);
  });

  it('leaves the others what they would say, and its place to the next', () => {
    const lessons = ['one', 'two', 'three', 'four'].map((name) => option(name, { tags: [] }));
    const command = 'gh pr diff --one --two --three --four';
    const { text, deliveries } = ask(lessons, always('les_one'), { command });
    assert.doesNotMatch(text, /no-one/);
    assert.match(text, /\(no-three\)/);
    assert.deepEqual(deliveries.filter((one) => one.includes('shown')).length, 3);
    assert.ok(deliveries.includes('les_one holdout false'));
  });

  it('is not mentioned among the lessons of its tool either', () => {
    const five = ['one', 'two', 'three', 'four', 'five'].map((name) => option(name));
    const { text } = ask(five, always('les_five'), { command: 'gh pr diff --one --two' });
    assert.match(text, /Also known:[\s\S]*--three/);
    assert.doesNotMatch(text, /--five/);
    const both = ask(five, always('les_one'), { command: 'gh pr diff --one --two', sessionId: 's2' });
    assert.doesNotMatch(both.text, /--one|no-one/);
  });

  it('is said all the same where it is CRITICAL, by itself or here, or holds calls back', () => {
    assert.match(ask([option('one', { priority: 9 })], always('les_one')).text, /\(no-one\)/);
    const lang = option('one', { priority: 8, tags: ['lang:go'] });
    const stacks = { prj_a: ['go'] };
    const boosted = openManifest(
      compileManifest({
        ...{ lessons: [lang], settings: DEFAULT_SETTINGS, generatedAt: AT, seed: SEED, stacks },
        ...{ measure: always('les_one') },
      }),
    );
    assert.match(
      ask([lang], always('les_one'), { manifest: boosted ?? assert.fail(), sessionId: 's2' }).text,
      /no-one/,
    );
    const pause = option('one', { mode: 'pause', reviewedBy: 'ann' });
    const delivery = { ...DEFAULT_SETTINGS.delivery, maxMode: 'pause' } as const;
    assert.equal(ask([pause], always('les_one'), { sessionId: 's3', settings: { delivery } }).text, 'refusal');
    // Its second word in another context is a note, and still not withheld.
    assert.match(
      ask([pause], always('les_one'), { sessionId: 's3', contextId: 'sub', settings: { delivery } }).text,
      /\(no-one\)/,
    );
  });

  it('is said to a probe, and where the share has become none', () => {
    assert.match(ask([option('one')], always('les_one'), { probe: true }).text, /\(no-one\)/);
    const settings = { holdout: { share: 0, after: 5 } };
    assert.match(ask([option('one')], always('les_one'), { settings }).text, /\(no-one\)/);
  });

  describe('a lesson that is skipped', () => {
    it('is told with the reason: no room, quiet, muted', () => {
      const lessons = ['one', 'two'].map((name) => option(name, { tags: [] }));
      const command = 'gh pr diff --one --two';
      const settings = { maxLessonsPerInjection: 1 };
      assert.deepEqual(ask(lessons, () => ({}), { command, settings }).skipped, [
        { lessonId: 'les_two', reason: 'budget' },
      ]);
      const quiet = ask(lessons, () => ({ quietUntil: '2999-01-01T00:00:00.000Z' }), { sessionId: 's2' });
      assert.deepEqual([quiet.text, quiet.skipped], ['', [{ lessonId: 'les_one', reason: 'quiet' }]]);
      const switches = { pauses: [], mutes: [{ lessonId: 'les_one' }] };
      const muted = ask(lessons, () => ({}), { sessionId: 's3', switches });
      assert.deepEqual(muted.skipped, [{ lessonId: 'les_one', reason: 'muted' }]);
    });

    it('is told without a word of it, as a fact that comes back as it was', () => {
      const { event, decision } = ask([option('one')], () => ({ quietUntil: '2999-01-01T00:00:00.000Z' }));
      const facts = toDecisionFacts(event, decision);
      assert.deepEqual(
        facts.map(({ kind }) => kind),
        ['skipped'],
      );
      const line = JSON.stringify(facts[0]);
      assert.deepEqual(parseFact(line), facts[0]);
      assert.deepEqual(factSchema.parse(JSON.parse(line)), facts[0]);
      assert.doesNotMatch(line, /gh|Lesson from/);
    });

    it('is no fact where it was said before in this context', () => {
      ask([option('one')], () => ({}));
      const { event, decision } = ask([option('one')], () => ({}));
      assert.deepEqual(toDecisionFacts(event, decision), []);
    });
  });

  it('is drawn from a seed that is made once, whoever compiles first, and read by all', () => {
    const file = join(dir, 'manifest.json');
    const seed = readSeed(file) ?? assert.fail();
    assert.match(seed, /^[0-9a-z]{20}$/);
    assert.equal(readSeed(file), seed);
    const program = `import { readSeed } from ${JSON.stringify(join(import.meta.dirname, '../../src/loop/home/holdout-seed.ts'))}; process.stdout.write(readSeed(process.argv[1]) ?? '');`;
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', program, file], { encoding: 'utf8' });
    assert.equal(told, seed);
    writeFileSync(join(dir, 'holdout-seed'), '');
    assert.match(readSeed(file) ?? '', /^[0-9a-z]{20}$/, 'a broken one is made anew');
    assert.equal(readSeed(join(dir, 'none', 'manifest.json')), undefined, 'what cannot be kept is not drawn from');
  });
});
