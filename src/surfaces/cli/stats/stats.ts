/**
 * `oncebitten stats`: whether the lessons help, and what they cost. The answer comes first, then what it rests on, then
 * the tables.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { DeliveryQuery } from '../../../base/model/delivery.ts';
import { DELIVERY_MODES, LEVELS } from '../../../base/model/lesson.ts';
import { dropAbsent } from '../../../base/records.ts';
import { type Effect, isKnownEffect, type MeanFigure, type Rate } from '../../../base/statistics/estimates.ts';
import type { Comparison } from '../../../measure/effects.ts';
import type { OutcomeCounts, Share, StatsGroup, StatsReport } from '../../../measure/make-stats-report.ts';
import { makeStatsReport, type StatsInput } from '../../../measure/make-stats-report.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import type { Handler } from '../command.ts';
import { listTakenBack } from '../lessons/feedback.ts';
import { readHome } from '../open-home.ts';
import { toLimit } from '../paging.ts';
import { renderFailureCounts } from '../sessions/failures.ts';
import { alignRight, renderTable } from '../table.ts';
import { toCount, toLine, toMinute, toNumber, toScreenMax } from '../text.ts';
import { toDeliveryQuery } from './deliveries.ts';

const DEFAULT_LIMIT = 10;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const limit = toLimit(input.options.limit as string | undefined, DEFAULT_LIMIT);
    const query = await toDeliveryQuery(input, store);
    const models = await readModelUse(store, query);
    const report = { ...makeStatsReport(await readCounts(store, query)), ...dropAbsent({ models }) };
    const { lessons, drafts, calls, deliveries } = await store.countAll();
    const isNarrowed = Object.keys(query).length > 0 && deliveries > 0;
    const isOfOne = query.lessonId !== undefined;
    return {
      json: report,
      text: renderStats(report, {
        limit,
        isNarrowed,
        isOfOne,
        columns: input.columns,
        store: { lessons, drafts, calls },
      }),
    };
  });

/** What was asked of language models, and what it cost. Undefined if nothing was, or for one lesson or session. */
async function readModelUse(store: Store, { since, lessonId, sessionId, projectIds }: DeliveryQuery) {
  if (lessonId !== undefined || sessionId !== undefined) return undefined;
  const asked = (await store.listPacks(dropAbsent({ since }))).filter(
    ({ projectId }) => projectIds === undefined || projectIds.includes(projectId),
  );
  if (asked.length === 0) return undefined;
  const priced = asked.flatMap(({ usd }) => usd ?? []);
  const verdicts = asked.flatMap(({ outcomes = [] }) => outcomes.map(({ verdict }) => verdict));
  return {
    packs: asked.length,
    tokens: asked.reduce((sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens, 0),
    // Most providers tell tokens only.
    unpriced: asked.filter(({ usd, inputTokens }) => usd === undefined && inputTokens !== undefined).length,
    ...(priced.length === 0 ? {} : { usd: priced.reduce((sum, one) => sum + one, 0) }),
    proposed: verdicts.length,
    active: verdicts.filter((verdict) => verdict === 'active').length,
    drafts: verdicts.filter((verdict) => verdict === 'draft').length,
  };
}

type ModelUse = NonNullable<Awaited<ReturnType<typeof readModelUse>>>;
type Report = StatsReport & { readonly models?: ModelUse };

function listModelUse({ models }: Report): readonly Fact[] {
  if (models === undefined) return [];
  const { packs, tokens, usd, unpriced, proposed, active, drafts } = models;
  const price =
    usd === undefined
      ? ', price not reported'
      : `, ${usd.toFixed(2)} USD${unpriced === 0 ? '' : ` without ${toCount(unpriced, 'pack')}`}`;
  const made = `${toCount(proposed, 'proposal')}: ${active} active, ${toCount(drafts, 'draft')}`;
  return [['Model asked', `${toCount(packs, 'pack')}, ${toNumber(tokens)} tokens${price}; ${made}`]];
}

async function readCounts(store: Store, query: DeliveryQuery): Promise<StatsInput> {
  const latency = await store.readLatency(query);
  const { lessonId, agent, projectIds, sessionId, since, until, model, category } = query;
  const calls =
    lessonId === undefined
      ? await store.countFailures({
          ...dropAbsent({ agent, projectIds, sessionId, since, until, model, category }),
        })
      : undefined;
  const lessons = await store.listLessons();
  const labels = await readProjectLabels(store);
  return {
    ...dropAbsent({ since }),
    ...(calls === undefined ? {} : { calls, added: await store.countAdded(query) }),
    cells: {
      project: await store.countDeliveries(query, 'project'),
      agent: await store.countDeliveries(query, 'agent'),
      day: await store.countDeliveries(query, 'day'),
    },
    ...dropAbsent({ latency }),
    missed: await store.countMissed(query),
    feedback: await store.countFeedback(query, [...(await listTakenBack(store, await store.listFeedback()))]),
    recurrences: await store.listRecurrences(query),
    lessons: lessons.filter(({ status }) => status === 'active'),
    names: new Map([...labels, ...lessons.map(({ id, slug }) => [id, slug] as const)]),
  };
}

interface StatsView {
  readonly limit: number;
  /** Only a part of all deliveries was asked for. */
  readonly isNarrowed: boolean;
  readonly isOfOne: boolean;
  /** Of the terminal; undefined in a pipe. */
  readonly columns?: number | undefined;
  readonly store: { readonly lessons: number; readonly drafts: number; readonly calls: number };
}

const NAME_CHARS = 25;
const END_CHARS = 5;
const LABEL_CHARS = 15;

export function renderStats(report: Report, view: StatsView): string {
  const { totals } = report;
  if (totals.shown + totals.withheld === 0)
    return [renderNothing(report, view), ...[...listCures(report), ...listModelUse(report)].map(renderFact)].join('\n');
  const facts = [...listFacts(report, view), ...listModelUse(report)].map(renderFact);
  return [renderHeadline(report), '', ...facts, ...renderTables(report, view)].join('\n');
}

function renderHeadline({ lessons, totals, since }: StatsReport): string {
  const when = since === undefined ? '' : ` since ${toMinute(since)}`;
  const atCalls = totals.shown - totals.atStart;
  const often = lessons > 1 && totals.shown === lessons ? ', once each' : ` ${toTimes(totals.shown)}`;
  const shown = `${toCount(lessons, 'lesson')} ${lessons === 1 ? 'was' : 'were'} shown${often}${when}`;
  const outcomes = atCalls === 0 ? '' : `: ${listOutcomes(totals.outcomes).join(', ')}`;
  const start = totals.atStart === 0 ? '' : `${atCalls === 0 ? ':' : ';'} ${toNumber(totals.atStart)} at session start`;
  return totals.outcomes.open === atCalls && atCalls > 0
    ? `${shown}${start}. Whether ${lessons === 1 ? 'it' : 'they'} helped is not known yet.`
    : `${shown}${outcomes}${start}.`;
}

const OUTCOMES = {
  clean: 'without a repeat of the mistake',
  ignored: 'with a repeat',
  failed_anyway: 'with a repeat although the agent followed the lesson',
  incomplete: 'without another attempt',
  open: 'with no outcome yet',
} as const;

function listOutcomes(outcomes: OutcomeCounts): readonly string[] {
  const keys = Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[];
  return keys.filter((key) => outcomes[key] > 0).map((key) => `${toNumber(outcomes[key])} ${OUTCOMES[key]}`);
}

type Fact = readonly [label: string, text: string];

function renderFact([label, text]: Fact): string {
  return `${label.padEnd(LABEL_CHARS)}${text}`;
}

function listFacts(report: StatsReport, { isOfOne, isNarrowed }: StatsView): readonly Fact[] {
  const { totals, latency, recurrence, missed, calls } = report;
  return [
    ['Prevented', renderEffect(report, isOfOne)],
    ...listAfter(report),
    ...listAround(recurrence),
    ...(totals.oldVerdicts === undefined ? [] : [['Old verdicts', renderOldVerdicts(totals.oldVerdicts)] as const]),
    ...(totals.falseAlarms.calls === 0 ? [] : [['False alarms', renderAlarms(report)] as const]),
    ...(missed.total === 0 ? [] : [['Missed', renderMissed(report)] as const]),
    ...listCures(report),
    ['Shown as', renderModes(report)],
    ...(totals.atStart === 0 ? [] : [['Session start', renderStart(report)] as const]),
    ...(latency === undefined ? [] : [['Latency', renderLatency(latency)] as const]),
    ['Text added', renderAdded(report)],
    ['Feedback', renderVoices(report)],
    ...listCalls(calls),
    ...(isOfOne || isNarrowed ? [] : listPriorities(report)),
  ];
}

/** Known fixes at failures, and warnings before calls that failed before. */
function listCures({ cures, memory }: StatsReport): readonly Fact[] {
  return [...listOne('Known fixes', 'at a failure', cures), ...listOne('Failed before', 'before a call', memory)];
}

/** How often they were shown, what came after them, and what they prevented. */
function listOne(label: string, where: string, figures: StatsReport['cures']): readonly Fact[] {
  if (figures === undefined) return [];
  const { shown, withheld, outcomes, effect, after } = figures;
  const ends = listOutcomes(outcomes).join(', ');
  const times = `shown ${toTimes(shown)} ${where}${ends === '' ? '' : `: ${ends}`}; withheld ${toTimes(withheld)}`;
  const prevented = effect === undefined ? 'prevented: not yet known' : renderPrevented(effect);
  return [[label, `${times}; ${prevented}`], ...listComparisons(after).map(([, text]): Fact => ['', text])];
}

function listCalls(calls: StatsReport['calls']): readonly Fact[] {
  if (calls === undefined || calls.calls === 0) return [];
  const { cost } = calls;
  const means = [
    renderMean(cost.calls, 'calls'),
    renderMean(cost.seconds, 'seconds'),
    renderMean(cost.tokens, 'tokens'),
  ].filter((mean) => mean !== undefined);
  const average = means.length === 0 ? '' : `, on average after ${means.join(', ')}`;
  const text = `${toNumber(cost.solved)} of ${toCount(cost.begun, 'failure')} (repeated attempts counted once) ended with a call that worked${average}`;
  return [['Calls', renderFailureCounts(calls)], ...(cost.begun === 0 ? [] : [['Failure cost', text] as const])];
}

function renderMean({ mean, interval }: MeanFigure, what: string): string | undefined {
  if (mean === undefined) return undefined;
  const round = (value: number): string => toNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
  const spread = interval === undefined ? '' : ` (95 % interval ${round(interval[0])} to ${round(interval[1])})`;
  return `${round(mean)} ${what}${spread}`;
}

function renderEffect({ totals, effects }: StatsReport, isOfOne: boolean): string {
  const { effect, outcomes, withheldOutcomes } = totals;
  if (effect === undefined) {
    const known = `so far ${toNumber(countKnown(outcomes))} and ${toNumber(countKnown(withheldOutcomes))}`;
    return `not yet known: ${isOfOne ? 'the lesson' : 'lessons'} must first be shown at 5 calls and withheld at 5 others (${known})`;
  }
  const { helpful, harmful } = effects;
  const clear = `. Known by now: ${helpful} helpful, ${harmful} harmful`;
  return `${renderPrevented(effect)}; the mistake came again after ${renderRate(effect.with)} shown and ${renderRate(effect.without)} withheld`.concat(
    isOfOne || helpful + harmful === 0 ? '' : clear,
  );
}

function countKnown({ clean, ignored, failed_anyway }: OutcomeCounts): number {
  return clean + ignored + failed_anyway;
}

/** A number only where its direction is certain: what a few cases say by chance is none. */
function renderPrevented(effect: Effect): string {
  const [low, high] = toEnds(effect);
  if (!isKnownEffect(effect))
    return `not yet known: between ${low} and ${high} fewer repeats per 100 times shown (95 % interval)`;
  const less = effect.prevented < 0 ? 'more' : 'fewer';
  return `${Math.abs(toPrevented(effect))} ${less} repeats per 100 times shown (95 % interval ${low} to ${high})`;
}

const AFTER_LABELS = {
  failingAttempts: ['Fails after', 'failing attempts until success'],
  callsToSuccess: ['Calls after', 'calls until success'],
  secondsToSuccess: ['Time after', 'seconds until success'],
  tokensToSuccess: ['Tokens after', 'tokens until success'],
} as const;

/** What came after notes: shown against withheld. */
function listAfter({ totals: { after, cameBack } }: StatsReport): readonly Fact[] {
  const facts = listComparisons(after);
  const { shown, withheld } = cameBack;
  if (shown.trials + withheld.trials === 0) return facts;
  const text = `a later session of the project made the mistake again after ${renderRate(shown)} shown and ${renderRate(withheld)} withheld`;
  return [...facts, ['Came back', text]];
}

function listComparisons(after: StatsReport['totals']['after']): readonly Fact[] {
  const measures = Object.keys(AFTER_LABELS) as (keyof typeof AFTER_LABELS)[];
  return measures
    .filter((measure) => after[measure].shown.n + after[measure].withheld.n > 0)
    .map((measure): Fact => {
      const [label, what] = AFTER_LABELS[measure];
      return [label, renderComparison(after[measure], what)];
    });
}

function renderComparison({ shown, withheld, saved, interval }: Comparison, what: string): string {
  const toArm = ({ n, mean }: MeanFigure, arm: string): string =>
    mean === undefined ? `no ${arm} delivery yet` : `${mean} on average in ${toNumber(n)} ${arm}`;
  const means = `${what}: ${toArm(shown, 'shown')}, ${toArm(withheld, 'withheld')}`;
  if (saved === undefined || interval === undefined) return `${means}; difference not yet known`;
  const [low, high] = interval;
  const isKnown = low > 0 || high < 0;
  const difference = isKnown
    ? `${Math.abs(saved)} ${saved < 0 ? 'more' : 'fewer'} with a lesson`
    : 'difference not yet known';
  return `${means}; ${difference} (95 % interval ${low} to ${high})`;
}

/** Calls of the lessons' programs, before and since. */
function listAround(recurrence: StatsReport['recurrence']): readonly Fact[] {
  if (recurrence === undefined) return [];
  const { before, after } = recurrence;
  const caution = isDistinct(before, after)
    ? 'this is no proof, because more than the lesson may have changed'
    : 'too few to tell a difference';
  return [
    [
      'Before',
      `${renderShare(before)} calls of the same program made the lesson's mistake, before the lesson first fired`,
    ],
    [
      'After',
      `${renderShare(after)} such calls made the mistake after the lesson first fired (this counts the calls that triggered the lesson); ${caution}`,
    ],
  ];
}

function isDistinct({ interval: a }: Share, { interval: b }: Share): boolean {
  return a !== undefined && b !== undefined && (a[1] < b[0] || b[1] < a[0]);
}

function renderRate({ trials, failures }: Rate): string {
  return `${toNumber(failures)} of ${toNumber(trials)}`;
}

/** Never a percentage without its counts and its interval. */
function renderShare({ share, interval, ...rate }: Share): string {
  if (share === undefined || interval === undefined) return renderRate(rate);
  const [low, high] = interval.map((end) => Math.round(end * 100));
  return `${renderRate(rate)} (${toPercent(share)}, 95 % interval ${low} to ${high})`;
}

function renderAlarms({ totals: { falseAlarms } }: StatsReport): string {
  const { worked, calls, ...share } = falseAlarms;
  const counted = renderShare({ trials: calls, failures: worked, ...share });
  return `${counted} calls that a lesson fired on (shown or withheld) worked`;
}

function renderOldVerdicts(count: number): string {
  const [what, counts] = count === 1 ? ['1 delivery', 'it counts'] : [`${toNumber(count)} deliveries`, 'they count'];
  return `an older version judged ${what} by other rules; ${counts} as not judged until you run: oncebitten scan --again`;
}

function renderMissed({ missed: { total, reasons } }: StatsReport): string {
  const why = reasons.map(({ reason, count }) => `${toNumber(count)} ${reason}`).join(', ');
  return `${toCount(total, 'failure')} that an active lesson is about got no warning: ${why}`;
}

function renderModes({ totals }: StatsReport): string {
  const modes = DELIVERY_MODES.filter((mode) => totals.modes[mode] > 0).map((mode) =>
    toCount(totals.modes[mode], mode),
  );
  const withheld = totals.withheld === 0 ? [] : [`${toNumber(totals.withheld)} withheld`];
  return [...modes, ...withheld].join(', ') || 'at no call';
}

function renderStart({ totals }: StatsReport): string {
  return `${toTimes(totals.atStart)}: about no call, so never judged`;
}

function renderLatency({ calls, p50Us, p95Us, p99Us }: NonNullable<StatsReport['latency']>): string {
  const ms = (us: number): string => (us / 1000).toFixed(us < 10_000 ? 2 : 0);
  return `p50 ${ms(p50Us)} ms, p95 ${ms(p95Us)} ms, p99 ${ms(p99Us)} ms to decide, for ${toCount(calls, 'call')} on which lessons fired`;
}

const ADDED = {
  note: 'note',
  refusal: 'refusal',
  rewrite: 'rewrite',
  'session-start': 'session start',
  protocol: 'report request',
} as const;

function renderAdded({ totals, added }: StatsReport): string {
  const render = (bytes: number, tokens: number): string =>
    `${toCount(bytes, 'byte')}, about ${toCount(tokens, 'token')} (bytes / 4)`;
  if (added === undefined || added.bytes < totals.bytes)
    return `${render(totals.bytes, totals.tokens)}, not counting the fixed words around each lesson`;
  const kinds = added.kinds.map(
    ({ kind, texts, bytes }) => `${toCount(bytes, 'byte')} in ${toCount(texts, ADDED[kind])}`,
  );
  return `${render(added.bytes, added.tokens)}: ${kinds.join(', ')}`;
}

function renderVoices({ feedback: { user, agent } }: StatsReport): string {
  const [good, bad] = [user.helpful + agent.helpful, user['not-helpful'] + agent['not-helpful']];
  if (good + bad === 0) return 'none yet; give it with: oncebitten lessons feedback <lesson> helpful';
  const agents = agent.helpful + agent['not-helpful'];
  const whose = agents === 0 ? '' : ` (${toNumber(agents)} of them by agents)`;
  return `${toNumber(good)} helpful, ${toNumber(bad)} not helpful${whose}`;
}

function listPriorities({ priorities: { active, levels, isInflated } }: StatsReport): readonly Fact[] {
  const counts = LEVELS.map((level) => `${toNumber(levels[level])} ${level}`).join(', ');
  const warning =
    'more than half are CRITICAL, so this level no longer stands out. Lower some: oncebitten lessons list --sort priority';
  return [
    ['Priorities', `${counts}, of ${toCount(active, 'active lesson')}`],
    ...(isInflated ? [['WARNING', warning] as const] : []),
  ];
}

function renderTables({ by }: StatsReport, view: StatsView): readonly string[] {
  return [
    ...renderGroups('LESSON', by.lesson, view),
    ...renderGroups('PROJECT', by.project, view),
    ...renderGroups('AGENT', by.agent, view),
    ...renderGroups('WEEK OF', by.week, view),
    '',
    ...LEGEND.map(([column, meaning]) => `${column.padEnd(LEGEND_CHARS)}${meaning}`),
  ];
}

function renderGroups(title: string, groups: readonly StatsGroup[], { limit, columns }: StatsView): readonly string[] {
  if (groups.length === 0) return [];
  const head = [title, 'SHOWN', 'WITHHELD', 'CLEAN', 'AGAIN', 'OPEN', 'FALSE ALARMS', 'PREVENTED %'];
  const rows = groups.slice(0, limit).map((group) => toRow(group, toScreenMax(columns, NAME_CHARS)));
  const more = groups.length > limit ? [`… and ${groups.length - limit} more: --limit ${groups.length}`] : [];
  return ['', renderTable(...alignRight(head, rows, [1, 2, 3, 4, 5, 6])), ...more];
}

function toRow(one: StatsGroup, nameChars: number): readonly string[] {
  const { outcomes, falseAlarms, effect } = one;
  return [
    toName(one.name, nameChars).padEnd(NAME_CHARS),
    toNumber(one.shown),
    toNumber(one.withheld),
    toNumber(outcomes.clean),
    toNumber(outcomes.ignored + outcomes.failed_anyway),
    toNumber(outcomes.open + outcomes.incomplete),
    falseAlarms.calls === 0 ? '-' : toNumber(falseAlarms.worked),
    effect === undefined ? '-' : renderCell(effect),
  ];
}

function renderCell(effect: Effect): string {
  return `${isKnownEffect(effect) ? toPrevented(effect) : '?'} (${toEnds(effect).join('..')})`;
}

/** Slugs differ at their end. */
function toName(name: string, max: number): string {
  const line = toLine(name === '' ? '(not known)' : name);
  return line.length <= max ? line : `${line.slice(0, max - END_CHARS - 1)}…${line.slice(-END_CHARS)}`;
}

const LEGEND_CHARS = 14;
const LEGEND: readonly Fact[] = [
  ['SHOWN', 'shown to an agent, at a call or at session start'],
  ['WITHHELD', 'not shown on purpose, to compare with SHOWN'],
  ['CLEAN', 'later calls did not repeat the mistake'],
  ['AGAIN', 'a later call repeated the mistake; for a checklist: the session did none of its items'],
  ['OPEN', 'no outcome: the agent has not tried again'],
  ['FALSE ALARMS', 'the lesson fired on a call that worked'],
  [
    'PREVENTED',
    'mistakes avoided per 100 times shown, compared with sessions in which it was withheld (95 % interval); ?: may be chance; -: not yet known',
  ],
];

function renderNothing(
  { missed, calls: known }: StatsReport,
  { isNarrowed, store: { lessons, drafts, calls } }: StatsView,
): string {
  if (isNarrowed) return 'No shown or withheld lessons match these filters. See all: oncebitten stats';
  const head = 'No lesson was shown yet, so there is nothing to measure.';
  const next =
    lessons > 0
      ? `${toCount(lessons, 'lesson')} can fire; check the hooks: oncebitten doctor`
      : drafts > 0
        ? `${toCount(drafts, 'draft')} to review: oncebitten lessons review`
        : calls > 0
          ? 'Nothing was learned yet. Write a lesson: oncebitten lessons add'
          : 'Learn from past sessions first: oncebitten scan';
  const unwarned = missed.total === 0 ? [] : [`${toCount(missed.total, 'failure')} got no warning.`];
  const counted = known === undefined || known.calls === 0 ? [] : ['', renderFailureCounts(known)];
  return [head, next, ...unwarned, ...counted].join('\n');
}

function toPrevented({ prevented }: Effect): number {
  return Math.round(prevented * 100) + 0;
}

function toEnds({ interval }: Effect): readonly number[] {
  return interval.map((end) => Math.round(end * 100) + 0);
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function toTimes(n: number): string {
  return n === 1 ? 'once' : `${toNumber(n)} times`;
}
