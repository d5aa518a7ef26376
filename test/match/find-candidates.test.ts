import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { CallView } from '../../src/base/triggers/call-view.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { makeLessonIndex, type Route, toLessonRoutes } from '../../src/keep/manifest/lesson-index.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { findCandidates } from '../../src/match/match-lessons.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toRuns } from '../to-runs.ts';
import { makeCallView, makeShellCall } from '../triggers/make-call-view.ts';
import { callArbitrary, lessonsArbitrary } from './lesson-arbitrary.ts';

/** As if every node were crowded: the index then uses everything known about a lesson. */
const toNarrow = ({ steps }: Route): Route => ({ steps, first: steps.length });
const toRoutes = ({ triggers, scope: { kind, id } }: Lesson): readonly Route[] =>
  toLessonRoutes({
    triggers,
    ...(kind === 'project' && id !== undefined ? { projectId: id } : {}),
    ...(kind === 'session' && id !== undefined ? { sessionId: id } : {}),
  });
const findNarrow = (lessons: readonly Lesson[], call: CallView): readonly string[] => {
  const index = makeLessonIndex(lessons.map((lesson) => toRoutes(lesson).map(toNarrow)));
  const read = JSON.parse(JSON.stringify(index));
  return [...findCandidates(read, call)].map((n) => lessons[n]?.slug ?? '');
};
const make = (slug: string, triggers: Triggers, projectId?: string): Lesson =>
  makeTestLesson({ slug, triggers, ...(projectId === undefined ? {} : { scope: { kind: 'project', id: projectId } }) });

describe('the index', () => {
  it('leads every call to every lesson whose triggers hold', () => {
    fc.assert(
      fc.property(lessonsArbitrary, callArbitrary, (lessons, call) => {
        const found = findNarrow(lessons, call);
        for (const { slug, triggers, scope } of lessons) {
          const isHere = [undefined, call.projectId, call.sessionId].includes(scope.id);
          const { holds } = judgeTriggers(triggers, call);
          if (isHere && holds) assert.ok(found.includes(slug), JSON.stringify(triggers));
        }
      }),
      { numRuns: toRuns(3000) },
    );
  });

  it('leads a call past the lessons of other projects and sessions', () => {
    const gh = { programs: [{ name: 'gh' }] };
    const lessons = [
      make('everywhere', gh),
      make('here', gh, 'prj_here'),
      make('there', gh, 'prj_there'),
      makeTestLesson({ slug: 'then', triggers: gh, scope: { kind: 'session', id: 'then' } }),
    ];
    assert.deepEqual(findNarrow(lessons, makeShellCall('gh pr list')), ['everywhere', 'here']);
  });

  it('separates lessons about one program by sub-command, word and text', () => {
    const git = (more: object, command?: Triggers['command']): Triggers => ({
      programs: [{ name: 'git', ...more }],
      ...(command === undefined ? {} : { command }),
    });
    const lessons = [
      make('log', git({ sub: ['log'] })),
      make('stash-list', git({ sub: ['stash', 'list'] })),
      make('count', git({ args: { any: ['--count', '--total'] } })),
      make('all', git({ args: { all: ['-a', '--amend'] } })),
      make('text', git({}, { match: ['(^| )origin/[a-z]+'] })),
      make('any', git({})),
    ];
    const find = (line: string) => findNarrow(lessons, makeShellCall(line)).toSorted();
    assert.deepEqual(find('git log'), ['any', 'log']);
    assert.deepEqual(find('git stash'), ['any']);
    assert.deepEqual(find('git -C x stash list'), ['any', 'stash-list']);
    assert.deepEqual(find('git show --total=4'), ['any', 'count']);
    assert.deepEqual(find('git commit --amend'), ['all', 'any']);
    assert.deepEqual(find('git diff origin/main'), ['any', 'text']);
  });

  it('separates lessons about files by name, folder and extension', () => {
    const lessons = ['package.json', '*.sql', 'generated/**/*.{ts,tsx}', '**/docs/**', '**'].map((glob) =>
      make(glob, { tools: ['edit'], paths: [glob] }),
    );
    const find = (path: string) => findNarrow(lessons, makeCallView({ tool: 'edit', path })).toSorted();
    assert.deepEqual(find('/repo/package.json'), ['**', 'package.json']);
    assert.deepEqual(find('/repo/db/1.sql'), ['**', '*.sql']);
    assert.deepEqual(find('/repo/generated/a/b.tsx'), ['**', 'generated/**/*.{ts,tsx}']);
    assert.deepEqual(find('/repo/generated/a/b.js'), ['**']);
    assert.deepEqual(find('/repo/docs/a'), ['**', '**/docs/**']);
  });

  it('searches the call for the required texts of regexes, once for many of them', () => {
    const lessons = Array.from({ length: 60 }, (_, n) =>
      make(`n${n}`, { tools: ['shell'], line: { match: [`port-${n}\\b`, `hafen-${n}ü`] } }),
    );
    const index = JSON.parse(JSON.stringify(makeLessonIndex(lessons.map(toRoutes))));
    const find = (line: string) => [...findCandidates(index, makeShellCall(line, { line }))];
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(find('nc localhost port-7'), [7]);
      assert.deepEqual(find('nc hafen-12ü'), [12]);
      assert.deepEqual(find('nc localhost'), []);
    }
  });

  it('is coarse for few lessons, because every start of a hook parses the header', () => {
    const settings = DEFAULT_SETTINGS;
    const make8 = Array.from({ length: 8 }, (_, n) =>
      make(`n${n}`, { programs: [{ name: 'gh', args: { any: [`--o${n}`] } }] }),
    );
    const bytes = compileManifest({ lessons: make8, settings, generatedAt: '' });
    assert.deepEqual(openManifest(bytes)?.header.index, { program: { gh: [0, 1, 2, 3, 4, 5, 6, 7] } });
  });
});
