/** The figures of a label set as a table, and the bounds that they must reach. */
import { atLeast, atMost, type Check } from '../bench-report.ts';
import { toShare } from '../label-figures.ts';
import type { judgeHelp } from './judge-help.ts';
import type { SetFigures } from './measure-set.ts';

type HelpFigures = ReturnType<typeof judgeHelp>;

export function toTable({ sessions, calls, failures, classes, lessons, help, memory, withAnswers }: SetFigures) {
  return {
    ...{ sessions, calls, failures },
    classes: {
      ...classes,
      rightShare: toShare(classes.right, classes.failures),
      othersRightShare: toShare(classes.othersRight, classes.others),
      toldShare: toShare(classes.told, classes.failures),
    },
    lessons: toLessonTable(lessons),
    help: toHelpTable(help),
    /** Of the help, the part of exact memory. */
    memory: { reached: memory.reached, ...toWarningTable(memory) },
    ...(withAnswers === undefined
      ? {}
      : {
          withAnswers: {
            answers: withAnswers.answers,
            lessons: toLessonTable(withAnswers.lessons),
            help: toHelpTable(withAnswers.help),
          },
        }),
  };
}

function toLessonTable(lessons: SetFigures['lessons']) {
  return {
    ...lessons,
    foundShare: toShare(lessons.found, lessons.labels),
    activeShare: toShare(lessons.foundActive, lessons.labels),
    pairShare: toShare(lessons.foundPairs, lessons.pairs),
    wrongShare: toShare(lessons.wrong, lessons.labelled),
  };
}

export function toBaselineTable({ baselines }: SetFigures) {
  return { exactRepeat: toHelpTable(baselines.exactRepeat), cureBook: toHelpTable(baselines.cureBook) };
}

function toHelpTable({ warnings, cures, meanPerLabel, ...reached }: HelpFigures) {
  return {
    ...reached,
    reachedShare: toShare(reached.reached, reached.avoidable),
    beforeShare: toShare(reached.reachedBefore, reached.avoidable),
    meanPerLabel: toShare(meanPerLabel, 1),
    warnings: toWarningTable({ warnings }),
    cures: {
      ...cures,
      rightShare: toShare(cures.right, cures.followed),
      atNonLessonsShare: toShare(cures.atNonLessons, cures.labelled),
    },
  };
}

function toWarningTable({ warnings }: Pick<HelpFigures, 'warnings'>) {
  return {
    ...warnings,
    rightShare: toShare(warnings.right, warnings.judged),
    per100Calls: toShare(warnings.per100Calls, 1),
    worstProject: toShare(warnings.worstProject, 1),
  };
}

/** The totals of a look. */
export function toLook(figures: SetFigures): Readonly<Record<string, string | number>> {
  const { classes, lessons, help, memory } = toTable(figures);
  const of = (part: number, whole: number): string => `${part}/${whole}`;
  return {
    found: of(lessons.found, lessons.labels),
    active: of(lessons.foundActive, lessons.labels),
    'by pair': of(lessons.foundPairs, lessons.pairs),
    wrong: of(lessons.wrong, lessons.labelled),
    reached: of(help.reached, help.avoidable),
    'before the call': of(help.reachedBefore, help.avoidable),
    'mean per label': help.meanPerLabel,
    'warnings right': of(help.warnings.right, help.warnings.judged),
    'exact memory right': of(memory.right, memory.judged),
    'cures right': of(help.cures.right, help.cures.followed),
    'cures at non-lessons': of(help.cures.atNonLessons, help.cures.labelled),
    'classes right': of(classes.right, classes.failures),
    'of them at non-lessons': of(classes.othersRight, classes.others),
    'failures not seen': classes.unseen,
  };
}

/** The bounds hold for `check`. The same line for `learn` shows whether the two sets agree. */
export function toChecks(name: string, figures: SetFigures): readonly Check[] {
  const { classes, lessons, help, withAnswers } = toTable(figures);
  const answered =
    withAnswers === undefined
      ? []
      : [
          atLeast(`${name}: with answers, labelled lessons found`, withAnswers.lessons.foundShare, 0.65),
          atMost(`${name}: with answers, wrong lessons`, withAnswers.lessons.wrongShare, 0.1),
          atLeast(`${name}: with answers, avoidable later failures reached`, withAnswers.help.reachedShare, 0.75),
          atLeast(`${name}: with answers, reached before the call`, withAnswers.help.beforeShare, 0.4),
        ];
  return [
    ...answered,
    atLeast(`${name}: classes of failures that are right`, classes.rightShare, 0.85),
    atLeast(`${name}: labelled lessons found`, lessons.foundShare, 0.38),
    atLeast(`${name}: found and active`, lessons.activeShare, 0.28),
    atLeast(`${name}: found of those that a pair shows`, lessons.pairShare, 0.48),
    atMost(`${name}: wrong lessons`, lessons.wrongShare, 0.1),
    atMost(`${name}: drafts / active lessons`, toShare(lessons.drafts, lessons.active), 1),
    atLeast(`${name}: avoidable later failures reached`, help.reachedShare, 0.5),
    atLeast(`${name}: reached before the call`, help.beforeShare, 0.15),
    atLeast(`${name}: reached, mean per label`, help.meanPerLabel, 0.35),
    atLeast(`${name}: cures that are right`, help.cures.rightShare, 0.5),
    atMost(`${name}: cures at failures that are no lesson`, help.cures.atNonLessonsShare, 0.25),
    atLeast(`${name}: warnings that are right`, help.warnings.rightShare, 0.7),
    atMost(`${name}: warnings per 100 calls`, help.warnings.per100Calls, 1),
    atLeast(`${name}: right warnings in the worst project with 10 of them`, help.warnings.worstProject, 0.4),
  ];
}

const MAX_GAP = 0.08;

/** A figure that `learn` has and `check` has not was learned by heart. Within the 95 % interval it may be chance. */
export function toGapChecks({ learn, check }: Readonly<Record<string, SetFigures>>): readonly Check[] {
  if (learn === undefined || check === undefined) return [];
  const toGap = (name: string, part: (of: SetFigures) => number, whole: (of: SetFigures) => number): Check => {
    const [a, b] = [part(learn) / (whole(learn) || 1), part(check) / (whole(check) || 1)];
    const interval = 1.96 * Math.sqrt((a * (1 - a)) / (whole(learn) || 1) + (b * (1 - b)) / (whole(check) || 1));
    return atMost(`learn minus check: ${name}`, toShare(a - b, 1), toShare(Math.max(MAX_GAP, interval), 1));
  };
  return [
    toGap(
      'labelled lessons found',
      ({ lessons }) => lessons.found,
      ({ lessons }) => lessons.labels,
    ),
    toGap(
      'avoidable later failures reached',
      ({ help }) => help.reached,
      ({ help }) => help.avoidable,
    ),
    toGap(
      'cures that are right',
      ({ help }) => help.cures.right,
      ({ help }) => help.cures.followed,
    ),
    toGap(
      'warnings that are right',
      ({ help }) => help.warnings.right,
      ({ help }) => help.warnings.judged,
    ),
    toGap(
      'classes that are right',
      ({ classes }) => classes.right,
      ({ classes }) => classes.failures,
    ),
  ];
}
