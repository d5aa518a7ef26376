/** Backups made by hand: whole ones of any version, and wrong ones. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { BackupHeader, BackupPart } from '../../../src/base/storage/backup.ts';
import { MIGRATIONS } from '../../../src/keep/migrations/migrations.ts';

export function makeHeader(fields: Partial<BackupHeader> = {}): BackupHeader {
  return {
    $schema: 'oncebitten/backup.schema.json',
    type: 'backup',
    version: 1,
    migration: Object.keys(MIGRATIONS).at(-1) ?? '',
    engine: 'sqlite',
    at: '2026-01-01T00:00:00.000Z',
    oncebitten: '0.0.0',
    ...fields,
  };
}

export function makeBackupLines(header: BackupHeader, parts: readonly BackupPart[]): readonly unknown[] {
  const rows = Object.fromEntries(parts.map(({ table, rows: some }) => [table, some.length]));
  const lines = [header, ...parts];
  const sha256 = createHash('sha256').update(lines.map(toLine).join('')).digest('hex');
  return [...lines, { end: true, rows, sha256 }];
}

/** A text stands for itself. */
export function writeLines(file: string, lines: readonly unknown[]): string {
  writeFileSync(file, gzipSync(lines.map(toLine).join('')));
  return file;
}

function toLine(line: unknown): string {
  return `${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
}

export function readLines(file: string): readonly string[] {
  return gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
}
