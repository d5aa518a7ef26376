import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { type Manifest, openManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { assertLinear, measureCpuMs } from '../measure-cpu.ts';
import { makeCallView, makeShellCall } from '../triggers/make-call-view.ts';

const open = (lessons: readonly Lesson[]): Manifest => {
  const input = { lessons, settings: DEFAULT_SETTINGS, generatedAt: '2026-01-01T00:00:00.000Z' };
  return openManifest(compileManifest(input)) ?? assert.fail('not a manifest');
};
const repeat = (count: number, triggers: (n: number) => Triggers): readonly Lesson[] =>
  Array.from({ length: count }, (_, n) => makeTestLesson({ slug: `n${n}`, priority: 8, triggers: triggers(n) }));
/** The same manifest, with a count of the lessons that were checked. */
const counting = (manifest: Manifest) => {
  const counted = { looked: 0 };
  const get = (n: number) => {
    counted.looked++;
    return manifest.get(n);
  };
  return { manifest: { ...manifest, get }, counted };
};

/** Backtracks over all of a long text: tens of milliseconds for each. */
const SLOW = 'a.*b.*c.*d$';
const LONG = 'abc'.repeat(20_000);

describe('matching within its time', () => {
  it('returns nothing after the deadline, and checks no more lessons', () => {
    const manifest = open(repeat(2000, () => ({ tools: ['shell'] })));
    let asked = 0;
    const { manifest: watched, counted } = counting(manifest);
    assert.equal(matchLessons(manifest, makeShellCall('ls')).length, 2000);
    assert.deepEqual(
      matchLessons(watched, makeShellCall('ls'), () => ++asked > 3),
      [],
    );
    assert.ok(counted.looked < 100, `${counted.looked} lessons`);
  });

  it('checks no lesson if parsing the call took all the time', () => {
    const manifest = open(repeat(1, () => ({ tools: ['shell'] })));
    const unread: Manifest = { ...manifest, get: () => assert.fail('looked at') };
    let asked = 0;
    assert.deepEqual(
      matchLessons(unread, makeShellCall('ls'), () => ++asked > 0),
      [],
    );
    assert.equal(asked, 1);
  });

  it('returns nothing, in time, if thousands of slow lessons match the index', () => {
    const { manifest, counted } = counting(open(repeat(3000, () => ({ tools: ['edit'], content: { match: [SLOW] } }))));
    const call = makeCallView({ tool: 'edit', path: '/repo/a.ts', content: LONG });
    const endMs = performance.now() + 50;
    assert.deepEqual(
      matchLessons(manifest, call, () => performance.now() > endMs),
      [],
    );
    // All of them would take minutes.
    assert.ok(counted.looked < 1000, `${counted.looked} lessons`);
  });

  it('does not search endlessly in plain texts', () => {
    const manifest = open(repeat(1, () => ({ tools: ['shell'], command: { match: ['needle'] } })));
    const said = (count: number) => makeShellCall(`git commit ${'-m "needle" '.repeat(count)}`);
    assert.equal(matchLessons(manifest, said(5000)).length, 0);
    assertLinear((count) => matchLessons(manifest, said(count)), 1000);
    const meant = makeShellCall(`git commit ${'-m "needle" '.repeat(20)} needle`);
    assert.equal(matchLessons(manifest, meant).length, 1);
  });

  it('returns nothing, in time, if one lesson has thousands of slow patterns', () => {
    const ask = (texts: number) =>
      open(
        repeat(1, () => ({
          tools: ['edit'],
          content: { match: Array.from({ length: texts }, (_, n) => `${SLOW}${n}`) },
        })),
      );
    const call = makeCallView({ tool: 'edit', path: '/repo/a.ts', content: LONG });
    const [one, many] = [ask(1), ask(3000)];
    const oneMs = measureCpuMs(() => matchLessons(one, call));
    let asked = 0;
    const manyMs = measureCpuMs(() =>
      assert.deepEqual(
        matchLessons(many, call, () => ++asked > 3),
        [],
      ),
    );
    assert.ok(manyMs < 100 * oneMs, `${manyMs} ms, a single text ${oneMs} ms`);
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
    it(`accepts a command of 1 MB: ${JSON.stringify(unit)} repeated`, () => {
      const manifest = open(lessons);
      assertLinear((length) => {
        const line = unit.repeat(length / unit.length);
        matchLessons(manifest, makeShellCall(line, { line, json: JSON.stringify({ command: line }) }));
      }, MEGABYTE / 4);
    });
  }

  for (const unit of ['needle-', 'x', 'const a = 1;\n', 'é ', '/']) {
    it(`accepts an edit of 5 MB and a path as long: ${JSON.stringify(unit)} repeated`, () => {
      const manifest = open(lessons);
      assertLinear(
        (length) => {
          const content = unit.repeat(length / unit.length);
          matchLessons(manifest, makeCallView({ tool: 'edit', path: content, content, json: content }));
        },
        (5 * MEGABYTE) / 4,
      );
    });
  }

  it('finds a text in the first 64 KiB of a large edit, and no further', () => {
    const manifest = open(lessons);
    const find = (content: string) =>
      matchLessons(manifest, makeCallView({ tool: 'edit', path: '/a', content })).map(({ lesson }) => lesson.slug);
    const rest = 'x '.repeat(2 * MEGABYTE);
    assert.deepEqual(find(`${'x '.repeat(30_000)} needle-7 ${rest}`), ['n7']);
    assert.deepEqual(find(`${rest} needle-7 `), []);
  });

  it('never runs a regex from a file that could run for ever', () => {
    const manifest = open(
      repeat(20, (n) => ({ tools: ['shell'], command: { match: [n % 2 === 0 ? '^(a+)+\\1$' : '^(?=(a+)+$)a'] } })),
    );
    // It would never end.
    const call = makeShellCall(`${'a'.repeat(60)}!`);
    assert.deepEqual(matchLessons(manifest, call), []);
  });
});
