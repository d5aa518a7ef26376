import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson, Scope } from '../../src/base/model/lesson.ts';
import { findCallSilence } from '../../src/base/model/may-fire.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { CallView } from '../../src/base/triggers/call-view.ts';
import { checkTriggers } from '../../src/base/triggers/check-triggers.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { type Manifest, openManifest } from '../../src/match/manifest.ts';
import { byRank, findCandidates, matchLessons, toScore } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toRuns } from '../to-runs.ts';
import { makeCallView, makeShellCall } from '../triggers/make-call-view.ts';
import { callArbitrary, lessonsArbitrary } from './lesson-arbitrary.ts';

const open = (lessons: readonly Lesson[]): Manifest => {
  const settings = { ...DEFAULT_SETTINGS, minScore: 0 };
  const bytes = compileManifest({ lessons, settings, generatedAt: '2026-01-01T00:00:00.000Z' });
  return openManifest(bytes) ?? assert.fail('not a manifest');
};

/** Checks every lesson, without the index. */
const findPlainly = (manifest: Manifest, call: CallView): readonly string[] =>
  manifest
    .all()
    .flatMap((lesson) => {
      const score = toScore(lesson, call, manifest.header);
      const { holds } = checkTriggers(lesson.triggers, lesson, call);
      const facts = { place: call, holds, weight: score, settings: manifest.header.settings };
      return findCallSilence(lesson, facts) === undefined ? [{ lesson, score }] : [];
    })
    .sort(byRank)
    .map(({ lesson }) => lesson.slug);
const assertAlike = (manifest: Manifest, calls: readonly CallView[]): void => {
  for (const call of calls) {
    const found = matchLessons(manifest, call).map(({ lesson }) => lesson.slug);
    assert.deepEqual(found, findPlainly(manifest, call), JSON.stringify(call));
  }
};

/** Among them names that every object inherits, and letters outside Latin-1. */
const WORDS = [
  ...['data', 'dštš', 'constructor', '__proto__', 'été', '数据库', '🙂lo', 'cache', 'batch', 'bach', 'abcabc', 'aaaa'],
  ...['aa', 'config', 'confine', 'fig', 'order-by', 'reorder', 'a_b', 'toString', 'x'.repeat(190)],
];
const word = fc.constantFrom(...WORDS);
/** Few, so that many lessons share a node. */
const program = fc.constantFrom('data', '__proto__');
const words = fc.array(word, { minLength: 1, maxLength: 2 });
const option = word.map((one) => `--${one}`);
const programs = fc
  .record({
    name: program,
    sub: words,
    args: fc.record({ any: fc.array(fc.oneof(option, word), { minLength: 1, maxLength: 3 }) }),
  })
  .chain((all) => fc.constantFrom<Triggers>({ programs: [all] }, { programs: [{ name: all.name, args: all.args }] }));
const texts = words.chain((match) =>
  fc.constantFrom<Triggers>(
    { tools: ['edit'], content: { match } },
    { tools: ['shell'], line: { match } },
    { command: { match: [match.join('=')] } },
    { input: { match: [match.join('')] } },
  ),
);
const files = fc
  .tuple(word, word)
  .chain(([a, b]) =>
    fc.constantFrom<Triggers>(
      { paths: [`${a}/**`] },
      { paths: [`${a}.${b}`] },
      { paths: [`*.${a}`] },
      { paths: [`${a}/**/*.${b}`] },
    ),
  );
const scope = fc.constantFrom<Scope[]>(
  { kind: 'user' },
  { kind: 'project', id: 'prj_here' },
  { kind: 'project', id: 'constructor' },
  { kind: 'session', id: 'now' },
);
const lessons = fc
  .array(fc.record({ triggers: fc.oneof(programs, texts, files), scope }), {
    minLength: 20,
    maxLength: 120,
    size: 'max',
  })
  .map((all) => all.map((fields, n) => makeTestLesson({ ...fields, slug: `n${n}` })));
const where = fc.record({
  projectId: fc.constantFrom('prj_here', 'constructor', '__proto__'),
  sessionId: fc.constantFrom('now', 'then'),
});
const given = fc.tuple(option, word).map((both) => both.join('='));
const shellCall = fc
  .tuple(fc.oneof(program, word), fc.array(fc.oneof(word, option, given), { maxLength: 6 }), where)
  .map(([name, rest, at]) => {
    const line = [name, ...rest].join(' ');
    return makeShellCall(line, { line, json: JSON.stringify(rest), ...at });
  });
const editCall = fc
  .tuple(fc.array(fc.oneof(word, fc.constant('')), { minLength: 1, maxLength: 4 }), word, fc.array(word), where)
  .map(([path, ext, all, at]) => {
    const content = all.join('');
    return makeCallView({ tool: 'edit', path: `/${path.join('/')}.${ext}`, content, json: content, ...at });
  });
const calls = fc.array(fc.oneof(shellCall, editCall), { minLength: 1, maxLength: 6 });

describe('matching through the index', () => {
  it('finds exactly the lessons that a check of every lesson finds', () => {
    fc.assert(
      fc.property(lessons, calls, (all, some) => assertAlike(open(all), some)),
      { numRuns: toRuns(300) },
    );
  });

  it('does so for every kind of trigger', () => {
    fc.assert(
      fc.property(lessonsArbitrary, fc.array(callArbitrary, { minLength: 1, maxLength: 5 }), (all, some) =>
        assertAlike(open(all), some),
      ),
      { numRuns: toRuns(300) },
    );
  });

  it('finds texts in the line, the input and a command of one call', () => {
    const all = Array.from({ length: 40 }, (_, n) => [
      makeTestLesson({ slug: `line-${n}`, triggers: { tools: ['shell'], line: { match: [`alpha${n}word`] } } }),
      makeTestLesson({ slug: `input-${n}`, triggers: { tools: ['shell'], input: { match: [`beta${n}word`] } } }),
      makeTestLesson({
        slug: `command-${n}`,
        triggers: { tools: ['shell'], programs: [{ name: 'prog' }], command: { match: [`gamma${n}word`] } },
      }),
    ]).flat();
    const line = 'prog --x gamma7word alpha3word beta5word';
    const found = matchLessons(open(all), makeShellCall(line, { line, json: JSON.stringify({ command: line }) }));
    assert.deepEqual(found.map(({ lesson }) => lesson.slug).sort(), ['command-7', 'input-5', 'line-3']);
  });

  it('leads each of 500 programs to its own lesson, and another program to none', () => {
    const named = (n: number) => `tool-${n}`;
    const all = Array.from({ length: 500 }, (_, n) =>
      makeTestLesson({ slug: named(n), triggers: { programs: [{ name: named(n) }] } }),
    );
    const manifest = open(all);
    for (let n = 0; n < 500; n++) {
      const found = matchLessons(manifest, makeShellCall(named(n))).map(({ lesson }) => lesson.slug);
      assert.deepEqual(found, [named(n)]);
    }
    assert.equal(findCandidates(manifest.header.index, makeShellCall('tool-500')).size, 0);
  });
});
