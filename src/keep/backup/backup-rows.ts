/**
 * Checks that the rows of a backup fit our tables, and finds the tables and columns after a given migration. The
 * contents of a row (enum words, lesson documents) are checked only in backups without a checksum, because a checksum
 * proves that the rows are unchanged.
 */

import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { CURE_KINDS } from '../../base/model/cure.ts';
import { ADDED_KINDS, DELIVERY_KINDS } from '../../base/model/delivery.ts';
import type { Outcome } from '../../base/model/event.ts';
import { FEEDBACK_SOURCES, FEEDBACK_VERDICTS } from '../../base/model/feedback.ts';
import { FINDING_VERDICTS, REPORT_FORMS } from '../../base/model/finding.ts';
import { DELIVERY_MODES, LESSON_STATUSES, LESSON_TYPES, type Lesson, SCOPE_KINDS } from '../../base/model/lesson.ts';
import { PROMOTION_STATES } from '../../base/model/promotion.ts';
import { isRecord, parseRecord } from '../../base/records.ts';
import type { BackupRow } from '../../base/storage/backup.ts';
import { MIGRATIONS } from '../migrations/migrations.ts';
import { makeNodeSqliteDialect } from '../store/engines/sqlite-dialect.ts';

const NAMES: Readonly<Record<ColumnKind, string>> = { text: 'text', integer: 'a whole number', real: 'a number' };

export function findRowFault(row: unknown, columns: ReadonlyMap<string, Column>): string | undefined {
  if (!isRecord(row)) return 'a row is not an object';
  const unknown = Object.keys(row).find((name) => !columns.has(name));
  if (unknown !== undefined) return `has an unknown column "${unknown}"`;
  for (const [name, column] of columns) {
    const fault = findValueFault((row as Readonly<Record<string, unknown>>)[name] ?? null, column);
    if (fault !== undefined) return `its column "${name}" ${fault}`;
  }
  return undefined;
}

function findValueFault(value: unknown, { kind, isNullable }: Column): string | undefined {
  if (value === null) return isNullable ? undefined : 'is missing';
  if (!hasKind(value, kind)) return `is not ${NAMES[kind]}`;
  // PostgreSQL rejects NUL in text, and neither engine keeps half of a surrogate pair.
  const isStorable = typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
  return isStorable ? undefined : 'contains a character that no store can keep';
}

function hasKind(value: unknown, kind: ColumnKind): boolean {
  if (kind === 'text') return typeof value === 'string';
  return kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
}

const OUTCOMES: readonly Outcome[] = ['success', 'failure', 'partial', 'cancelled', 'denied'];

type Words = Readonly<Record<string, readonly string[]>>;

/** Allowed words by table and column. */
const WORDS: Readonly<Record<string, Words>> = {
  lessons: { type: LESSON_TYPES, status: LESSON_STATUSES, mode: DELIVERY_MODES, scope_kind: SCOPE_KINDS },
  tool_outcomes: { outcome: OUTCOMES },
  findings: { verdict: FINDING_VERDICTS },
  cures: { kind: CURE_KINDS },
  self_reports: { form: REPORT_FORMS },
  added_texts: { kind: ADDED_KINDS },
  promotions: { state: PROMOTION_STATES },
  deliveries: { kind: DELIVERY_KINDS, mode: DELIVERY_MODES },
  feedback: { verdict: FEEDBACK_VERDICTS, source: FEEDBACK_SOURCES },
};
const LESSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  lessons: ['document'],
  lesson_history: ['before', 'after'],
};
const TEXTS = ['id', 'slug', 'summary', 'mistake', 'remediation', 'contentHash', 'createdAt', 'updatedAt'] as const;
const NUMBERS = ['priority', 'confidence', 'occurrences', 'sessions', 'projects'] as const;

/** Why a stored row cannot be used: an unknown word, or a document that is not a lesson. */
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

/** Not checked by its schema, because a lesson of an older version may lack newer fields. */
function findLessonFault(text: string): string | undefined {
  const lesson = parseRecord(text);
  if (lesson === undefined) return 'is not the JSON of a lesson';
  const wrong = [
    ...TEXTS.filter((name) => typeof lesson[name] !== 'string'),
    ...NUMBERS.filter((name) => typeof lesson[name] !== 'number'),
    ...(['triggers', 'validity', 'scope', 'origin'] as const).filter((name) => !isRecord(lesson[name])),
    ...(['tags', 'evidence'] as const).filter((name) => !Array.isArray(lesson[name])),
  ];
  if (wrong.length > 0) return `has no lesson: its ${wrong[0]} is wrong`;
  const { type, status, mode, scope } = lesson as unknown as Lesson;
  const isKnown =
    LESSON_TYPES.includes(type) &&
    LESSON_STATUSES.includes(status) &&
    DELIVERY_MODES.includes(mode) &&
    SCOPE_KINDS.includes(scope.kind);
  return isKnown ? undefined : 'has no lesson: its type, status, mode or scope is unknown';
}

/** The columns must agree with the document that they are copied from. */
function findColumnFault({ document, ...row }: BackupRow): string | undefined {
  const lesson = parseRecord(String(document)) ?? {};
  const other = (['id', 'slug', 'type', 'summary', 'status', 'mode'] as const).find(
    (name) => lesson[name] !== row[name],
  );
  return other === undefined ? undefined : `its column "${other}" differs from its document`;
}

/** The tables and columns of a store after a given migration, read from an empty store made for this purpose. */
type ColumnKind = 'text' | 'integer' | 'real';

export interface Column {
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

/** By table and column. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, Column>>;

/** Undefined for a migration that this version does not know. */
export async function readTablesAt(migration: string): Promise<Tables | undefined> {
  const names = Object.keys(MIGRATIONS);
  if (!names.includes(migration)) return undefined;
  const db = new Kysely<unknown>({ dialect: makeNodeSqliteDialect(new DatabaseSync(':memory:')) });
  try {
    for (const name of names.slice(0, names.indexOf(migration) + 1)) await MIGRATIONS[name]?.up(db);
    const tables = await db.introspection.getTables();
    return new Map(
      tables
        .filter(({ isView }) => !isView)
        .map(({ name, columns }) => [
          name,
          new Map(columns.map((one) => [one.name, { kind: toKind(one.dataType), isNullable: one.isNullable }])),
        ]),
    );
  } finally {
    await db.destroy();
  }
}

function toKind(dataType: string): ColumnKind {
  if (/int/i.test(dataType)) return 'integer';
  return /double/i.test(dataType) ? 'real' : 'text';
}
