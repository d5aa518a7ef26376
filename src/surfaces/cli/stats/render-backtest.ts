/** A back-test: the answer first, then what it rests on. */

import type { BacktestHistory, FullBacktest, KnownFalseAlarms } from '../../../loop/replay/backtest.ts';
import type { BacktestReport, ClassFigures, Interval, Target } from '../../../measure/make-backtest-report.ts';
import { alignRight, renderTable } from '../table.ts';
import { toCount, toLine, toMinute, toNumber, toPathLine, toScreenMax } from '../text.ts';

interface BacktestView {
  /** With intervals and longer lists. */
  readonly isVerbose: boolean;
  /** The person sees what to do about false alarms next. */
  readonly isFixing: boolean;
  /** The data directory of the sample sessions, where they are all there is. */
  readonly sample?: string | undefined;
  /** Of the terminal; undefined in a pipe, where nothing is cut. */
  readonly columns?: number | undefined;
}

const [SHORT, LONG] = [5, 20];

export function renderBacktest(report: FullBacktest, view: BacktestView): string {
  if (report.calls === 0) return renderNothing(report.history, view).join('\n');
  const parts = [
    renderHeadline(report, view),
    renderAnswered(report),
    renderClasses(report, view),
    renderAims(report, view),
    ...(report.failures === 0 ? [] : [renderSignatures(report, view)]),
    renderProjects(report, view),
    renderAgents(report, view),
    renderAlarms(report, view),
    renderNotes(report, view),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function renderNothing(history: BacktestHistory, { sample, columns }: BacktestView): readonly string[] {
  const { source, since, project, withoutText } = history;
  const where = [
    ...(since === undefined ? [] : [`since ${toMinute(since)} UTC`]),
    ...(project === undefined ? [] : [`in the project ${toLine(project, toScreenMax(columns, 40))}`]),
  ];
  const nothing = where.length === 0 ? 'There are no calls to replay.' : `There are no calls ${where.join(' ')}.`;
  const gone = withoutText === 0 ? '' : ` ${toCount(withoutText, 'call')} lost their text to retention.`;
  const next = source === 'path' ? 'name another folder' : 'name a folder of sessions';
  const longer = since === undefined ? [] : ['  use a longer time: oncebitten stats backtest --since 30d'];
  return [
    `${nothing}${gone}`,
    ...longer,
    `  ${since === undefined ? next : `or ${next}`}: oncebitten stats backtest --path <folder>`,
    ...(sample === undefined ? [] : [`  or try the samples: oncebitten stats backtest --home ${sample}`]),
  ];
}

function renderHeadline(report: FullBacktest, { columns }: BacktestView): readonly string[] {
  const { sessions, calls, failures, deliveries, all, history } = report;
  const where = history.project === undefined ? '' : ` of ${toLine(history.project, toScreenMax(columns, 30))}`;
  const when = history.since === undefined ? '' : ` since ${history.since.slice(0, 10)}`;
  const past = `${toCount(calls, 'call')} in ${toCount(sessions, 'session')}${where}${when}`;
  if (failures === 0 && deliveries === 0) return [`None of ${past} failed.`];
  const noise =
    deliveries === 0
      ? 'No warning would have been given.'
      : `${toNumber(all.hits)} of ${toCount(deliveries, 'warning')} ${deliveries === 1 ? 'was' : 'were'} right${toBracket(all.precision)}; one warning in ${toNumber(Math.round(calls / deliveries))} calls.`;
  return [
    `${past}, replayed; each call got only the lessons that were learned before it.`,
    '',
    `  Of ${toCount(failures, 'failure')}, ${toNumber(all.repeats)} repeated an earlier one.`,
    ...(all.repeats === 0
      ? []
      : [`  A lesson would have warned of ${toNumber(all.warned)} of these${toBracket(all.recall)}.`]),
    `  ${noise}`,
  ];
}

/** The same figures without and with a model, side by side. */
function renderAnswered({ withAnswers, ...report }: FullBacktest): readonly string[] {
  if (withAnswers === undefined) return [];
  const { answers, active, drafts, dropped } = withAnswers;
  const lost = dropped.reduce((sum, { count }) => sum + count, 0);
  const toRow = (name: string, { all, deliveries, deliveriesPer100Calls }: BacktestReport): readonly string[] => [
    name,
    `${toNumber(all.warned)} of ${toNumber(all.repeats)}${toBracket(all.recall)}`,
    `${toNumber(all.hits)} of ${toNumber(deliveries)}${toBracket(all.precision)}`,
    `${deliveriesPer100Calls}`,
  ];
  return [
    `With a model that answered at the end of each session: ${toCount(answers, 'answer')}, ${toCount(active, 'active lesson')}, ${toCount(drafts, 'draft')}, ${toNumber(lost)} dropped before the gate.`,
    renderTable(
      ['', 'repeats warned of', 'warnings right', 'per 100 calls'],
      [toRow('without', report), toRow('with answers', withAnswers)],
    ),
  ];
}

/** Classes of failures as a person reads them. JSON has the keys. */
const CLASSES: Readonly<Record<string, string>> = {
  command: 'wrong call',
  verdict: 'failed check',
  harness: 'refused',
  world: 'network, limits',
  exploration: 'search',
  'edit-text': 'edit text',
  status: 'exit code only',
  learnable: 'worked later',
};

function toClassName(name: string): string {
  return CLASSES[name] ?? name;
}

function renderClasses(report: BacktestReport, { isVerbose, columns }: BacktestView): readonly string[] {
  const more = isVerbose
    ? ([
        ['all', report.all],
        ['learnable', report.learnable],
      ] as const)
    : [];
  const rows = [...Object.entries(report.classes), ...more];
  const table = isVerbose
    ? renderNumbers(
        ['CLASS', 'FAILED', 'REPEATS', 'WARNED', '95 % RANGE', 'WARNINGS', 'RIGHT', '95 % RANGE'],
        rows.map(([name, figures]) => [toClassName(name), ...toIntervalCells(figures)]),
        { columns },
      )
    : renderNumbers(
        ['CLASS', 'FAILED', 'REPEATS', 'WARNED', '', 'WARNINGS', 'RIGHT', ''],
        rows.map(([name, figures]) => [toClassName(name), ...toCells(figures)]),
        { columns },
      );
  const later = 'worked later: the failures after which a call with the same intent worked.';
  return [table, ...(isVerbose ? [later] : [])];
}

function toCells({ failures, repeats, warned, recall, deliveries, hits, precision }: ClassFigures): readonly string[] {
  return [
    ...[failures, repeats, warned].map(toNumber),
    toPercent(recall),
    ...[deliveries, hits].map(toNumber),
    toPercent(precision),
  ];
}

function toIntervalCells(figures: ClassFigures): readonly string[] {
  const [failures = '', repeats = '', warned = '', , deliveries = '', hits = ''] = toCells(figures);
  return [
    ...[failures, repeats, warned, toEnds(figures.recallInterval)],
    ...[deliveries, hits, toEnds(figures.precisionInterval)],
  ];
}

const FIGURES: Readonly<Record<Target['figure'], string>> = {
  precision: 'warnings that are right',
  recall: 'repeats that are warned of',
  deliveriesPer100Calls: 'warnings in 100 calls',
};

/** What is asked, beside what is. */
function renderAims({ aims, failures, deliveries }: BacktestReport, { columns }: BacktestView): readonly string[] {
  if (failures === 0 && deliveries === 0) return [];
  const known = aims.filter(({ isMet }) => isMet !== null);
  const met = known.filter(({ isMet }) => isMet).length;
  const rows = aims.map(({ of, figure, value, atLeast, atMost, isMet }) => {
    const toText = figure === 'deliveriesPer100Calls' ? toHundredths : toPercent;
    return [
      `${of === 'all' ? '' : `${toClassName(of)}: `}${FIGURES[figure]}`,
      atLeast === undefined ? `at most ${atMost}` : `at least ${toPercent(atLeast)}`,
      toText(value),
      isMet === null ? 'nothing to measure' : isMet ? 'met' : 'not met',
    ];
  });
  const unknown = aims.length - known.length;
  const rest = unknown === 0 ? '' : `; for ${unknown} there was nothing to measure`;
  return [
    `Aims: ${met} of ${known.length} met${rest}`,
    renderNumbers(['MEASURE', 'AIM', 'RESULT', ''], rows, { columns, left: [0, 1, 3] }),
  ];
}

function toHundredths(value: number | null): string {
  return value === null ? '-' : String(Math.round(value * 100) / 100);
}

function renderSignatures({ perSignature }: BacktestReport, { isVerbose, columns }: BacktestView): readonly string[] {
  const again = perSignature.filter(({ repeats }) => repeats > 0);
  if (again.length === 0) return [];
  const shown = again.slice(0, isVerbose ? LONG : SHORT);
  const rows = shown.map((one) => [
    ...[toNumber(one.repeats), toNumber(one.warned), toClassName(one.class)],
    toLine(one.signature),
  ]);
  const table = renderNumbers(['REPEATS', 'WARNED', 'CLASS', 'FAILURE'], rows, { columns, left: [2, 3] });
  return ['Most repeated', table, ...renderLeft(again.length - shown.length, isVerbose)];
}

const NAME_CHARS = 24;
const ROW_HEAD = ['CALLS', 'REPEATS', 'WARNED', '', 'WARNINGS', 'RIGHT', ''];

function renderProjects({ perProject }: FullBacktest, { isVerbose, columns }: BacktestView): readonly string[] {
  if (perProject.length < 2) return [];
  const shown = perProject.slice(0, isVerbose ? LONG : SHORT);
  const rows = shown.map(({ name, calls, ...figures }) => [
    toPathLine(name, toScreenMax(columns, NAME_CHARS)),
    ...[toNumber(calls), ...toCells(figures).slice(1)],
  ]);
  const table = renderNumbers(['PROJECT', ...ROW_HEAD], rows, { columns });
  return [table, ...renderLeft(perProject.length - shown.length, isVerbose)];
}

function renderAgents({ agents = {} }: FullBacktest, { columns }: BacktestView): readonly string[] {
  const rows = Object.entries(agents).map(([agent, { calls, all }]) => [
    toLine(agent, toScreenMax(columns, NAME_CHARS)),
    ...[toNumber(calls), ...toCells(all).slice(1)],
  ]);
  return rows.length === 0 ? [] : [renderNumbers(['AGENT, ALONE', ...ROW_HEAD], rows, { columns })];
}

function renderAlarms({ worstFalseAlarms: all }: FullBacktest, view: BacktestView): readonly string[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, view.isVerbose ? LONG : SHORT);
  const canFix = all.some(({ stored }) => stored !== undefined && stored.status !== 'archived');
  const hint = canFix && !view.isFixing ? ['To archive, edit or mute them with one key each, add --fix.'] : [];
  return [
    'Worst false alarms',
    ...shown.flatMap((alarm) => renderAlarm(alarm, view.columns)),
    ...renderLeft(all.length - shown.length, view.isVerbose),
    ...hint,
  ];
}

const STATES = { active: '', draft: ' (a draft now)', archived: ' (archived)' };

function renderAlarm(
  { lesson, falseAlarms, deliveries, stored, example }: KnownFalseAlarms,
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  const state = stored === undefined ? ' (not in your store)' : STATES[stored.status];
  const figures = `  ${falseAlarms} of ${deliveries} wrong  `;
  return [
    `${figures}${toLine(stored?.slug ?? lesson, columns - figures.length - state.length)}${state}`,
    cut(`    last at: ${toLine(example.what)}`, columns),
  ];
}

function renderNotes({ history, masked, unclassed }: FullBacktest, { isVerbose }: BacktestView): readonly string[] {
  const { source, storedSessions, withoutText } = history;
  const notes = [
    ...(source === 'places' ? ['The store is empty, so this replays the session files of the agents.'] : []),
    ...(storedSessions === 0
      ? []
      : [
          `The transcripts of ${toCount(storedSessions, 'session')} are gone. The store has only the beginnings of their calls, so less is learned from them.`,
        ]),
    ...(withoutText === 0 ? [] : [`${toCount(withoutText, 'call')} lost their text to retention and are left out.`]),
    ...(masked.failures > 0 && (isVerbose || masked.hits > 0)
      ? [
          `${toCount(masked.failures, 'more failure')} ${masked.failures === 1 ? 'was' : 'were'} hidden by the command itself; they got ${toCount(masked.hits, 'right warning')}.`,
        ]
      : []),
    ...(unclassed.deliveries === 0
      ? []
      : [
          `${toCount(unclassed.deliveries, 'warning')} of no class, because their lessons were learned from a refusal.`,
        ]),
  ];
  return notes;
}

/** Numbers under numbers; the columns `left`, or else the first column, begin on the left. */
function renderNumbers(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { left = [0], columns }: { readonly left?: readonly number[]; readonly columns: number | undefined },
): string {
  const numbers = head.map((_, n) => n).filter((n) => !left.includes(n));
  return renderTable(...alignRight(head, rows, numbers))
    .split('\n')
    .map((line) => cut(line, columns))
    .join('\n');
}

function renderLeft(count: number, isVerbose: boolean): readonly string[] {
  return count <= 0 ? [] : [`  ${toNumber(count)} more${isVerbose ? '' : ': --verbose'}`];
}

function cut(line: string, columns = Number.POSITIVE_INFINITY): string {
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}

function toPercent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 100)} %`;
}

function toBracket(share: number | null): string {
  return share === null ? '' : ` (${toPercent(share)})`;
}

function toEnds(interval: Interval | null): string {
  return interval === null ? '-' : `${Math.round(interval[0] * 100)}-${Math.round(interval[1] * 100)} %`;
}
