/** What a person said about places of the developer corpus: a lesson to be learned there, or none. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Label {
  readonly id: string;
  readonly kind: 'lesson' | 'not-lesson';
  readonly agent: string;
  /** Absolute. */
  readonly file: string;
  /** From the failing call to the fix, 1-based. */
  readonly lines: readonly [from: number, to: number];
  readonly category: string;
}

interface LabelRow {
  readonly id: string;
  readonly kind: Label['kind'];
  readonly corpus: string;
  readonly file: string;
  readonly lines: readonly [number, number];
  readonly category?: string | null;
}

/** Where the environment says, else beside the project. Undefined where there are none. */
export function findLabels(corpus: string): readonly Label[] | undefined {
  const file = process.env.ONCEBITTEN_LABELS || resolve(import.meta.dirname, '../../shared/corpora/dev-labels.jsonl');
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => toLabel(JSON.parse(line) as LabelRow, corpus));
}

function toLabel({ id, kind, corpus: agent, file, lines, category }: LabelRow, corpus: string): Label {
  return { id, kind, agent, file: join(corpus, file), lines, category: category ?? 'none' };
}
