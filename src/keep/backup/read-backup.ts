/**
 * Reads and checks a backup line by line. The reader trusts no line: every row that it returns fits the tables of the
 * version that wrote the backup.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { toReason, UserError } from '../../base/errors.ts';
import {
  BACKUP_VERSION,
  type BackupEnd,
  type BackupHeader,
  type BackupPart,
  type RowCounts,
} from '../../base/storage/backup.ts';
import { findContentFault, findRowFault, readTablesAt, type Tables } from './backup-rows.ts';

const NEXT = 'nothing was changed; choose another backup, see all: oncebitten data restore';
const NEWER = 'nothing was changed; update Oncebitten, then restore it';

interface OpenedBackup {
  readonly header: BackupHeader;
  readonly tables: Tables;
  /** Can be read once. Rejects, at the latest at its end, if the file is incomplete. */
  readonly parts: AsyncIterable<BackupPart>;
}

export async function openBackup(file: string): Promise<OpenedBackup> {
  const lines = readNumbered(file);
  const { value: first } = await lines.next();
  if (first === undefined) throw new UserError({ subject: file, reason: 'is empty', next: NEXT });
  const header = toHeader(file, first);
  const tables = await readTablesAt(header.migration);
  if (tables === undefined) {
    const reason = `was written by a newer Oncebitten (it has "${header.migration}", which this version does not know)`;
    throw new UserError({ subject: file, reason, next: NEWER });
  }
  return { header, tables, parts: readParts(file, lines, tables) };
}

interface NumberedLine {
  readonly number: number;
  readonly value: unknown;
  /** The checksum of the lines so far; valid until the next line is read. */
  toDigest(): string;
}

async function* readParts(
  file: string,
  lines: AsyncIterable<NumberedLine>,
  tables: Tables,
): AsyncGenerator<BackupPart, void, undefined> {
  const counts = new Map([...tables.keys()].map((table) => [table, 0]));
  let hasEnded = false;
  // Only in a file without a checksum do contents of rows count as faults, and that is known only at its end.
  let fault: UserError | undefined;
  for await (const line of lines) {
    if (hasEnded) throw wrong(file, line, 'comes after the end of the backup');
    hasEnded = isEnd(line.value);
    if (isEnd(line.value)) {
      checkEnd(file, line, line.value, counts);
      if (line.value.sha256 === undefined && fault !== undefined) throw fault;
    } else {
      const part = toPart(file, line, tables);
      counts.set(part.table, (counts.get(part.table) ?? 0) + part.rows.length);
      fault ??= findFault(file, line, part);
      yield part;
    }
  }
  if (!hasEnded) throw new UserError({ subject: file, reason: 'was cut short: its end is missing', next: NEXT });
}

function toHeader(file: string, line: NumberedLine): BackupHeader {
  const header = (line.value ?? {}) as Partial<Record<keyof BackupHeader, unknown>>;
  if (header.type !== 'backup') throw wrong(file, line, 'is not a backup of Oncebitten');
  if (typeof header.version === 'number' && header.version > BACKUP_VERSION)
    throw new UserError({ subject: file, reason: 'was written by a newer Oncebitten', next: NEWER });
  if (header.version !== BACKUP_VERSION) throw wrong(file, line, 'has an unknown version');
  for (const name of ['migration', 'engine', 'at', 'oncebitten'] as const)
    if (typeof header[name] !== 'string') throw wrong(file, line, `has no "${name}"`);
  return header as BackupHeader;
}

function toPart(file: string, line: NumberedLine, tables: Tables): BackupPart {
  const { table, rows } = (line.value ?? {}) as { readonly table?: unknown; readonly rows?: unknown };
  const columns = typeof table === 'string' ? tables.get(table) : undefined;
  if (columns === undefined) throw wrong(file, line, `names an unknown table (${JSON.stringify(table)})`);
  if (!Array.isArray(rows)) throw wrong(file, line, `has no rows for table ${table}`);
  for (const row of rows) {
    const fault = findRowFault(row, columns);
    if (fault !== undefined) throw wrong(file, line, `table ${table}: ${fault}`);
  }
  return line.value as BackupPart;
}

function findFault(file: string, line: NumberedLine, { table, rows }: BackupPart): UserError | undefined {
  for (const row of rows) {
    const fault = findContentFault(table, row);
    if (fault !== undefined) return wrong(file, line, `table ${table}: ${fault}`);
  }
  return undefined;
}

function isEnd(value: unknown): value is BackupEnd {
  return (value as Partial<BackupEnd> | null)?.end === true;
}

function checkEnd(
  file: string,
  line: NumberedLine,
  { rows, sha256 }: BackupEnd,
  counts: ReadonlyMap<string, number>,
): void {
  const stated = typeof rows === 'object' && rows !== null ? rows : {};
  for (const table of new Set([...counts.keys(), ...Object.keys(stated)])) {
    const [here, there] = [counts.get(table) ?? 0, stated[table] ?? 0];
    if (here !== there) throw wrong(file, line, `table ${table} has ${here} rows here, but should have ${there}`);
  }
  if (sha256 !== undefined && sha256 !== line.toDigest())
    throw wrong(file, line, 'was changed after it was written, because its checksum differs');
}

async function* readNumbered(file: string): AsyncGenerator<NumberedLine, undefined, undefined> {
  let number = 0;
  const hash = createHash('sha256');
  const toDigest = (): string => hash.copy().digest('hex');
  try {
    for await (const text of readGzipLines(file)) {
      number += 1;
      yield { number, value: parseJson(file, text, number), toDigest };
      hash.update(`${text}\n`);
    }
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(file, error);
  }
  return undefined;
}

function parseJson(file: string, text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's message is not used, because it quotes the line.
    throw wrong(file, { number }, 'is not JSON', error);
  }
}

function wrong(file: string, { number }: Pick<NumberedLine, 'number'>, reason: string, cause?: unknown): UserError {
  return new UserError({ subject: `${file}, line ${number}`, reason, next: NEXT, cause });
}

function unreadable(file: string, cause: unknown): unknown {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const make = (reason: string, next = NEXT) => new UserError({ subject: file, reason, next, cause });
  if (code === 'ENOENT') return make('does not exist', 'check its name; see all backups: oncebitten data restore');
  if (code === 'EISDIR') return make('is a folder', 'name a backup in it');
  if (code === 'Z_BUF_ERROR') return make('was cut short');
  if (code.startsWith('Z_')) return make(`is not a backup, or is damaged (${toReason(cause)})`);
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA' || cause instanceof RangeError)
    return make(`is damaged (${toReason(cause)})`);
  return cause;
}

export interface CheckedBackup {
  readonly file: string;
  readonly header: BackupHeader;
  readonly rows: RowCounts;
  /** The ids that were forgotten by then, or removed from the backup since: see `toForgottenKey`. */
  readonly forgotten: ReadonlySet<string>;
}

/** A key for the set of forgotten ids. */
export function toForgottenKey(kind: string, id: string): string {
  return `${kind} ${id}`;
}

export async function checkBackup(file: string, onRows: (count: number) => void): Promise<CheckedBackup> {
  const { header, tables, parts } = await openBackup(file);
  const rows: Record<string, number> = Object.fromEntries([...tables.keys()].map((table) => [table, 0]));
  const forgotten = new Set<string>();
  let sum = 0;
  for await (const part of parts) {
    rows[part.table] = (rows[part.table] ?? 0) + part.rows.length;
    if (part.table === 'forgotten')
      for (const { kind, id } of part.rows) forgotten.add(toForgottenKey(String(kind), String(id)));
    sum += part.rows.length;
    onRows(sum);
  }
  return { file, header, rows, forgotten };
}

/** Limits the memory that a file which is not a backup can use. */
const MAX_LINE_LENGTH = 1 << 28;

/**
 * The lines of a gzip file, one by one. Not `node:readline`, which also ends lines at U+2028 (unescaped in JSON) and
 * does not pass on errors of its input. Rejects with the error of the file system, of gzip or of the encoding.
 */
async function* readGzipLines(file: string): AsyncGenerator<string, void, undefined> {
  const gunzip = createGunzip();
  // The iteration below reports errors of the file.
  pipeline(createReadStream(file), gunzip, () => {});
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let begun: string[] = [];
  let length = 0;
  for await (const bytes of gunzip) {
    const [first = '', ...others] = decoder.decode(bytes as Buffer, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > MAX_LINE_LENGTH) throw new RangeError('a line is too long');
    for (const next of others) {
      yield begun.join('');
      begun = [next];
      length = next.length;
    }
  }
  const rest = begun.join('') + decoder.decode();
  if (rest !== '') yield rest;
}
