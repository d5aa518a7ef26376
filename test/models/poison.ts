/** Outputs that want to speak through a model, and answers that an adversary wrote. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POISONED } from '../distill/poisoned-outputs.ts';

function readRows<T>(name: string): readonly T[] {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/models', name), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

export const ADVERSARIAL = readRows<{ readonly why: string; readonly add: object }>('adversarial-answers.jsonl');

/** What detectors meet, and what only a model would repeat. */
export const OUTPUTS = [
  ...POISONED,
  ...readRows<{ title: string; output: string; leaks: string }>('poisoned-outputs.jsonl').map((row) => ({
    ...{ ...row, leaks: new RegExp(row.leaks) },
  })),
];
