/**
 * `group`: signatures of log lines whose event is known, and of labelled failures. What is checked are the signatures as
 * they are stored, each made of its own line alone; the same after near-duplicates are merged is told beside them. Speed:
 * signing, then merging.
 */

import type { Signature } from '../src/base/model/signature.ts';
import { toLineSignature } from '../src/base/text/signature.ts';
import { groupSignatures } from '../src/distill/patterns/group-signatures.ts';
import { atLeast, type BenchReport } from './bench-report.ts';
import { findLogLines, type LabelledLines } from './find-log-lines.ts';
import { type Grouping, judgeGroups } from './judge-groups.ts';
import { noteLook } from './labels/check-log.ts';
import { groupFailures } from './labels/group-failures.ts';
import { listSets, readLabelSet } from './labels/label-set.ts';
import { toMedian } from './quantiles.ts';

const ROUNDS = 7;
/** J. Zhu et al., Loghub, ISSRE 2023; Drain in Python on other machines. */
const DRAIN = { what: 'Drain on Loghub-2k, as published', accuracy: 0.85, f1: 0.74, linesPerSecond: 8_500 };

type Figures = Awaited<ReturnType<typeof groupFailures>>;

/** `--set learn` groups the failures of one set alone. */
export async function run(args: readonly string[] = []): Promise<BenchReport> {
  const sets = findLogLines();
  if (sets === undefined) throw new Error('no labelled log lines: set ONCEBITTEN_LOG_LINES to a folder of CSV files');
  const signed = sets.map((set) => ({ set, ...judgeSet(set) }));
  const mean = toMean(signed.map(({ signatures }) => signatures));
  const linesPerSecond = measureSpeed(sets.map(({ lines }) => lines));
  const failures: Record<string, Figures> = {};
  for (const name of listSets(args)) failures[name] = await groupFailures(readLabelSet(name));
  if (failures.check !== undefined) noteLook('group', toLook(failures.check));
  return {
    sets: Object.fromEntries(signed.map(({ set, signatures, merged }) => [set.name, { signatures, merged }])),
    mean: { signatures: mean, merged: toMean(signed.map(({ merged }) => merged)) },
    failures,
    lines: sets.reduce((sum, { lines }) => sum + lines.length, 0),
    linesPerSecond,
    rounds: ROUNDS,
    reference: DRAIN,
    checks: [
      atLeast('mean grouping accuracy', mean.accuracy, 0.9),
      atLeast('mean F1 over pairs of lines', mean.pairF1, 0.8),
      atLeast('mean F1 over templates', mean.templateF1, 0.8),
      atLeast('lines per second', linesPerSecond, 100_000),
      ...Object.entries(failures).flatMap(([name, { sharingShare, belongingShare }]) => [
        atLeast(`${name}: pairs of one lesson that share a signature`, sharingShare, 0.6),
        atLeast(`${name}: pairs that share a signature and belong together`, belongingShare, 0.9),
      ]),
    ],
  };
}

function toLook({ sharing, pairsOfOneLesson, belonging, pairsThatShare }: Figures): Readonly<Record<string, string>> {
  return { sharing: `${sharing}/${pairsOfOneLesson}`, belonging: `${belonging}/${pairsThatShare}` };
}

function judgeSet({ lines, events }: LabelledLines) {
  const signatures = lines.map((line) => toLineSignature('', line));
  const groups = groupSignatures(signatures);
  const merged = signatures.map(({ id }) => groups.get(id)?.id ?? id);
  const ids = signatures.map(({ id }) => id);
  return { signatures: judgeGroups(ids, events), merged: judgeGroups(merged, events) };
}

function measureSpeed(sets: readonly (readonly string[])[]): number {
  const rates = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    let lines = 0;
    for (const set of sets) {
      const signatures: Signature[] = [];
      for (const line of set) signatures.push(toLineSignature('', line));
      groupSignatures(signatures);
      lines += set.length;
    }
    return (lines / (performance.now() - startedAt)) * 1000;
  });
  return Math.round(toMedian(rates));
}

function toMean(all: readonly Grouping[]) {
  const of = (key: 'accuracy' | 'pairF1' | 'templateF1') => all.reduce((sum, one) => sum + one[key], 0) / all.length;
  return { accuracy: of('accuracy'), pairF1: of('pairF1'), templateF1: of('templateF1') };
}
