/** The latest deliveries, two lines each: what they are about has room on a screen of 80 columns. */
import type { PlacedDelivery } from '../../base/delivery-query.ts';
import type { Feedback } from '../../base/feedback.ts';
import { renderTable } from './render-table.ts';
import { toLine, toMinute } from './to-line.ts';
import { toTellingLength } from './to-telling-length.ts';

export interface ListedDelivery extends PlacedDelivery {
  /** The slug; absent where the lesson is gone. */
  readonly lesson?: string;
  readonly project?: string;
  readonly feedback: readonly Pick<Feedback, 'by' | 'verdict' | 'note' | 'at'>[];
}

const INDENT = '    ';
/** `dlv_`, the time, and what tells those of one moment apart, also from those that are not listed. */
const ID_CHARS = 20;
const LESSON_CHARS = 40;
const PROJECT_CHARS = 16;
const SESSION_CHARS = 13;

export function renderDeliveries(
  deliveries: readonly ListedDelivery[],
  { limit, isAny }: { readonly limit: number; readonly isAny: boolean },
): string {
  const [first] = deliveries;
  if (first === undefined)
    return isAny
      ? 'No lesson was shown there. See all: oncebitten deliveries'
      : 'No lesson was shown yet. Is everything in place? oncebitten doctor';
  const more = deliveries.length < limit ? [] : [`There may be more: --limit ${limit * 5}`];
  const shown = deliveries.find(({ arm }) => arm === 'shown') ?? first;
  const length = toTellingLength(
    deliveries.map(({ id }) => id),
    ID_CHARS,
  );
  const next = `Did it help? oncebitten feedback ${shown.id.slice(0, length)} helpful (or not-helpful)`;
  return [...renderRows(deliveries, length), ...more, '', next].join('\n');
}

function renderRows(deliveries: readonly ListedDelivery[], length: number): readonly string[] {
  const head = ['ID', 'WHEN (UTC)', 'HOW', 'OUTCOME', 'FEEDBACK'];
  const rows = deliveries.map((delivery) => [
    toLine(delivery.id.slice(0, length), length),
    toMinute(delivery.deliveredAt),
    toHow(delivery),
    delivery.outcome ?? 'open',
    toVoices(delivery),
  ]);
  const abouts = deliveries.map(({ lesson, lessonId, project, sessionId }) => [
    `${INDENT}${toLine(lesson ?? `${lessonId} (gone)`, LESSON_CHARS)}`,
    toLine(project ?? '-', PROJECT_CHARS),
    toLine(sessionId.slice(0, SESSION_CHARS), SESSION_CHARS),
  ]);
  const lines = renderTable(head, rows).split('\n');
  const below = renderTable([`${INDENT}LESSON`, 'PROJECT', 'SESSION'], abouts).split('\n');
  return lines.flatMap((line, n) => [line, below[n] ?? '']);
}

/** `withheld`: nobody saw it. `start`: told when the session began. */
function toHow({ arm, kind, mode }: ListedDelivery): string {
  if (arm === 'holdout') return 'withheld';
  return kind === 'session-start' ? 'start' : mode;
}

function toVoices({ feedback }: ListedDelivery): string {
  const count = (verdict: Feedback['verdict']): number => feedback.filter((one) => one.verdict === verdict).length;
  const parts = (['helpful', 'not-helpful'] as const).flatMap((verdict) => {
    const n = count(verdict);
    return n === 0 ? [] : [n === 1 ? verdict : `${n} ${verdict}`];
  });
  return parts.length === 0 ? '-' : parts.join(', ');
}
