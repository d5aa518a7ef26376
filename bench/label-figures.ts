/** How a set of lessons does against labels, in figures; and, for whoever asks, label by label. */
import type { FailureClass } from '../src/base/statistics/failures.ts';
import { classifyFailure } from '../src/distill/episodes/classify-failure.ts';
import type { JudgedLabel } from './judge-labels.ts';

export function toLabelFigures(judged: readonly JudgedLabel[]) {
  const lessons = judged.filter(({ label }) => label.kind === 'lesson');
  const others = judged.filter(({ label }) => label.kind === 'not-lesson');
  const found = lessons.filter(isKept);
  const wrong = others.filter(isKept);
  return {
    lessons: lessons.length,
    found: found.length,
    foundShare: toShare(found.length, lessons.length),
    nonLessons: others.length,
    false: wrong.length,
    falseShare: toShare(wrong.length, others.length),
    /** `found/labelled`. */
    byCategory: countBy(lessons, (all) => `${all.filter(isKept).length}/${all.length}`),
    falseByCategory: countBy(wrong, (all) => all.length),
    /** There is a lesson about these lines, and it is silent on the call. */
    silent: lessons.filter((one) => !isKept(one) && one.silent.length > 0).length,
    withoutCall: judged.filter(({ call }) => call === undefined).length,
    /** Of the labelled lessons, the calls that we did not take for a failure. */
    notFailed: lessons.filter(({ failed }) => failed === undefined).length,
    classes: toClassFigures(judged),
  };
}

/** What a category says about the class of the failure, where it says anything. */
const CLASSES: Readonly<Record<string, FailureClass>> = {
  'cli-flag': 'command',
  'cli-syntax': 'command',
  'cwd-state': 'command',
  'env-toolchain': 'command',
  'repo-layout': 'command',
  'shell-quirk': 'command',
  'sandbox-permission': 'command',
  'dev-loop-test': 'verdict',
  'dev-loop-compile': 'verdict',
  'lint-gate': 'verdict',
  'pre-existing-failure': 'verdict',
  'merge-conflict': 'status',
  'edit-mismatch': 'edit-text',
  'environment-down': 'world',
  'status-report': 'status',
};

function toClassFigures(judged: readonly JudgedLabel[]) {
  const told = judged.flatMap(({ label, failed }) => {
    const wanted = Object.hasOwn(CLASSES, label.category) ? CLASSES[label.category] : undefined;
    return wanted === undefined || failed === undefined ? [] : [{ wanted, given: classifyFailure(failed), label }];
  });
  const unlike = told.filter(({ wanted, given }) => wanted !== given);
  return {
    compared: told.length,
    agree: toShare(told.length - unlike.length, told.length),
    unlike: unlike.map(({ wanted, given, label }) => `${label.id}: ${wanted}, we say ${given}`),
  };
}

function isKept({ firing }: JudgedLabel): boolean {
  return firing.length > 0;
}

function countBy<T>(
  judged: readonly JudgedLabel[],
  count: (all: readonly JudgedLabel[]) => T,
): Readonly<Record<string, T>> {
  const groups = Map.groupBy(judged, ({ label }) => label.category);
  return Object.fromEntries([...groups].map(([category, all]) => [category, count(all)]));
}

/** The corpus is other people's: its texts are shown to whoever asks, and kept nowhere. */
export function renderLabels(judged: readonly JudgedLabel[]): string {
  return judged
    .toSorted((a, b) => (a.label.id < b.label.id ? -1 : 1))
    .flatMap(({ label, call, firing, silent, failed }) => {
      const isRight = firing.length > 0 === (label.kind === 'lesson');
      const what = call?.commands.map(({ text }) => text).join(' ; ') || call?.path || '';
      const about = [...firing, ...silent].map(({ slug, status }) => `${slug} (${status})`).join(', ');
      const place = `${label.file.split('/').at(-1)}:${label.lines.join('-')}`;
      const head = `${isRight ? 'ok    ' : 'MISSED'} ${label.id} ${label.kind} ${label.category}`;
      const more = [`         ${call?.tool}: ${what.replace(/\s+/g, ' ').slice(0, 160)}`, `         ${about}`];
      return [
        `${head} ${failed === undefined ? '[not failed] ' : ''}${place}`,
        ...(isRight && firing.length === 0 ? [] : more),
      ];
    })
    .join('\n');
}

/** Not rounded, so that a check compares the very figure with its bound; a report rounds what it prints. */
export function toShare(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
