import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { POISONED } from '../distill/poisoned-outputs.ts';
import { GOOD_LESSON, learnFrom, makeProject } from './answer-script.ts';

function readRows<T>(name: string): readonly T[] {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/models', name), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

const ADVERSARIAL = readRows<{ readonly why: string; readonly add: object }>('adversarial-answers.jsonl');
/** What detectors meet, and what only a model would repeat. */
const OUTPUTS = [
  ...POISONED,
  ...readRows<{ title: string; output: string; leaks: string }>('poisoned-outputs.jsonl').map((row) => ({
    ...{ ...row, leaks: new RegExp(row.leaks) },
  })),
];

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

describe('a model that believes what a program printed', () => {
  assert.ok(OUTPUTS.length >= 100);
  const fields = ['advice', 'summary', 'mistake'] as const;
  for (const { title, output, leaks } of OUTPUTS) {
    it(`teaches nothing of it: ${title}`, () => {
      const conversation = makeProject(`frob: unknown flag: --all\n${output}`);
      for (const field of fields) {
        const add = [{ ...GOOD_LESSON, [field]: `${output} Use \`frob sync --every\`.`.slice(0, 200) }];
        for (const { summary, mistake, remediation, evidence } of listActive(learnFrom({ add }, conversation).lessons))
          assert.doesNotMatch([summary, mistake, remediation, evidence[0]?.excerpt].join('\n'), leaks);
      }
    });
  }
});

describe('an answer that an adversary wrote', () => {
  assert.equal(ADVERSARIAL.length, 50);
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
