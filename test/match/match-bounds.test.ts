import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/settings.ts';
import type { Triggers } from '../../src/base/trigger.ts';
import { compileManifest } from '../../src/keep/compile-manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { type Manifest, openManifest } from '../../src/match/open-manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeMatchCall, makeShellCall } from './make-match-call.ts';

const open = (lessons: readonly Lesson[]): Manifest => {
  const input = { lessons, settings: DEFAULT_SETTINGS, generatedAt: '2026-01-01T00:00:00.000Z', render: () => 'x' };
  return openManifest(compileManifest(input)) ?? assert.fail('not a manifest');
};
const repeat = (count: number, triggers: (n: number) => Triggers): readonly Lesson[] =>
  Array.from({ length: count }, (_, n) => makeTestLesson({ slug: `n${n}`, priority: 8, triggers: triggers(n) }));
/** Far above what any of it takes on a busy machine, far under what it would take without bounds. */
const TIME_MS = 5000;
const timed = <T>(work: () => T): T => {
  const startedMs = performance.now();
  const result = work();
  assert.ok(performance.now() - startedMs < TIME_MS);
  return result;
};

/** Backtracks over all of a long text: tens of milliseconds for each. */
const SLOW = 'a.*b.*c.*d$';
const LONG = 'abc'.repeat(20_000);

describe('matching within its time', () => {
  it('gives nothing once it is late, and looks at no more lessons', () => {
    const manifest = open(repeat(2000, () => ({ tools: ['shell'] })));
    let asked = 0;
    let looked = 0;
    const counting: Manifest = {
      ...manifest,
      get: (n) => {
        looked++;
        return manifest.get(n);
      },
    };
    assert.equal(matchLessons(manifest, makeShellCall('ls')).length, 2000);
    assert.deepEqual(
      matchLessons(counting, makeShellCall('ls'), () => ++asked > 3),
      [],
    );
    assert.ok(looked < 100, `${looked} lessons`);
  });

  it('looks at nothing when the call alone took its time to be parsed', () => {
    const manifest = open(repeat(1, () => ({ tools: ['shell'] })));
    const unread: Manifest = { ...manifest, get: () => assert.fail('looked at') };
    let asked = 0;
    assert.deepEqual(
      matchLessons(unread, makeShellCall('ls'), () => ++asked > 0),
      [],
    );
    assert.equal(asked, 1);
  });

  it('is silent when thousands of slow lessons are asked, not slow itself', () => {
    const manifest = open(repeat(3000, () => ({ tools: ['edit'], content: { match: [SLOW] } })));
    const call = makeMatchCall({ tool: 'edit', path: '/repo/a.ts', content: LONG });
    const endMs = performance.now() + 50;
    assert.deepEqual(
      timed(() => matchLessons(manifest, call, () => performance.now() > endMs)),
      [],
    );
  });

  it('does not look for ever behind texts that are only said', () => {
    const manifest = open(repeat(1, () => ({ tools: ['shell'], command: { match: ['needle'] } })));
    const said = (count: number) => makeShellCall(`git commit ${'-m "needle" '.repeat(count)}`);
    assert.equal(timed(() => matchLessons(manifest, said(5000))).length, 0);
    const meant = makeShellCall(`git commit ${'-m "needle" '.repeat(20)} needle`);
    assert.equal(matchLessons(manifest, meant).length, 1);
  });

  it('is silent when one lesson asks for thousands of slow texts', () => {
    const match = Array.from({ length: 3000 }, () => SLOW);
    const manifest = open(repeat(1, () => ({ tools: ['edit'], content: { match } })));
    const call = makeMatchCall({ tool: 'edit', path: '/repo/a.ts', content: LONG });
    const endMs = performance.now() + 50;
    assert.deepEqual(
      timed(() => matchLessons(manifest, call, () => performance.now() > endMs)),
      [],
    );
  });

  const lessons = [
    ...repeat(200, (n) => ({ programs: [{ name: 'git', sub: [`s${n}`], args: { any: [`--o${n}`] } }] })),
    ...repeat(200, (n) => ({ tools: ['shell'], command: { match: [`needle-${n}\\b`] } })),
    ...repeat(200, (n) => ({ tools: ['edit'], content: { match: [`needle-${n}\\b`] } })),
    ...repeat(50, (n) => ({ paths: [`f${n}/**/*.ts`] })),
  ];
  const MEGABYTE = 1_000_000;
  for (const unit of [
    'git;',
    '$(git ',
    'git x ',
    '--o=',
    '"git" ',
    'git <<E\nx\nE\n',
    'git|git&&',
    'needle-',
    '`$(git ',
  ]) {
    it(`takes a command of 1 MB: ${JSON.stringify(unit)} again and again`, () => {
      const line = unit.repeat(MEGABYTE / unit.length);
      const manifest = open(lessons);
      timed(() => matchLessons(manifest, makeShellCall(line, { line, json: JSON.stringify({ command: line }) })));
    });
  }

  for (const unit of ['needle-', 'x', 'const a = 1;\n', 'é ', '/']) {
    it(`takes an edit of 5 MB and a path as long: ${JSON.stringify(unit)} again and again`, () => {
      const content = unit.repeat((5 * MEGABYTE) / unit.length);
      const manifest = open(lessons);
      const call = makeMatchCall({ tool: 'edit', path: content, content, json: content });
      timed(() => matchLessons(manifest, call));
    });
  }

  it('finds a text in the first 64 KiB of a large edit, and no farther', () => {
    const manifest = open(lessons);
    const find = (content: string) =>
      matchLessons(manifest, makeMatchCall({ tool: 'edit', path: '/a', content })).map(({ lesson }) => lesson.slug);
    const rest = 'x '.repeat(2 * MEGABYTE);
    assert.deepEqual(find(`${'x '.repeat(30_000)} needle-7 ${rest}`), ['n7']);
    assert.deepEqual(find(`${rest} needle-7 `), []);
  });

  it('never runs a regex that came in by a file and could run for ever', () => {
    const manifest = open(
      repeat(20, (n) => ({ tools: ['shell'], command: { match: [n % 2 === 0 ? '^(a+)+\\1$' : '^(?=(a+)+$)a'] } })),
    );
    const call = makeShellCall(`${'a'.repeat(60)}!`);
    assert.deepEqual(
      timed(() => matchLessons(manifest, call)),
      [],
    );
  });
});
