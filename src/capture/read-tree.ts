/** A session whose records are files of their own, level below level. One is held at a time. */
import { dirname, join } from 'node:path';
import type { RecordReader, TreeFormat } from '../base/agent-history.ts';
import { findDocument } from './find-document.ts';
import { listDocuments } from './list-documents.ts';
import { type Batch, openBatch } from './open-batch.ts';
import { readBeside } from './read-beside.ts';
import { isSilent, type OnEvents, type SessionRead, START } from './session-read.ts';

interface Walk {
  readonly root: string;
  readonly below: TreeFormat['below'];
  readonly reader: RecordReader;
  readonly batch: Batch;
  lines: number;
  bytes: number;
}

export async function readTree(
  format: TreeFormat,
  file: { readonly path: string; readonly size: number; readonly mtimeMs: number },
  onEvents: OnEvents,
): Promise<SessionRead> {
  const { path, size, mtimeMs } = file;
  const reader = format.open({ path, beside: readBeside(path, format.beside) });
  const batch = openBatch(onEvents);
  const walk: Walk = { root: dirname(path), below: format.below, reader, batch, lines: 0, bytes: 0 };
  await readRecord(walk, path, 0);
  batch.add(reader.end());
  const left = reader.leave();
  const isOpen = left.length > 0 && !isSilent(mtimeMs);
  if (!isOpen) batch.add(left);
  await batch.flush();
  return { from: START, to: { offset: size, lines: 0 }, isOpen, bytes: walk.bytes, skipped: reader.skipped };
}

async function readRecord(walk: Walk, path: string, depth: number): Promise<void> {
  const { value, bytes } = findDocument(path);
  walk.bytes += bytes;
  walk.batch.add(walk.reader.read(value, depth, ++walk.lines));
  if (walk.batch.isFull) await walk.batch.flush();
  const folder = walk.below[depth]?.(value);
  if (folder === undefined) return;
  for (const next of listDocuments(join(walk.root, folder))) await readRecord(walk, next, depth + 1);
}
