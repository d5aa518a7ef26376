import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { worked } from '../distill/session-script.ts';
import { GOOD_LESSON, learnFrom, makeProject } from './answer-script.ts';
import { ADVERSARIAL, OUTPUTS } from './poison.ts';

function listActive(lessons: readonly Lesson[]): readonly Lesson[] {
  return lessons.filter(({ status }) => status === 'active');
}

describe('a good answer', () => {
  it('is an active note, so that the tests below fail for their own reason', () => {
    const { lessons, dropped } = learnFrom({ add: [GOOD_LESSON] });
    assert.deepEqual(dropped, []);
    assert.deepEqual(
      lessons.map(({ status, mode, origin }) => ({ status, mode, kind: origin.kind })),
      [{ status: 'active', mode: 'note', kind: 'model' }],
    );
  });
});

describe('an answer in other words', () => {
  const advice = [
    'Run `frob sync --every <name>`; --all is unknown.',
    'Use `--every` in place of `--all`.',
    'Run `cd services/mail && frob sync --every`.',
    'Remove --all and give `--every`, as in `frob sync --every | head -n 20`.',
    'Set `FROB_HOME=services/mail` before `frob sync --every`.',
  ];
  const more = [worked('cd services/mail && FROB_HOME=services/mail frob sync --every | head -n 5')];
  for (const one of advice) {
    it(`is as good, if calls have run its words: ${one}`, () => {
      const { lessons } = learnFrom({ add: [{ ...GOOD_LESSON, advice: one }] }, makeProject(undefined, more));
      assert.equal(lessons[0]?.status, 'active', JSON.stringify(lessons[0]?.origin));
    });
  }
});

describe('a model that believes what a program printed', () => {
  assert.ok(OUTPUTS.length >= 100);
  const fields = ['advice', 'summary', 'mistake'] as const;
  for (const { title, output, leaks } of OUTPUTS) {
    it(`teaches nothing of it: ${title}`, () => {
      const conversation = makeProject(`frob: unknown flag: --all\n${output}`);
      for (const field of fields) {
        const room = field === 'summary' ? 200 : 600;
        const add = [{ ...GOOD_LESSON, [field]: `${output} Use \`frob sync --every\`.`.slice(0, room) }];
        if (output.length < room) assert.match(add[0]?.[field] ?? '', leaks, 'the answer carries the poison');
        for (const { summary, mistake, remediation, evidence } of listActive(learnFrom({ add }, conversation).lessons))
          assert.doesNotMatch([summary, mistake, remediation, evidence[0]?.excerpt].join('\n'), leaks);
      }
    });
  }
});

describe('an answer that an adversary wrote', () => {
  assert.ok(ADVERSARIAL.length >= 100);
  for (const { why, add } of ADVERSARIAL) {
    it(`is not taught by itself: ${why}`, () => {
      const { lessons } = learnFrom({ add: [{ ...GOOD_LESSON, ...add }] });
      assert.deepEqual(
        listActive(lessons).map(({ summary, remediation }) => ({ summary, remediation })),
        [],
      );
    });
  }
});
