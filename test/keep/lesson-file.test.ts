import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DELIVERY_MODES, LESSON_TYPES, type Lesson } from '../../src/base/model/lesson.ts';
import {
  hashLessonFile,
  parseLessonFile,
  renderLessonFile,
  toFileContent,
} from '../../src/keep/sharing/lesson-file.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const SLUG = 'gh-stat-x7k2';
const parse = (text: string, slug = SLUG) => parseLessonFile(slug, text);
const getContent = (text: string, slug = SLUG) => {
  const result = parse(text, slug);
  return 'content' in result ? result.content : assert.fail(`${result.line}: ${result.reason}`);
};
const getFault = (text: string, slug = SLUG) => {
  const result = parse(text, slug);
  return 'reason' in result ? result : assert.fail('is a lesson');
};
const withField = (fields: object): string =>
  JSON.stringify({ ...JSON.parse(renderLessonFile(makeTestLesson({ slug: SLUG }), SLUG)), ...fields }, null, 2);

const text = fc.string({ unit: fc.constantFrom(...'abc XYZ019 `"\\/<>{}$\n\täß語🐢é'), maxLength: 200 });
const word = fc.string({ unit: fc.constantFrom(...'abcxyz019-._'), minLength: 1, maxLength: 20 });
const line = word.map((one) => `about ${one}`);
const optional = <T>(arbitrary: fc.Arbitrary<T>, name: string) =>
  fc.option(arbitrary, { nil: undefined }).map((value) => (value === undefined ? {} : { [name]: value }));
const triggers = fc
  .tuple(
    optional(fc.constantFrom(['shell' as const], ['edit' as const, 'write' as const]), 'tools'),
    optional(
      fc.array(fc.record({ name: word, sub: fc.array(word, { minLength: 1, maxLength: 3 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      'programs',
    ),
    optional(fc.record({ match: fc.array(fc.constantFrom('a+b', '^x', '\\bfoo\\b'), { minLength: 1 }) }), 'command'),
    optional(fc.array(word, { minLength: 1, maxLength: 3 }), 'paths'),
  )
  .map((parts) => Object.assign({}, ...parts))
  .filter((one) => Object.keys(one).length > 0);
const body = fc.oneof(
  fc.record({ title: line, items: fc.array(text, { maxLength: 5 }) }),
  fc.record({ situation: text, action: text }),
  fc.record({ risk: text, mitigation: text }),
  fc.record({ constraint: text }),
);
const lesson: fc.Arbitrary<Lesson> = fc
  .record({
    type: fc.constantFrom(...LESSON_TYPES),
    summary: line,
    mistake: text,
    remediation: text,
    body: fc.option(body, { nil: undefined }),
    triggers,
    priority: fc.integer({ min: 1, max: 10 }),
    mode: fc.constantFrom(...DELIVERY_MODES),
    tags: fc.array(word, { maxLength: 5 }),
  })
  .map(({ body: one, ...rest }) =>
    makeTestLesson({ slug: SLUG, ...rest, ...(one === undefined ? {} : { body: one }) }),
  );

describe('the file of a lesson', () => {
  it('keeps the words of the lesson', () => {
    fc.assert(
      fc.property(lesson, (one) => {
        const { origin, ...content } = getContent(renderLessonFile(one, SLUG));
        assert.deepEqual(content, toFileContent(one, SLUG));
        assert.deepEqual(origin, { kind: one.origin.kind, by: one.origin.by });
        assert.equal(hashLessonFile(content), hashLessonFile(toFileContent(one, SLUG)));
      }),
    );
  });

  it('has the same bytes for the same lesson, whatever was seen since, and no trace of where', () => {
    const one = makeTestLesson({ slug: SLUG });
    const evidence = [
      { agent: 'claude-code', sessionId: 'ses-1', file: '/home/a/x.jsonl', at: '2026-02-02T00:00:00.000Z' },
    ];
    const met = { ...one, id: 'les_other', occurrences: 9, sessions: 4, confidence: 0.9, updatedAt: 'later', evidence };
    assert.equal(renderLessonFile(met, SLUG), renderLessonFile(one, SLUG));
    assert.doesNotMatch(renderLessonFile(met, SLUG), /ses-1|jsonl|les_|prj_|occurrences/);
  });

  it('ends with a newline, names its schema first, and sorts the keys of a trigger', () => {
    const one = makeTestLesson({ triggers: { programs: [{ sub: ['b'], name: 'a' }], tools: ['shell'] } });
    const told = renderLessonFile(one, SLUG);
    assert.match(told, /^\{\n {2}"\$schema": "oncebitten\/lesson-file.schema.json",\n {2}"version": 1,\n {2}"slug"/);
    assert.ok(told.endsWith('}\n'));
    assert.ok(told.indexOf('"programs"') < told.indexOf('"tools"') && told.indexOf('"name"') < told.indexOf('"sub"'));
  });

  it('may be written by hand with few fields', () => {
    const told = getContent('{ "slug": "x", "summary": "no", "triggers": { "programs": [{ "name": "gh" }] } }', 'x');
    assert.deepEqual([told.priority, told.mode, told.type, told.mistake], [7, 'note', 'warning', '']);
  });

  it('has one hash for any formatting', () => {
    const told = renderLessonFile(makeTestLesson({}), SLUG);
    const flat = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(told)).reverse()));
    assert.equal(hashLessonFile(getContent(flat)), hashLessonFile(getContent(told)));
  });
});

describe('a file that is not a lesson', () => {
  it('is reported with its line', () => {
    assert.deepEqual(getFault('{\n  "slug": "x",\n  oops\n}'), { reason: 'is not JSON (InvalidSymbol)', line: 3 });
    const bad = withField({ priority: 11 });
    const at = bad.split('\n').findIndex((one) => one.includes('"priority"')) + 1;
    assert.equal(getFault(bad).line, at);
    assert.match(getFault(bad).reason, /^priority: /);
    assert.match(getFault(withField({ colour: 1 })).reason, /colour/);
    assert.match(getFault(withField({ version: 2 })).reason, /^version: .*another version/);
  });

  it('has another name than it says, or a name that is a path', () => {
    assert.match(getFault(withField({ slug: 'other' })).reason, /slug: is not the name of the file/);
    assert.match(getFault(withField({ slug: '../../x' }), '../../x').reason, /slug: is not lower-case letters/);
  });

  it('has a regular expression that could run for ever, or is too long or invalid', () => {
    for (const match of ['(?=a)b', '(a)\\1', '(a{100}){100}', '(', 'x'.repeat(301)])
      assert.match(getFault(withField({ triggers: { command: { match: [match] } } })).reason, /^triggers/, match);
  });

  it('would fire on everything', () => {
    assert.match(getFault(withField({ triggers: {} })).reason, /would match every call/);
  });

  it('hides something from its reviewer', () => {
    for (const unseen of ['\u200b', '\u202e', '\u001b[2J', '\u{e0041}', '\u0000'])
      assert.match(getFault(withField({ summary: `a${unseen}b` })).reason, /summary: contains invisible characters/);
    assert.match(getFault(withField({ triggers: { programs: [{ name: 'a\nb' }] } })).reason, /invisible/);
    assert.equal(getContent(withField({ mistake: 'a\nb\tc ⚠️' })).mistake, 'a\nb\tc ⚠️');
  });

  it('never throws and ends, whatever it contains', () => {
    const hostile = [
      '',
      '\u0000',
      'null',
      '[]',
      '"x"',
      '['.repeat(30_000),
      '{"a":'.repeat(6_000),
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      `{"slug":"x","summary":"x","triggers":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`,
      `{"__proto__":{"slug":"x"},"constructor":1}`,
      `[${'1,'.repeat(15_000)}1]`,
      withField({ tags: Array.from({ length: 3_000 }, () => 'x') }),
      withField({
        triggers: { command: { match: Array.from({ length: 60 }, () => `${'('.repeat(99)}a${')*'.repeat(99)}`) } },
      }),
      withField({ summary: 'x'.repeat(30_000) }),
      withField({ priority: 1e308 }),
    ];
    for (const one of hostile) assert.ok(parse(one));
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (raw) => void parse(raw)));
    fc.assert(fc.property(fc.json(), (raw) => void parse(raw)));
    const keys = ['slug', 'summary', 'triggers', 'priority', 'tags', 'body', 'mode', 'origin', 'type', 'version'];
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.jsonValue(), (key, value) => void parse(withField({ [key]: value }))),
    );
  });
});
