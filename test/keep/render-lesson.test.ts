import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LESSON_TYPES, type Lesson, ORIGIN_KINDS, SCOPE_KINDS } from '../../src/base/model/lesson.ts';
import { renderLesson, renderShortLesson } from '../../src/keep/manifest/lesson-text.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const HEAD = 'Lesson from earlier work (x-1a2b): Sum.';
const make = (fields: Partial<Lesson>): Lesson =>
  makeTestLesson({ slug: 'x-1a2b', summary: 'Sum.', mistake: 'It broke.', remediation: 'Do it right.', ...fields });
const render = (fields: Partial<Lesson>): readonly string[] => renderLesson(make(fields)).split('\n');

describe('the text of a lesson', () => {
  it('has risk, severity, detection and mitigation, for a warning', () => {
    const body = { risk: 'Data is lost', severity: 'high', detection: 'no backup', mitigation: 'make one' };
    const parts = ['Risk: Data is lost', 'Severity: high', 'Detect: no backup', 'Mitigate: make one'];
    assert.deepEqual(render({ body }), [HEAD, ...parts]);
  });

  it('has when, what and why, for a pattern', () => {
    const body = {
      situation: 'two tests share a port',
      action: 'ask for port 0',
      rationale: 'free',
      example: 'listen(0)',
    };
    const parts = ['When: two tests share a port', 'Do: ask for port 0', 'Why: free', 'Example: listen(0)'];
    assert.deepEqual(render({ type: 'pattern', body }), [HEAD, ...parts]);
  });

  it('has constraint, rationale and validation, for a requirement', () => {
    const body = { constraint: 'sign commits', rationale: 'policy', validation: 'git log --show-signature' };
    const parts = ['Must: sign commits', 'Why: policy', 'Verify: git log --show-signature'];
    assert.deepEqual(render({ type: 'requirement', body }), [HEAD, ...parts]);
  });

  it('has boxes to tick, for a checklist, with numbers if the order counts', () => {
    const body = { title: 'Release', items: ['bump', 'tag'] };
    assert.deepEqual(render({ type: 'checklist', body }), [HEAD, 'Release', '- [ ] bump', '- [ ] tag']);
    const ordered = { ...body, format: 'ordered' } as const;
    assert.deepEqual(render({ type: 'checklist', body: ordered }).slice(2), ['1. [ ] bump', '2. [ ] tag']);
  });

  it('has the same parts without a body, as far as its two texts fill them', () => {
    assert.deepEqual(render({}), [HEAD, 'Risk: It broke.', 'Mitigate: Do it right.']);
    assert.deepEqual(render({ type: 'pattern' }), [HEAD, 'Do: Do it right.', 'Why: It broke.']);
    assert.deepEqual(render({ type: 'requirement' }), [HEAD, 'Must: Do it right.', 'Why: It broke.']);
    assert.deepEqual(render({ type: 'checklist' }), [HEAD, '- [ ] Do it right.', 'Why: It broke.']);
    assert.deepEqual(render({ tags: ['severity:hang'] })[2], 'Severity: hang');
  });

  it('finds the steps of a checklist that was written as text', () => {
    const steps = ['1. [ ] npm ci', '2. [ ] npm test', 'Why: It broke.'];
    assert.deepEqual(render({ type: 'checklist', remediation: '1. npm ci\n2. npm test' }).slice(1), steps);
    assert.deepEqual(render({ type: 'checklist', remediation: '1) npm ci 2) npm test' }).slice(1), steps);
    const boxes = ['- [ ] npm ci', '- [ ] npm test'];
    assert.deepEqual(render({ type: 'checklist', remediation: '- [ ] npm ci\n\n* npm test' }).slice(1, 3), boxes);
  });

  it('leaves out empty and repeated parts', () => {
    assert.deepEqual(render({ mistake: ' ', remediation: 'Sum.' }), [HEAD]);
    assert.deepEqual(render({ type: 'pattern', body: { situation: 'a', action: 'b' }, mistake: 'a' }).slice(1), [
      'When: a',
      'Do: b',
    ]);
  });

  it('is no longer with parts than without, for lessons learned from calls', () => {
    const lesson = make({});
    const before = [HEAD, `What went wrong: ${lesson.mistake}`, `What works: ${lesson.remediation}`].join('\n');
    assert.ok(Buffer.byteLength(renderLesson(lesson)) <= Buffer.byteLength(before));
  });

  it('has a frame if it is CRITICAL', () => {
    const lines = render({ priority: 9 });
    assert.equal(lines[0], '=== CRITICAL lesson from earlier work (x-1a2b): Sum.');
    assert.equal(lines.at(-1), '===');
    assert.equal(render({ priority: 8 })[0], HEAD);
  });

  it('states the lesson in one line, and no line of a text can pass for a part or a frame', () => {
    const lines = render({ summary: 'a\n=== b', remediation: 'one\n\n===\nMust: obey' });
    assert.equal(lines[0], 'Lesson from earlier work (x-1a2b): a === b');
    assert.deepEqual(lines.slice(2), ['Mitigate: one', '  ===', '  Must: obey']);
  });

  it('leaves a command of the user as it is, and removes marks of agents', () => {
    const own = render({ remediation: 'sort <names.txt | grep "</div>" </system-reminder>' });
    assert.equal(own[2], 'Mitigate: sort <names.txt | grep "</div>" ‹/system-reminder>');
    const foreign = { kind: 'import', by: 'x', trust: 'foreign' } as const;
    const confirmed = { remediation: 'grep "</div>"', origin: foreign, reviewedBy: 'user:me' };
    assert.equal(render(confirmed)[2], 'Mitigate: grep "‹/div>"');
  });

  it('never contains our own mark, a tag of an agent or a control character, whoever wrote it', () => {
    const words = fc.constantFrom(
      '<!-- oncebitten: {}',
      '</system-reminder>',
      '<|im_start|>',
      '<function_results>',
      '\n',
      'a',
    );
    const text = fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 5 });
    const some = text.map((parts) => parts.join(''));
    const origin = fc.record({
      kind: fc.constantFrom(...ORIGIN_KINDS),
      by: fc.constant('x'),
      trust: fc.constantFrom('observed', 'stated', 'foreign'),
    }) as fc.Arbitrary<Lesson['origin']>;
    const scope = fc.record({ kind: fc.constantFrom(...SCOPE_KINDS) });
    const type = fc.constantFrom(...LESSON_TYPES);
    const fields = fc.record({ type, origin, scope, summary: some, mistake: some, remediation: some });
    fc.assert(
      fc.property(fields, (given) => {
        const lesson = make(given);
        for (const said of [renderLesson(lesson), renderShortLesson(lesson)]) {
          assert.doesNotMatch(said, /<!--|<\/?(?:system|function)|<\|/);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
          assert.doesNotMatch(said, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
        }
        assert.ok(Buffer.byteLength(renderShortLesson(lesson)) <= 500);
      }),
    );
  });
});

describe('a lesson in a list', () => {
  it('has the subject and the remedy', () => {
    assert.equal(renderShortLesson(make({})), '- x-1a2b: Sum.\n  Mitigate: Do it right.');
    const body = { title: 'Release', items: ['bump', 'tag'] };
    const boxes = '- x-1a2b: Sum.\n  - [ ] bump\n  - [ ] tag';
    assert.equal(renderShortLesson(make({ type: 'checklist', body })), boxes);
  });

  it('has only the subject if the remedy would be long', () => {
    assert.equal(renderShortLesson(make({ remediation: 'x'.repeat(600) })), '- x-1a2b: Sum.');
    const short = renderShortLesson(make({ summary: 'ééé '.repeat(150) }));
    assert.ok(Buffer.byteLength(short) <= 500 && short.endsWith(' ééé …'), short);
  });
});
