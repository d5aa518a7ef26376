/** Lessons and calls from one small vocabulary, so that many of them match. */
import fc from 'fast-check';
import type { Lesson, Scope } from '../../src/base/model/lesson.ts';
import type { CallView } from '../../src/base/triggers/call-view.ts';
import { type AskSession, renderCondition } from '../../src/base/triggers/session-conditions.ts';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeCallView, makeShellCall } from '../triggers/make-call-view.ts';

const TOOLS = ['shell', 'edit', 'write', 'read', 'mcp:jira'] as const;
/** Two of them are names that every object inherits. */
const PROGRAMS = ['gh', 'git', 'constructor', '__proto__'];
const WORDS = ['pr', 'diff', '--stat', '--web', '--stat=4', 'x'];
const REGEXES = [
  'stat',
  '^g',
  'x$',
  '(',
  'pr diff',
  'diff|web',
  'st?at',
  '\\bpr\\s+diff\\b',
  '(?:^|\\s)--web(?:\\s|$)',
];
const PATHS = [
  ...['/repo/a.ts', '/repo/src/b.ts', '/repo/c.sql', 'b.ts', '/repo/src/lib/b.ts', '/repo/ab.ts'],
  ...['/repo/.ts', '/repo/src', '/src/', '/repo/{a,b}.ts', '/repo/srcb.ts', '/repo/constructor/x.__proto__'],
];
const GLOBS = [
  ...['*.ts', 'src/**', '/repo/*', '[z-a]', '**', '**/b.ts', 'b.ts', '*.{ts,sql}', 'src/*.ts', 'src**/b.ts', '**.ts'],
  ...[
    '{src,lib}/**/*.ts',
    '[ab].ts',
    '[!x]b.ts',
    'repo/**/b.*',
    '{a,{b}}.ts',
    '{a,b}.ts',
    '{src/lib,x}/b.ts',
    '**/constructor/**',
  ],
  ...['./src/*.ts', './*.ts', '~/*.ts', 'src/', '*.', '?.t{s,}', '{,a}b.ts', '**/src/**/lib/*'],
];
const TEXTS = ['stat', 'g x', '', 'a pr  diff', 'the --web', 'sat'];
const AGENTS = ['reviewer', 'planner'];
const SAID = ['release', 'pr diff'];

const some = <T>(of: readonly T[]) => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 2 });
const part = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Without absent parts, as in JSON. */
const present = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(present) as T;
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(given.map(([key, one]) => [key, present(one)])) as T;
};

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
/** Some of it happened, some did not, and some is unknown. */
const past: fc.Arbitrary<AskSession> = fc
  .array(fc.constantFrom(true, false, undefined), { minLength: 7, maxLength: 7 })
  .map((answers) => (asked) => answers[renderCondition(asked.meant).length % answers.length]);

const parts = {
  tools: part(some(TOOLS)),
  programs: part(fc.array(program, { minLength: 1, maxLength: 2 })),
  command: part(text),
  line: part(text),
  input: part(text),
  paths: part(some(GLOBS)),
  content: part(text),
  session: part(fc.record({ unless: fc.array(condition, { minLength: 1, maxLength: 2 }) })),
  subagents: part(some(AGENTS)),
  workflows: part(some(AGENTS)),
  actionKeywords: part(some(SAID)),
  contextKeywords: part(some(SAID)),
  unless: part(fc.record({ tools: part(some(TOOLS)), paths: part(some(GLOBS)), keywords: part(some(SAID)) })),
};
const triggers: fc.Arbitrary<Triggers> = fc
  // All parts at once never match a call.
  .subarray(Object.keys(parts) as (keyof typeof parts)[])
  .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, parts[key]]))))
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
  .array(fc.record({ triggers, scope, priority: fc.integer({ min: 1, max: 10 }) }), { maxLength: 40, size: 'max' })
  .map((all) => all.map((fields, n) => makeTestLesson({ ...fields, slug: `lesson-${n}` })));

const simple = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }))
  .map(([name, words]) => [name, ...words].join(' '));
const command = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom(' | ', ' && ', '; '), simple), { maxLength: 2 }))
  .map(([first, more]) => first + more.flat().join(''));
const speaker = fc
  .tuple(part(fc.constantFrom(...AGENTS)), part(past), part(fc.subarray(SAID)), part(fc.subarray(AGENTS)))
  .map(([subagentType, asked, said, followed]) => ({
    ...present({ subagentType }),
    ...(asked === undefined ? {} : { past: asked }),
    messages: () => said,
    workflows: () => followed,
  }));

export const callArbitrary: fc.Arbitrary<CallView> = fc.oneof(
  fc
    .tuple(command, speaker)
    .map(([line, by]) =>
      makeShellCall(line, { line, json: JSON.stringify({ command: line }), ...(by as Partial<CallView>) }),
    ),
  fc
    .tuple(fc.constantFrom(...TOOLS.slice(1)), fc.constantFrom(...PATHS), part(fc.constantFrom(...TEXTS)), speaker)
    .map(([tool, path, content, by]) =>
      makeCallView({
        tool,
        path,
        json: JSON.stringify({ path, content }),
        ...(by as Partial<CallView>),
        ...(content === undefined ? {} : { content }),
      }),
    ),
);
