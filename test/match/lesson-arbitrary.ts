/** Lessons and calls out of one small stock of words, so that many of them meet. */
import fc from 'fast-check';
import type { Lesson, Scope } from '../../src/base/lesson.ts';
import type { Triggers } from '../../src/base/trigger.ts';
import type { MatchCall } from '../../src/match/match-call.ts';
import { type AskPast, renderCondition } from '../../src/match/session-past.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeMatchCall, makeShellCall } from './make-match-call.ts';

const TOOLS = ['shell', 'edit', 'write', 'read', 'mcp:jira'] as const;
/** Two of them are names that an object has by itself. */
const PROGRAMS = ['gh', 'git', 'constructor', '__proto__'];
const WORDS = ['pr', 'diff', '--stat', '--web', '--stat=4', 'x'];
const REGEXES = ['stat', '^g', 'x$', '('];
const PATHS = ['/repo/a.ts', '/repo/src/b.ts', '/repo/c.sql'];
const GLOBS = ['*.ts', 'src/**', '/repo/*', '[z-a]'];
const TEXTS = ['stat', 'g x', ''];
const AGENTS = ['reviewer', 'planner'];

const some = <T>(of: readonly T[]) => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 2 });
const part = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Without the parts that are absent, as JSON gives it. */
const present = <T extends object>(fields: T): T => JSON.parse(JSON.stringify(fields)) as T;

const text = fc.record({ match: part(some(REGEXES)), unless: part(some(REGEXES)) });
const program = fc.record({
  name: fc.constantFrom(...PROGRAMS),
  sub: part(fc.array(fc.constantFrom('pr', 'diff'), { minLength: 1, maxLength: 2 })),
  args: part(fc.record({ any: part(some(WORDS)), all: part(some(WORDS)), none: part(some(WORDS)) })),
});

const condition = fc.oneof(
  fc.constantFrom(...PROGRAMS).map((ran) => ({ ran })),
  fc.constantFrom('{path}', 'b.ts').map((read) => ({ read })),
);
/** Some of it happened, some did not, of some nobody can tell. */
const past: fc.Arbitrary<AskPast> = fc
  .array(fc.constantFrom(true, false, undefined), { minLength: 7, maxLength: 7 })
  .map((answers) => (asked) => answers[renderCondition(asked.meant).length % answers.length]);

const triggers: fc.Arbitrary<Triggers> = fc
  .record({
    tools: part(some(TOOLS)),
    programs: part(fc.array(program, { minLength: 1, maxLength: 2 })),
    command: part(text),
    paths: part(some(GLOBS)),
    content: part(text),
    session: part(fc.record({ unless: fc.array(condition, { minLength: 1, maxLength: 2 }) })),
    subagents: part(some(AGENTS)),
  })
  // All at once never meet a call.
  .chain((all) =>
    fc.subarray(Object.keys(all)).map((keys) => Object.fromEntries(keys.map((k) => [k, all[k as keyof typeof all]]))),
  )
  .map((given) => present(given) as Triggers);

const scope: fc.Arbitrary<Scope> = fc.constantFrom(
  { kind: 'user' },
  { kind: 'team' },
  { kind: 'project', id: 'prj_here' },
  { kind: 'project', id: 'prj_there' },
  { kind: 'session', id: 'now' },
  { kind: 'session', id: 'then' },
);

export const lessonsArbitrary: fc.Arbitrary<readonly Lesson[]> = fc
  .array(fc.record({ triggers, scope, priority: fc.integer({ min: 1, max: 10 }) }), { maxLength: 12 })
  .map((all) => all.map((fields, n) => makeTestLesson({ ...fields, slug: `lesson-${n}` })));

const simple = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }))
  .map(([name, words]) => [name, ...words].join(' '));
const command = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom(' | ', ' && ', '; '), simple), { maxLength: 2 }))
  .map(([first, more]) => first + more.flat().join(''));
const speaker = fc
  .tuple(part(fc.constantFrom(...AGENTS)), part(past))
  .map(([subagentType, asked]) => ({ ...present({ subagentType }), ...(asked === undefined ? {} : { past: asked }) }));

export const callArbitrary: fc.Arbitrary<MatchCall> = fc.oneof(
  fc.tuple(command, speaker).map(([line, by]) => makeShellCall(line, by as Partial<MatchCall>)),
  fc
    .tuple(fc.constantFrom(...TOOLS.slice(1)), fc.constantFrom(...PATHS), part(fc.constantFrom(...TEXTS)), speaker)
    .map(([tool, path, content, by]) =>
      makeMatchCall({ tool, path, ...(by as Partial<MatchCall>), ...(content === undefined ? {} : { content }) }),
    ),
);
