/**
 * What keeps a row from being understood once it is stored: a word that is none of ours, a lesson that is none. Asked of
 * backups without a checksum only; of the others we know that they are as they were written.
 */
import { ADDED_KINDS } from '../../base/added-text.ts';
import type { BackupRow } from '../../base/backup.ts';
import { FEEDBACK_SOURCES, FEEDBACK_VERDICTS } from '../../base/feedback.ts';
import { FINDING_VERDICTS } from '../../base/kept-finding.ts';
import { REPORT_FORMS } from '../../base/kept-report.ts';
import { DELIVERY_MODES, LESSON_STATUSES, LESSON_TYPES, type Lesson, SCOPE_KINDS } from '../../base/lesson.ts';
import type { Outcome } from '../../base/outcome.ts';
import { PROMOTION_STATES } from '../../base/promotion.ts';

const OUTCOMES: readonly Outcome[] = ['success', 'failure', 'partial', 'cancelled', 'denied'];

type Words = Readonly<Record<string, readonly string[]>>;

/** By table, by column. */
const WORDS: Readonly<Record<string, Words>> = {
  lessons: { type: LESSON_TYPES, status: LESSON_STATUSES, mode: DELIVERY_MODES, scope_kind: SCOPE_KINDS },
  tool_outcomes: { outcome: OUTCOMES },
  findings: { verdict: FINDING_VERDICTS },
  self_reports: { form: REPORT_FORMS },
  added_texts: { kind: ADDED_KINDS },
  promotions: { state: PROMOTION_STATES },
  deliveries: { mode: DELIVERY_MODES },
  feedback: { verdict: FEEDBACK_VERDICTS, source: FEEDBACK_SOURCES },
};
const LESSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  lessons: ['document'],
  lesson_history: ['before', 'after'],
};
const TEXTS = ['id', 'slug', 'summary', 'mistake', 'remediation', 'contentHash', 'createdAt', 'updatedAt'] as const;
const NUMBERS = ['priority', 'confidence', 'occurrences', 'sessions', 'projects'] as const;

export function findContentFault(table: string, row: BackupRow): string | undefined {
  for (const [name, words] of Object.entries(WORDS[table] ?? {})) {
    const value = row[name] ?? null;
    if (value !== null && !words.includes(String(value))) return `its column "${name}" is not ${words.join(', ')}`;
  }
  for (const name of LESSON_COLUMNS[table] ?? []) {
    const fault = typeof row[name] === 'string' ? findLessonFault(row[name]) : undefined;
    if (fault !== undefined) return `its column "${name}" ${fault}`;
  }
  return table === 'lessons' ? findColumnFault(row) : undefined;
}

/** Not by its schema: a lesson of an older version may lack what newer ones have. */
function findLessonFault(text: string): string | undefined {
  const lesson = parseObject(text);
  if (lesson === undefined) return 'is no JSON of a lesson';
  const wrong = [
    ...TEXTS.filter((name) => typeof lesson[name] !== 'string'),
    ...NUMBERS.filter((name) => typeof lesson[name] !== 'number'),
    ...(['triggers', 'validity', 'scope', 'origin'] as const).filter((name) => !isObject(lesson[name])),
    ...(['tags', 'evidence'] as const).filter((name) => !Array.isArray(lesson[name])),
  ];
  if (wrong.length > 0) return `has no lesson: its ${wrong[0]} is wrong`;
  const { type, status, mode, scope } = lesson as unknown as Lesson;
  const isKnown =
    LESSON_TYPES.includes(type) &&
    LESSON_STATUSES.includes(status) &&
    DELIVERY_MODES.includes(mode) &&
    SCOPE_KINDS.includes(scope.kind);
  return isKnown ? undefined : 'has no lesson: its type, status, mode or scope is not known';
}

/** The columns are copies, to search by. */
function findColumnFault({ document, ...row }: BackupRow): string | undefined {
  const lesson = parseObject(String(document)) ?? {};
  const other = (['id', 'slug', 'type', 'summary', 'status', 'mode'] as const).find(
    (name) => lesson[name] !== row[name],
  );
  return other === undefined ? undefined : `its column "${other}" is not what its document says`;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
