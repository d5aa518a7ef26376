/**
 * `oncebitten lessons show` prints one lesson with its status, text, triggers, back-test, promotions, feedback and
 * history; `lessons history` prints every change of it, who made it and why.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { Feedback } from '../../../base/model/feedback.ts';
import type { KeptChange, Lesson, LessonChange } from '../../../base/model/lesson.ts';
import { isUnconfirmed, isWaiting } from '../../../base/model/lesson-trust.ts';
import { isOpen, PROMOTION_REASON, type Promotion } from '../../../base/model/promotion.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { dropAbsent } from '../../../base/records.ts';
import { renderConditions } from '../../../base/triggers/render-triggers.ts';
import { hidesCommand } from '../../../keep/manifest/lesson-text.ts';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import { readSwitches } from '../../../loop/privacy/switches.ts';
import { isProcedure, listItems } from '../../../measure/procedure.ts';
import { findNextUndo, listChanged } from '../../../promote/undo-change.ts';
import { getNamed } from '../arguments/lessons.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { toWholePage } from '../paging.ts';
import { joinLines, toCount, toLine, toMinute, toPlainText, toScreenMax } from '../text.ts';
import { listStandingFeedback } from './feedback.ts';
import {
  findBackTest,
  findLastingSilence,
  findMuted,
  listHeldReasons,
  listMeasured,
  listSaid,
  renderRank,
  renderReach,
  toShownRank,
} from './lesson-details.ts';

const MAX_HISTORY = 10;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const name = input.arguments[0] ?? '';
    const lesson = await getNamed(store, name);
    const changes = await store.listLessonHistory(lesson.id);
    const history = changes.map(({ by, reason, at }) => ({ by, reason, at }));
    const backTest = findBackTest(history);
    const heldBack = isWaiting(lesson) ? listHeldReasons(lesson, history) : [];
    const promotions = (await store.listPromotions({ lessonId: lesson.id })).filter(isOpen);
    const feedback = await listStandingFeedback(store, { lessonId: lesson.id });
    const project = (await readProjectLabels(store)).get(lesson.scope.id ?? '');
    const muted = findMuted(lesson, readSwitches(input.home.switchesFile), Date.now());
    const json = {
      ...{ ...lesson, ...toShownRank(lesson), firesOn: renderConditions(lesson.triggers), history },
      ...dropAbsent({ project, muted, nextUndo: findUndo(changes, promotions) }),
      ...(isUnconfirmed(lesson) ? { confirmed: false, commandWithheld: hidesCommand(lesson) } : {}),
      ...(isProcedure(lesson)
        ? { judgedBy: listItems(lesson).map(({ number, text }) => ({ item: number, text })) }
        : {}),
      ...(backTest === undefined ? {} : { backTest }),
      ...(heldBack.length === 0 ? {} : { heldBack }),
      ...(promotions.length === 0 ? {} : { promotions }),
      ...(feedback.length === 0 ? {} : { feedback }),
    };
    const settings = readSettings(input.home.configFile, input.env);
    const successor = await findSuccessor(store, lesson);
    const more = { project, backTest, heldBack, successor, settings, promotions, feedback };
    const text = render(lesson, history, more);
    return { json, text: toPlainText(text) };
  });

/** What `lessons undo` would take back. A promotion is taken back with its file, by other commands. */
function findUndo(changes: readonly KeptChange[], open: readonly Promotion[]) {
  const isPromoted = open.length > 0 && changes.at(-1)?.reason.startsWith(PROMOTION_REASON) === true;
  const next = isPromoted ? undefined : findNextUndo(changes);
  return next && { id: next.id, reason: next.reason, at: next.at };
}

/** The name of the lesson that replaced this one, or its id where it is gone. */
async function findSuccessor(store: Store, { validity }: Lesson): Promise<string | undefined> {
  const { supersededBy } = validity;
  return supersededBy === undefined ? undefined : ((await store.findLesson(supersededBy))?.slug ?? supersededBy);
}

interface More {
  /** The label of the project that the lesson is for. */
  readonly project: string | undefined;
  readonly backTest: string | undefined;
  readonly heldBack: readonly string[];
  readonly successor: string | undefined;
  readonly settings: Settings;
  readonly promotions: readonly Promotion[];
  readonly feedback: readonly Feedback[];
}

function render(lesson: Lesson, history: readonly LessonChange[], more: More): string {
  const { project, backTest, heldBack, successor, settings, promotions, feedback } = more;
  return joinLines([
    `${lesson.slug}  (${lesson.id})`,
    lesson.summary,
    '',
    lesson.mistake !== '' && `  mistake     ${indent(lesson.mistake)}`,
    `  fix         ${indent(lesson.remediation)}`,
    ...listSaid(lesson).map((text) => `  says        ${indent(text)}`),
    `  fires on    ${renderConditions(lesson.triggers)}`,
    ...heldBack.map((reason) => `  held back   ${reason}`),
    ...renderUnconfirmed(lesson),
    ...listMeasured(lesson).map(([label, text]) => `  ${label.padEnd(12)}${text}`),
    ...renderJudgedBy(lesson),
    backTest !== undefined && `  back-test   ${backTest}`,
    `  scope       ${renderScope(lesson, project)}`,
    lesson.file !== undefined &&
      `  file        .oncebitten/lessons/${lesson.file.slug}.json${lesson.file.isGone ? ' (gone)' : ''}`,
    `  rank        ${renderRank(lesson)}`,
    `  shown as    ${renderReach(lesson, settings.delivery.maxMode)}`,
    ...renderStatus(lesson, successor, settings),
    ...promotions.map(({ state, root, file }) => `  promotion   ${state}: ${root}/${file}`),
    ...feedback.slice(-MAX_HISTORY).map((one) => `  feedback    ${renderFeedback(one)}`),
    `  seen        ${toCount(lesson.occurrences, 'time')} in ${toCount(lesson.sessions, 'session')}, ${toCount(lesson.projects, 'project')}`,
    lesson.lastMatchedAt !== undefined && `  last fired  ${toMinute(lesson.lastMatchedAt)}`,
    lesson.tags.length > 0 && `  tags        ${lesson.tags.join(', ')}`,
    `  origin      ${ORIGINS[lesson.origin.kind]} (${lesson.origin.by.replace(/^distill\/|@\d+$/g, '')})`,
    ...lesson.evidence.map(
      (one) =>
        `  evidence    ${one.file ?? one.agent}${one.lines === undefined ? '' : `:${one.lines.join('-')}`}  ${one.at}`,
    ),
    ...renderHistory(lesson, history),
  ]);
}

const ORIGINS: Readonly<Record<Lesson['origin']['kind'], string>> = {
  episode: 'learned from past sessions',
  'self-report': 'reported by an agent',
  user: 'written by a person',
  qa: 'learned from a question and its answer',
  import: 'imported',
  model: 'proposed by a language model',
};

function renderScope({ scope: { kind, id } }: Lesson, project: string | undefined): string {
  if (id === undefined) return kind === 'user' ? 'all projects (user)' : kind;
  return project === undefined || project === id ? `${kind} ${id}` : `${kind} ${toLine(project)} (${id})`;
}

function renderUnconfirmed(lesson: Lesson): readonly string[] {
  if (!isUnconfirmed(lesson)) return [];
  const next = `oncebitten lessons approve ${lesson.slug}`;
  return [
    `  unconfirmed it came from outside; agents read it as an unverified claim until you confirm it: ${next}`,
    ...(hidesCommand(lesson) ? ['  withheld    agents do not see its commands and orders until you confirm it'] : []),
  ];
}

/** Of a procedure: what calls can show to be done. */
function renderJudgedBy(lesson: Lesson): readonly string[] {
  if (!isProcedure(lesson)) return [];
  const items = listItems(lesson);
  return items.length === 0
    ? ['  judged by   nothing: no item names a file or a command that could show in a call']
    : items.map(({ text }) => `  judged by   ${indent(text)}`);
}

function renderStatus(lesson: Lesson, successor: string | undefined, settings: Settings): readonly string[] {
  const { status, archival, needsReview, reviewedBy, validity, provisional = [] } = lesson;
  const why = status === 'archived' && archival !== undefined ? `, ${archival.cause}: ${archival.reason}` : '';
  const { from, until } = validity;
  const silent = status === 'active' && !needsReview ? findLastingSilence(lesson, settings) : undefined;
  const listTime = (label: string, time: string | undefined): readonly string[] =>
    time === undefined || silent?.includes(toMinute(time)) ? [] : [`  ${label} ${toMinute(time)} UTC`];
  return [
    `  status      ${status}${why}${needsReview ? ', needs review' : ''}${silent === undefined ? '' : `, but it does not fire: it is ${silent}`}`,
    ...(reviewedBy === undefined ? [] : [`  reviewed    by ${reviewedBy}`]),
    ...(successor === undefined ? [] : [`  see         ${successor}, which replaces it`]),
    ...listTime('valid from ', from),
    ...listTime('valid until', until),
    ...(status === 'draft' ? provisional : []).map(
      (one) => `  fires       only in session ${one.sessionId} (${one.agent}), until ${one.until}`,
    ),
  ];
}

function renderHistory({ slug }: Lesson, history: readonly LessonChange[]): readonly string[] {
  const shown = history.slice(-MAX_HISTORY);
  const more = history.length - shown.length;
  return [
    ...(more === 0
      ? []
      : [`  history     ${more} earlier changes; see all in detail: oncebitten lessons history ${slug}`]),
    ...shown.map((change) => `  history     ${change.at}  ${change.by}: ${toShownReason(change.reason)}`),
  ];
}

/** The id of an undone change says nothing to a person. */
function toShownReason(reason: string): string {
  return reason.replace(/^(undo|redo) of hst_\w+: /, '$1: ');
}

function indent(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(14)}`);
}

/** What was said about a lesson, one line for each voice. */
function renderFeedback({ verdict, by, at, note }: Feedback): string {
  return `${verdict} (${by}, ${toMinute(at)})${note === undefined ? '' : `: ${toLine(note, 300)}`}`;
}

const MAX_VALUE = 60;

export const runHistory: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const name = input.arguments[0] ?? '';
    const lesson = await getNamed(store, name);
    const history = await store.listLessonHistory(lesson.id);
    return {
      json: toWholePage(
        history.map(({ before, after, ...change }) => ({ ...change, changed: toChanged(before, after) })),
      ),
      text: [
        `${lesson.slug}  (${lesson.id})`,
        ...history.flatMap((change) => renderChange(change, input.columns)),
      ].join('\n'),
    };
  });

type Values = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;

function toChanged(before: Lesson | undefined, after: Lesson): Values {
  if (before === undefined) return {};
  const fields = listChanged(before, after) as readonly (keyof Lesson)[];
  return Object.fromEntries(fields.map((key) => [key, { before: before[key], after: after[key] }]));
}

function renderChange({ at, by, reason, before, after }: KeptChange, columns: number | undefined): readonly string[] {
  const max = toScreenMax(columns, MAX_VALUE);
  const changed = Object.entries(toChanged(before, after)).map(
    ([key, values]) => `    ${key}: ${renderValue(values.before, max)} -> ${renderValue(values.after, max)}`,
  );
  return [`  ${toMinute(at)}  ${by}: ${toShownReason(reason)}`, ...changed];
}

function renderValue(value: unknown, max: number): string {
  if (value === undefined) return '-';
  return toLine(typeof value === 'string' ? value : JSON.stringify(value), max);
}
