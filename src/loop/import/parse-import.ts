/**
 * Reads and parses an import file in any supported format (Oncebitten export, list of lessons, process-knowledge graph,
 * Markdown rules) into lessons, candidates and refused entries. The content decides the format, never the file name. An
 * invalid lesson of an export is refused alone, with its reason.
 */

import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { UserError } from '../../base/errors.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { isRecord } from '../../base/records.ts';
import { toContentHash } from '../../distill/lessons/hash-lesson.ts';
import { renderSchemaFault } from '../../keep/schemas/schema-texts.ts';
import { exportedLessonSchema, LESSONS_VERSION } from '../../keep/sharing/lessons-document-schema.ts';
import type { Candidate, ImportFormat, Refused } from './candidate.ts';
import { type Fields, findText } from './foreign-fields.ts';
import { parseLessonsJson } from './parse-lessons-json.ts';
import { isProcess, parseProcessKnowledge } from './parse-process-knowledge.ts';
import { parseRules } from './parse-rules.ts';

const MAX_LESSONS = 100_000;

export interface ParsedImport {
  readonly format: ImportFormat;
  /** Lessons of an Oncebitten export. */
  readonly own: readonly Lesson[];
  readonly candidates: readonly Candidate[];
  readonly refused: readonly Refused[];
  /** Number of entries in a rule list that state no rule. */
  readonly skipped: number;
}

const NOTHING = { own: [], candidates: [], refused: [], skipped: 0 } as const;

export function parseImport(source: ImportText, wanted: ImportFormat | undefined): ParsedImport {
  if (source.text.trim() === '') throw refuse(source.name, 'is empty', 'give a file with lessons');
  if (wanted === 'rules' || (wanted === undefined && !/^\s*[[{]/.test(source.text))) return readRules(source);
  const document = getJson(source.text, source.name);
  const format = wanted ?? findFormat(document);
  const items = format === undefined ? undefined : findItems(document, format);
  if (format === undefined || items === undefined) {
    const next = 'formats: our own export, a list of lessons, a graph with nodes, rules in Markdown (see --format)';
    throw refuse(
      source.name,
      wanted === undefined ? 'has no known format' : `does not have the format ${wanted}`,
      next,
    );
  }
  if (items.length > MAX_LESSONS)
    throw refuse(source.name, `has ${items.length} entries, more than ${MAX_LESSONS}`, 'split it into several files');
  if (format === 'own')
    return { ...NOTHING, format, ...toOwn(parseOwnExport(isRecord(document) ? document : {}, items, source.name)) };
  const read = format === 'lessons-json' ? parseLessonsJson(items) : parseProcessKnowledge(items);
  return { ...NOTHING, format, ...read };
}

function readRules(source: ImportText): ParsedImport {
  const rules = parseRules(source.text);
  if (rules.candidates.length > MAX_LESSONS)
    throw refuse(source.name, `has more than ${MAX_LESSONS} rules`, 'split it into several files');
  if (rules.candidates.length === 0)
    throw refuse(
      source.name,
      'states no rule: no bullet that says what to do or not to do',
      'see docs/guide/import.md',
    );
  return { ...NOTHING, format: 'rules', ...rules };
}

function toOwn({ lessons, refused }: ReturnType<typeof parseOwnExport>): Pick<ParsedImport, 'own' | 'refused'> {
  return { own: lessons, refused };
}

/** Finds the format from the content, never from the file name. */
function findFormat(document: unknown): ImportFormat | undefined {
  if (isRecord(document) && document.type === 'lessons') return 'own';
  const nodes = findItems(document, 'process-knowledge');
  if (nodes?.some(isProcess)) return 'process-knowledge';
  return findItems(document, 'lessons-json')?.some(isLesson) ? 'lessons-json' : undefined;
}

function isLesson(item: unknown): boolean {
  return isRecord(item) && ['summary', 'mistake', 'remediation', 'injection'].some((key) => key in item);
}

function findItems(document: unknown, format: ImportFormat): readonly unknown[] | undefined {
  if (Array.isArray(document)) return format === 'own' ? undefined : document;
  if (!isRecord(document)) return undefined;
  if (format === 'own' && document.type !== 'lessons') return undefined;
  const keys = format === 'process-knowledge' ? ['nodes', '@graph', 'concepts'] : ['lessons'];
  const inner = isRecord(document.graph) ? document.graph : {};
  return findList(document, keys) ?? findList(inner, keys);
}

function findList(fields: Fields, keys: readonly string[]): readonly unknown[] | undefined {
  const list = keys.map((key) => (Object.hasOwn(fields, key) ? fields[key] : undefined)).find(Array.isArray);
  return list as readonly unknown[] | undefined;
}

/** JSON, or an error that says where it is broken. `name`: the file, for the error. */
function getJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { offset, what } = findFault(text);
    const before = text.slice(0, offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new UserError({
      subject: name,
      reason: `is not JSON: ${what} at ${place}`,
      next: 'correct it there, or name another format with --format',
      cause,
    });
  }
}

function findFault(text: string): { readonly offset: number; readonly what: string } {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // The parser gave up on deep nesting, so the position is unknown.
  }
  const [error] = errors;
  if (error === undefined) return { offset: text.length, what: 'it breaks off' };
  return { offset: error.offset, what: toWords(printParseErrorCode(error.error)) };
}

/** `CommaExpected`: comma expected. */
function toWords(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (c) => c.toLowerCase());
}

/** An Oncebitten export. An invalid lesson is refused alone, with its reason. */
interface OwnLessons {
  readonly lessons: readonly Lesson[];
  readonly refused: readonly Refused[];
}

/** `name`: the file, for errors. */
function parseOwnExport(document: Fields, items: readonly unknown[], name: string): OwnLessons {
  if (document.version !== LESSONS_VERSION) {
    const isLater = typeof document.version === 'number' && document.version > LESSONS_VERSION;
    throw new UserError({
      subject: name,
      reason: isLater ? `was written by a later version (${document.version})` : 'does not say its version',
      next: isLater ? 'update oncebitten, then import it again' : `a file of ours has "version": ${LESSONS_VERSION}`,
    });
  }
  const read = items.map((item, n) => parseLesson(item, n + 1));
  return {
    lessons: read.flatMap((one) => ('reason' in one ? [] : one)),
    refused: read.flatMap((one) => ('reason' in one ? one : [])),
  };
}

function parseLesson(item: unknown, n: number): Lesson | Refused {
  const name = (isRecord(item) ? findText(item, ['slug', 'id']) : '') || `lesson ${n}`;
  const parsed = exportedLessonSchema.safeParse(item);
  if (!parsed.success) return { name, reason: renderSchemaFault(parsed.error) };
  const { history: _, contentHash: __, ...lesson } = parsed.data as unknown as Lesson & { history?: unknown };
  if (lesson.scope.kind === 'session') return { name, reason: 'it is true in one session only' };
  return { ...lesson, contentHash: toContentHash(lesson) };
}

const MAX_BYTES = 20 * 1024 * 1024;

interface ImportSource {
  /** A path, or `-`. */
  readonly file: string;
  readonly cwd: string;
  readonly readLines: (maxChars?: number) => AsyncIterable<readonly string[]>;
}

interface ImportText {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

/** Reads the text to import from a file or standard input, with a size limit, as strict UTF-8. */
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
