import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasClosedQuotes } from '../../src/base/text/short-text.ts';
import { parseAnswer, toAnswerJsonSchema } from '../../src/distill/packs/answer-schema.ts';
import { PROMPT } from '../../src/distill/packs/prompt.ts';
import { failed, worked } from '../distill/session-script.ts';
import { toRuns } from '../to-runs.ts';
import { GOOD_LESSON, learnFrom, makeProject, ORIGIN } from './answer-script.ts';

/** Why a lesson that differs from the good one in these fields is dropped. */
function findDropReason(change: object, conversation = makeProject()): string | undefined {
  const { lessons, dropped } = learnFrom({ add: [{ ...GOOD_LESSON, ...change }] }, conversation);
  assert.deepEqual(lessons, []);
  return dropped[0]?.reason;
}

type Fields = Readonly<Record<string, unknown>>;
interface Schema {
  readonly properties: Fields;
  readonly required?: readonly string[];
}

function assertFits(given: Fields, { properties, required = [] }: Schema): void {
  const names = Object.keys(given);
  assert.deepEqual(
    required.filter((name) => !names.includes(name)),
    [],
  );
  assert.deepEqual(
    names.filter((name) => !(name in properties)),
    [],
  );
}

describe('the answer of a model', () => {
  it('may stand in a fence with words around it', () => {
    const text = `Here it is:\n\`\`\`json\n${JSON.stringify({ add: [GOOD_LESSON] })}\n\`\`\`\nDone.`;
    assert.equal(learnFrom(text).lessons.length, 1);
  });

  it('says who proposed the lesson, and from which pack', () => {
    const [lesson] = learnFrom({ add: [GOOD_LESSON] }).lessons;
    assert.deepEqual(lesson?.origin, { kind: 'model', by: 'model/reader@1', trust: 'observed', model: ORIGIN });
  });

  it('loses only the parts that do not follow the schema, and says what is wrong with them', () => {
    const parsed = parseAnswer(JSON.stringify({ add: [GOOD_LESSON, { summary: 'short' }], retire: 'no' }));
    assert.equal(parsed?.add.length, 1);
    assert.match(parsed?.errors[0] ?? '', /^add\[1\]: summary: .*; mistake: /);
    assert.match(parsed?.errors[1] ?? '', /^retire: is not a list/);
  });

  it('is nothing if it is no JSON', () => {
    for (const text of ['', 'I found nothing.', '[]', '{', '{"add": [', 'null'])
      assert.equal(parseAnswer(text), undefined, text);
  });

  it('has a schema that the examples of the prompt satisfy', () => {
    const { properties } = toAnswerJsonSchema() as { properties: { add: { items: Schema } } };
    const examples = [...PROMPT.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']): Fields => JSON.parse(text));
    assert.equal(examples.length, 4);
    for (const example of examples) {
      assert.deepEqual(parseAnswer(JSON.stringify({ add: [example] }))?.errors, []);
      assertFits(example, properties.add.items);
      assertFits(example.trigger as Fields, properties.add.items.properties.trigger as Schema);
    }
  });
});

describe('a proposal is dropped', () => {
  it('if it names an id that the pack does not have', () => {
    assert.match(findDropReason({ evidence: ['e7'] }) ?? '', /an id that the pack does not have/);
    assert.match(findDropReason({ fixes: ['e1.9'] }) ?? '', /an id that the pack does not have/);
    assert.match(findDropReason({ evidence: ['__proto__'] }) ?? '', /an id that the pack does not have/);
  });

  it('if its evidence is a call that worked', () => {
    assert.match(findDropReason({ evidence: ['e1.1'] }) ?? '', /no mistake of a call/);
  });

  it('if its evidence is the verdict of a test on code', () => {
    const output = ' FAIL  src/sum.test.ts > adds\nAssertionError: expected 3 to be 4\n Tests  1 failed | 3 passed (4)';
    const calls = [failed('npx vitest run', output), worked('npx vitest run src')];
    const { calls: all, spoken } = makeProject('', calls);
    const conversation = { calls: all.slice(-2), spoken };
    const change = { trigger: { program: 'npx', subcommand: ['vitest', 'run'] }, fixes: [] };
    assert.match(findDropReason(change, conversation) ?? '', /no mistake of a call/);
  });

  it('if its trigger does not fire on its own mistake', () => {
    const trigger = { program: 'frob', subcommand: ['sync'], with: ['--everything'] };
    assert.match(findDropReason({ trigger }) ?? '', /not fire on its own mistake/);
  });

  it('if its trigger fires on its own fix', () => {
    assert.match(findDropReason({ trigger: { program: 'frob', subcommand: ['sync'] } }) ?? '', /fires on its own fix/);
  });

  it('if its trigger fires on calls that worked', () => {
    const trigger = { program: 'frob', without: ['--every'] };
    assert.match(
      findDropReason({ trigger }) ?? '',
      /fires on calls that worked: fires on 1 past failure and 5 working calls/,
    );
  });

  it('if its regular expression is not linear', () => {
    for (const matches of ['(?=--all)', '(a)\\1'])
      assert.match(findDropReason({ trigger: { program: 'frob', matches } }) ?? '', /not linear/, matches);
  });

  it('if it would fire on every call', () => {
    assert.match(findDropReason({ trigger: {} }) ?? '', /every call of a tool/);
    assert.match(findDropReason({ trigger: { tool: 'edit' } }) ?? '', /every call of a tool/);
    assert.match(findDropReason({ trigger: { with: ['--all'] } }) ?? '', /words without a program/);
  });
});

describe('a proposal is a draft', () => {
  it('if too few calls of its program worked to compare with', () => {
    const { calls, spoken } = makeProject();
    const conversation = { calls: calls.slice(4), spoken };
    const [lesson] = learnFrom({ add: [GOOD_LESSON] }, conversation).lessons;
    assert.equal(lesson?.status, 'draft');
  });

  it('if one session made the mistake twice and nothing compares, but not if two sessions did', () => {
    const { calls } = makeProject('frob: unknown flag: --all', [
      failed('frob sync --all', 'frob: unknown flag: --all'),
    ]);
    const few = calls.filter(({ command }) => command === 'frob sync --all' || command === 'frob sync --every');
    const learn = (second: string) => {
      const own = few.map((call, n) => (n === few.length - 1 ? { ...call, sessionId: second } : call));
      return learnFrom({ add: [GOOD_LESSON] }, { calls: own, spoken: [] }).lessons[0]?.status;
    };
    assert.deepEqual([learn(few[0]?.sessionId ?? ''), learn('another')], ['draft', 'active']);
  });

  it('if something has to run first, because past calls do not show what had run', () => {
    const trigger = { ...GOOD_LESSON.trigger, unlessRan: ['frob init'] };
    assert.equal(learnFrom({ add: [{ ...GOOD_LESSON, trigger }] }).lessons[0]?.status, 'draft');
  });
});

describe('a proposal without a trigger', () => {
  it('is shown with the same error', () => {
    const [lesson] = learnFrom({ add: [{ ...GOOD_LESSON, trigger: { when: 'error' } }] }).lessons;
    assert.deepEqual(lesson?.triggers, { tools: ['shell'], failure: true });
    assert.equal(lesson?.status, 'active');
  });
});

describe('any answer', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('frob', 'sync', '--all', 'e1', 'e1.1', 'e1.2', 'k1', 'shell', 'error', 'call', '(', '.*', '`'),
  );
  const trigger = fc.dictionary(
    fc.constantFrom('when', 'tool', 'program', 'subcommand', 'with', 'withAny', 'without', 'paths', 'matches', 'x'),
    fc.oneof(word, fc.array(word), fc.jsonValue() as fc.Arbitrary<unknown>),
  );
  const add = fc.record({
    summary: fc.oneof(word, fc.constant(GOOD_LESSON.summary)),
    mistake: fc.oneof(word, fc.constant(GOOD_LESSON.mistake)),
    advice: fc.oneof(word, fc.constant(GOOD_LESSON.advice)),
    trigger: fc.oneof(trigger, fc.constant(GOOD_LESSON.trigger)),
    evidence: fc.array(word),
    fixes: fc.array(word),
  });
  const lists = fc.record({ add: fc.array(add), evidence: fc.array(fc.jsonValue()), retire: fc.array(fc.jsonValue()) });

  it('never throws, and never makes a lesson that acts', () => {
    fc.assert(
      fc.property(fc.oneof(lists as fc.Arbitrary<unknown>, fc.jsonValue() as fc.Arbitrary<unknown>), (answer) => {
        for (const { mode, remediation } of learnFrom(answer).lessons) {
          assert.equal(mode, 'note');
          assert.ok(remediation.split('`').length % 2 === 1 || !hasClosedQuotes(remediation));
        }
      }),
      { numRuns: toRuns(300) },
    );
  });

  it('never throws as text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        learnFrom(text);
      }),
      { numRuns: toRuns(300) },
    );
  });
});

describe('what the user explained', () => {
  const answer = {
    ...GOOD_LESSON,
    ...{ summary: '`frob sync` runs with --every in this project', type: 'requirement', evidence: ['u1'], fixes: [] },
  };

  it('becomes a requirement that waits for a person', () => {
    const [lesson] = learnFrom({ add: [answer] }).lessons;
    assert.deepEqual([lesson?.status, lesson?.type, lesson?.origin.kind], ['draft', 'requirement', 'model']);
  });

  it('may not be mixed with failures, so that no failure lends it proof', () => {
    const { lessons } = learnFrom({ add: [{ ...answer, evidence: ['u1', 'e1'] }] });
    assert.deepEqual(
      lessons.map(({ evidence }) => evidence.length),
      [1],
    );
  });
});
