/**
 * `oncebitten stats deliveries`: lists the latest deliveries with their outcome and feedback. `toDeliveryQuery`
 * converts the options of a command into a filter for deliveries.
 */

import type { Store } from '../../../base/contracts/store.ts';
import { toCureId, toSignatureId } from '../../../base/model/cure.ts';
import type { DeliveryQuery, PlacedDelivery, StoredDelivery } from '../../../base/model/delivery.ts';
import type { Feedback } from '../../../base/model/feedback.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { makeToProjectId } from '../../../base/model/project.ts';
import { dropAbsent } from '../../../base/records.ts';
import { chooseCure } from '../../../match/cure-book.ts';
import { listItems } from '../../../measure/procedure.ts';
import { getNamed, readLessons } from '../arguments/lessons.ts';
import { toCallFilter } from '../arguments/options.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import { getSession } from '../arguments/sessions.ts';
import type { CommandInput, Handler } from '../command.ts';
import { listStandingFeedback } from '../lessons/feedback.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../paging.ts';
import { type Cells, renderTable, type TableRoom } from '../table.ts';
import { toCount, toLine, toMinute, toNumber, toScreenMax, toTellingLength } from '../text.ts';

const LISTED = 20;
const ALL = 1_000_000;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const query = await toDeliveryQuery(input, store);
    const placed = toPage(await store.listPlacedDeliveries({ ...query, limit: ALL }), input.options, LISTED);
    const page = { ...placed, items: await listNamed(store, placed.items) };
    const isAny = page.total > 0 || (await store.countAll()).deliveries > 0;
    return { json: page, text: renderDeliveries(page, { columns: input.columns, isAny }) };
  });

type Placed = Awaited<ReturnType<Store['listPlacedDeliveries']>>;

/** What people call things, beside their ids. */
async function listNamed(store: Store, deliveries: Placed): Promise<readonly ListedDelivery[]> {
  const labels = await readProjectLabels(store);
  const cures = await listCureTexts(store, deliveries);
  const causes = await listCauses(store, deliveries);
  const voices = Map.groupBy(await listStandingFeedback(store), ({ deliveryId }) => deliveryId ?? '');
  const lessons = await readLessons(
    store,
    deliveries.map(({ lessonId }) => lessonId),
  );
  return deliveries.map((delivery) => {
    const lesson = lessons.get(delivery.lessonId);
    return {
      ...delivery,
      ...(lesson === undefined ? {} : { lesson: lesson.slug, ...toOpenItems(delivery, lesson) }),
      ...dropAbsent({
        project: labels.get(delivery.projectId ?? ''),
        knownFix: cures.get(delivery.id),
        failedBefore: causes.get(delivery.lessonId),
      }),
      feedback: (voices.get(delivery.id) ?? []).map(({ by, verdict, note, at }) => ({
        ...{ by, verdict, at, ...dropAbsent({ note }) },
      })),
    };
  });
}

/** The known fixes of failures, as they are now, by delivery. */
async function listCureTexts(store: Store, deliveries: Placed): Promise<ReadonlyMap<string, string>> {
  const cured = deliveries.filter(({ kind }) => kind === 'failure');
  if (cured.length === 0) return new Map();
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const cures = Map.groupBy(await store.listCures(), ({ projectId, signatureId }) =>
    JSON.stringify([toProjectId(projectId), toCureId(signatureId)]),
  );
  return new Map(
    cured.flatMap(({ id, projectId, lessonId, sessionId }) => {
      const known = cures.get(JSON.stringify([projectId, lessonId])) ?? [];
      const cure = chooseCure(known.filter((one) => one.sessionId !== sessionId));
      return cure === undefined ? [] : [[id, cure.text]];
    }),
  );
}

/** The errors of calls that failed before, by the id in their deliveries. */
async function listCauses(store: Store, deliveries: Placed): Promise<ReadonlyMap<string, string>> {
  const warned = deliveries.filter(({ kind }) => kind === 'memory');
  const causes = new Map<string, string>();
  for (const id of new Set(warned.map(({ lessonId }) => lessonId))) {
    const [last] = await store.listFailedCalls({ signatures: [toSignatureId(id)], limit: 1 });
    if (last?.message !== undefined) causes.set(id, last.message);
  }
  return causes;
}

function toOpenItems({ items }: StoredDelivery, lesson: Lesson): Pick<ListedDelivery, 'openItems'> {
  if (items === undefined) return {};
  const open = listItems(lesson).filter(({ number }) => items.open.includes(number));
  return { openItems: open.map(({ text }) => text) };
}

export interface ListedDelivery extends PlacedDelivery {
  /** The slug; absent where the lesson is gone. */
  readonly lesson?: string;
  readonly project?: string;
  /** The known fix of the failure; absent where it is gone. */
  readonly knownFix?: string;
  /** The error of the call in earlier sessions; absent where it is gone. */
  readonly failedBefore?: string;
  /** Of a procedure: the items that the session has not done, in the lesson's words. */
  readonly openItems?: readonly string[];
  readonly feedback: readonly Pick<Feedback, 'by' | 'verdict' | 'note' | 'at'>[];
}

const INDENT = '    ';
/** `dlv_`, the time, and what tells those of one moment apart, also from those that are not listed. */
const ID_CHARS = 20;
const SESSION_CHARS = 13;

/** The latest deliveries: two lines each in a terminal, so that both fit 80 columns; one line each in a pipe. */
function renderDeliveries(
  page: Page<ListedDelivery>,
  { columns, isAny }: Pick<TableRoom, 'columns'> & { readonly isAny: boolean },
): string {
  const deliveries = page.items;
  const [first] = deliveries;
  if (first === undefined)
    return isAny
      ? 'No deliveries match these filters. See all: oncebitten stats deliveries'
      : 'No lesson has been delivered yet. Check the installation: oncebitten doctor';
  const shown = deliveries.find(({ arm }) => arm === 'shown') ?? first;
  const ids = deliveries.map(({ id }) => id);
  const length = toScreenMax(columns, toTellingLength(ids, ID_CHARS));
  const next = `Did it help? oncebitten lessons feedback ${shown.id.slice(0, length)} helpful (or not-helpful)`;
  const table = columns === undefined ? renderWhole(deliveries) : renderForScreen(deliveries, length, columns);
  return [...table, ...renderRest(page), '', next].join('\n');
}

const HEAD = ['ID', 'TIME (UTC)', 'SHOWN AS', 'OUTCOME', 'FEEDBACK'];
const ABOUT_HEAD = ['SESSION', 'LESSON', 'PROJECT', 'LATER CALLS'];

function renderWhole(deliveries: readonly ListedDelivery[]): readonly string[] {
  const rows = deliveries.map((delivery) => [
    ...toCells(delivery),
    ...toAboutCells(delivery),
    delivery.noRoom === undefined ? '-' : toNumber(delivery.noRoom),
    listOpenItems(delivery).join('; ') || '-',
  ]);
  const head = [...HEAD, ...ABOUT_HEAD, 'LESSONS LEFT OUT', 'STEPS NOT DONE'];
  const [shown, others] = blankRare(head, rows);
  const toKept = (row: Cells): Cells => row.filter((_, column) => shown[column] !== '');
  return [renderTable(toKept(shown), others.map(toKept))];
}

/** These columns are often empty; then they are left out. */
const RARE = new Set(['LATER CALLS', 'LESSONS LEFT OUT', 'STEPS NOT DONE']);

/** Blanks the rare columns that are empty in all rows. */
function blankRare(head: Cells, rows: readonly Cells[]): readonly [head: Cells, rows: readonly Cells[]] {
  const isBlank = head.map((name, column) => RARE.has(name) && rows.every((row) => row[column] === '-'));
  const toShown = (row: Cells): Cells => row.map((cell, column) => (isBlank[column] ? '' : cell));
  return [toShown(head), rows.map(toShown)];
}

function renderForScreen(deliveries: readonly ListedDelivery[], length: number, columns: number): readonly string[] {
  const rows = deliveries.map((delivery) => toCells(delivery, length));
  const abouts = blankRare(
    ABOUT_HEAD,
    deliveries.map((delivery) => toAboutCells(delivery, SESSION_CHARS)),
  );
  const lines = renderTable(HEAD, rows, { columns }).split('\n');
  const room = { columns: columns - INDENT.length, texts: [1, 2] };
  const below = renderTable(...abouts, room).split('\n');
  return lines.flatMap((line, n) => {
    // The first line is the head of the table, so the first delivery is on the second.
    const notes = n === 0 ? [] : deliveries.slice(n - 1, n).flatMap(listNotes);
    return [line, ...[below[n] ?? '', ...notes].map((one) => `${INDENT}${one}`)];
  });
}

function toCells(delivery: ListedDelivery, idChars?: number): readonly string[] {
  return [
    toLine(delivery.id.slice(0, idChars)),
    toMinute(delivery.deliveredAt),
    toHow(delivery),
    delivery.outcome ?? 'open',
    toVoices(delivery),
  ];
}

function toAboutCells(delivery: ListedDelivery, sessionChars?: number): readonly string[] {
  return [
    toLine(delivery.sessionId.slice(0, sessionChars)),
    toLine(toSubject(delivery)),
    toLine(delivery.project ?? '-'),
    toAfter(delivery),
  ];
}

function toSubject({ kind, lesson, lessonId, knownFix, failedBefore }: ListedDelivery): string {
  if (kind === 'memory') return failedBefore === undefined ? `${lessonId} (gone)` : `failed before: ${failedBefore}`;
  if (kind === 'failure') return knownFix === undefined ? `${lessonId} (gone)` : `known fix: ${knownFix}`;
  return lesson ?? `${lessonId} (deleted)`;
}

function listNotes(delivery: ListedDelivery): readonly string[] {
  const { noRoom = 0 } = delivery;
  return [
    ...(noRoom === 0 ? [] : [`no room for ${toCount(noRoom, 'more lesson')} that matched this call`]),
    ...listOpenItems(delivery).map((item) => `not done: ${item}`),
  ];
}

function listOpenItems({ outcome, openItems = [] }: ListedDelivery): readonly string[] {
  return outcome === 'clean' ? [] : openItems.map((item) => toLine(item));
}

/** `withheld`: not shown. `start`: shown at the start of the session. `fix`: a known fix, shown at a failure.
 * `memory`: a note that the call failed before. */
function toHow({ arm, kind, mode }: ListedDelivery): string {
  if (arm === 'holdout') return 'withheld';
  if (kind === 'failure') return 'fix';
  if (kind === 'memory' && mode === 'note') return 'memory';
  return kind === 'session-start' ? 'start' : mode;
}

/** Later calls of the same intent: how many failed, and what it took until one worked. */
function toAfter({ failingAttempts, callsToSuccess, secondsToSuccess }: ListedDelivery): string {
  if (failingAttempts === undefined) return '-';
  const failed = `${failingAttempts} failed`;
  if (callsToSuccess === undefined || secondsToSuccess === undefined) return `${failed}, none worked`;
  return `${failed}, worked after ${toCount(callsToSuccess, 'call')}, ${toNumber(Math.round(secondsToSuccess))} s`;
}

function toVoices({ feedback }: ListedDelivery): string {
  const count = (verdict: Feedback['verdict']): number => feedback.filter((one) => one.verdict === verdict).length;
  const parts = (['helpful', 'not-helpful'] as const).flatMap((verdict) => {
    const n = count(verdict);
    return n === 0 ? [] : [n === 1 ? verdict : `${n} ${verdict}`];
  });
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** Which deliveries a person means by the options of a command. */
export async function toDeliveryQuery(input: CommandInput, store: Store): Promise<DeliveryQuery> {
  const { agent, lesson, session, category } = input.options as Readonly<Record<string, string | undefined>>;
  return {
    ...(await toCallFilter(input, store)),
    ...dropAbsent({ category }),
    ...(lesson === undefined ? {} : { lessonId: (await getNamed(store, lesson)).id }),
    ...(session === undefined ? {} : { sessionId: (await getSession(store, session, agent)).sessionId }),
  };
}
