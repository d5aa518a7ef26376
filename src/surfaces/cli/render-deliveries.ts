/** The latest deliveries, two lines each, so that both fit a terminal of 80 columns. */
import type { PlacedDelivery } from '../../base/delivery-query.ts';
import type { Feedback } from '../../base/feedback.ts';
import { type Page, renderRest } from './page.ts';
import { renderTable, type TableRoom } from './render-table.ts';
import { toCount, toNumber } from './to-count.ts';
import { toLine, toMinute } from './to-line.ts';
import { toTellingLength } from './to-telling-length.ts';

export interface ListedDelivery extends PlacedDelivery {
  /** The slug; absent where the lesson is gone. */
  readonly lesson?: string;
  readonly project?: string;
  /** Of a procedure: the items that the session has not done, in the lesson's words. */
  readonly openItems?: readonly string[];
  readonly feedback: readonly Pick<Feedback, 'by' | 'verdict' | 'note' | 'at'>[];
}

const INDENT = '    ';
/** `dlv_`, the time, and what tells those of one moment apart, also from those that are not listed. */
const ID_CHARS = 20;
const SESSION_CHARS = 13;

export function renderDeliveries(
  page: Page<ListedDelivery>,
  { columns, isAny }: Pick<TableRoom, 'columns'> & { readonly isAny: boolean },
): string {
  const deliveries = page.items;
  const [first] = deliveries;
  if (first === undefined)
    return isAny
      ? 'No deliveries match these filters. See all: oncebitten deliveries'
      : 'No lesson has been delivered yet. Check the installation: oncebitten doctor';
  const shown = deliveries.find(({ arm }) => arm === 'shown') ?? first;
  const length = toTellingLength(
    deliveries.map(({ id }) => id),
    ID_CHARS,
  );
  const next = `Did it help? oncebitten feedback ${shown.id.slice(0, length)} helpful (or not-helpful)`;
  return [...renderRows(deliveries, length, columns), ...renderRest(page), '', next].join('\n');
}

function renderRows(
  deliveries: readonly ListedDelivery[],
  length: number,
  columns: number | undefined,
): readonly string[] {
  const head = ['ID', 'WHEN (UTC)', 'HOW', 'OUTCOME', 'FEEDBACK'];
  const rows = deliveries.map((delivery) => [
    toLine(delivery.id.slice(0, length)),
    toMinute(delivery.deliveredAt),
    toHow(delivery),
    delivery.outcome ?? 'open',
    toVoices(delivery),
  ]);
  const abouts = deliveries.map((delivery) => [
    toLine(delivery.sessionId.slice(0, SESSION_CHARS)),
    toLine(delivery.lesson ?? `${delivery.lessonId} (deleted)`),
    toLine(delivery.project ?? '-'),
    toAfter(delivery),
  ]);
  const lines = renderTable(head, rows, { columns }).split('\n');
  const room = { columns: columns && columns - INDENT.length, texts: [1, 2] };
  const below = renderTable(['SESSION', 'LESSON', 'PROJECT', 'AFTER IT'], abouts, room).split('\n');
  return lines.flatMap((line, n) => [line, `${INDENT}${below[n] ?? ''}`, ...listOpen(deliveries[n - 1])]);
}

/** The first line is the head of the table, so the first delivery is on the second. */
function listOpen(delivery: ListedDelivery | undefined): readonly string[] {
  const { outcome, openItems = [] } = delivery ?? {};
  return outcome === 'clean' ? [] : openItems.map((item) => `${INDENT}not done: ${toLine(item)}`);
}

/** `withheld`: nobody saw it. `start`: told when the session began. */
function toHow({ arm, kind, mode }: ListedDelivery): string {
  if (arm === 'holdout') return 'withheld';
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
