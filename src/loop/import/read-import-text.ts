/** Reads the text to import from a file or standard input, with a size limit, as strict UTF-8. */
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';

const MAX_BYTES = 20 * 1024 * 1024;

interface ImportSource {
  /** A path, or `-`. */
  readonly file: string;
  readonly cwd: string;
  readonly readLines: (maxChars?: number) => AsyncIterable<readonly string[]>;
}

export interface ImportText {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

export async function readImportText({ file, cwd, readLines }: ImportSource): Promise<ImportText> {
  if (file === '-') return { name: 'standard input', text: await readStream(readLines(MAX_BYTES)) };
  const path = resolve(cwd, file);
  return { name: path, text: toText(readBytes(path), path) };
}

function readBytes(path: string): Buffer {
  let handle: number;
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw refuse(path, 'is a folder', 'give a file');
    // Reading a pipe or a device may never end.
    if (!stat.isFile()) throw refuse(path, 'is no ordinary file', 'give a file, or `-` for standard input');
    if (stat.size > MAX_BYTES) throw tooLarge(path);
    handle = openSync(path, 'r');
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const isGone = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw refuse(path, isGone ? 'does not exist' : 'cannot be read', 'give a file that can be read', cause);
  }
  try {
    const bytes = readFileSync(handle);
    // The file may have grown since the check.
    if (bytes.length > MAX_BYTES) throw tooLarge(path);
    return bytes;
  } finally {
    closeSync(handle);
  }
}

async function readStream(lines: AsyncIterable<readonly string[]>): Promise<string> {
  const all: string[] = [];
  let chars = 0;
  for await (const some of lines) {
    for (const line of some) {
      chars += line.length + 1;
      if (chars > MAX_BYTES) throw tooLarge('standard input');
      all.push(line);
    }
  }
  const text = all.join('\n');
  // The stream is already decoded; invalid UTF-8 has become this character.
  if (text.includes('\ufffd')) throw notUtf8('standard input', 'has bytes that are not UTF-8');
  return toWhole(text, 'standard input');
}

function toText(bytes: Buffer, name: string): string {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) throw notUtf8(name, 'is UTF-16, not UTF-8');
  try {
    return toWhole(new TextDecoder('utf-8', { fatal: true }).decode(bytes), name);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw notUtf8(name, 'has bytes that are not UTF-8', cause);
  }
}

function toWhole(text: string, name: string): string {
  if (text.includes('\0')) throw notUtf8(name, 'has NUL bytes: it is binary, or UTF-16');
  return text.replace(/^\ufeff/, '');
}

function tooLarge(name: string): UserError {
  return refuse(name, `is larger than ${MAX_BYTES / 1024 / 1024} MB`, 'split it, or export less');
}

function notUtf8(name: string, reason: string, cause?: unknown): UserError {
  return refuse(name, reason, 'save it as UTF-8, then import it again', cause);
}

function refuse(subject: string, reason: string, next: string, cause?: unknown): UserError {
  return new UserError({ subject, reason, next, cause });
}
