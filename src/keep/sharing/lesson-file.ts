/**
 * The file of a lesson in a repository: its schema, parser, renderer and hash. The file contains what a reviewer needs
 * and no counts, so it does not change when the mistake is only seen again, and the same lesson always gives the same
 * bytes. The parser rejects hostile values before the schema runs, so that no later check has to handle them.
 */

import { createHash } from 'node:crypto';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as z from 'zod';
import { DELIVERY_MODES, LESSON_TYPES, type Lesson, ORIGIN_KINDS, type Origin } from '../../base/model/lesson.ts';
import { toCanonicalJson } from '../../base/records.ts';
import { makeBodySchema, triggersSchema } from '../schemas/lesson-input-schema.ts';
import { toSchemaFault } from '../schemas/schema-texts.ts';

const LESSON_FILE_VERSION = 1;
const LESSON_FILE_SCHEMA = 'oncebitten/lesson-file.schema.json';
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_SLUG_CHARS = 80;

type Field =
  | 'slug'
  | 'type'
  | 'summary'
  | 'mistake'
  | 'remediation'
  | 'body'
  | 'triggers'
  | 'priority'
  | 'mode'
  | 'tags';

/** The fields that a lesson and its file have in common. */
export type LessonFileContent = Pick<Lesson, Field>;

export type ParsedLessonFile = LessonFileContent & {
  readonly origin?: Pick<Origin, 'kind' | 'by'>;
};

const words = z.string().max(4000);
const line = z.string().trim().min(1).max(300);
export const lessonFileSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z
    .literal(LESSON_FILE_VERSION, 'is from another version of Oncebitten')
    .default(LESSON_FILE_VERSION)
    .describe('The version of this format.'),
  slug: z
    .string()
    .regex(SLUG, 'is not lower-case letters, digits and single dashes')
    .max(MAX_SLUG_CHARS)
    .describe('The name of the file without its ending.'),
  type: z.enum(LESSON_TYPES).default('warning'),
  summary: line.describe('The lesson in one line.'),
  mistake: words.default('').describe('What goes wrong and why.'),
  remediation: words.default('').describe('What to do, copy-pasteable.'),
  body: makeBodySchema({ words, title: line, items: z.array(words).max(50).readonly() })
    .optional()
    .describe('The same in parts.'),
  triggers: triggersSchema,
  priority: z
    .int()
    .min(1)
    .max(10)
    .default(7)
    .describe('A priority over 8 counts only after the reader has confirmed the lesson.'),
  mode: z
    .enum(DELIVERY_MODES)
    .default('note')
    .describe('A mode other than note counts only after the reader has confirmed the lesson.'),
  tags: z.array(z.string().min(1).max(80)).max(50).readonly().default([]),
  origin: z
    .strictObject({ kind: z.enum(ORIGIN_KINDS), by: z.string().min(1).max(200) })
    .optional()
    .describe('Where it comes from. Says nothing about trust.'),
  contentHash: z
    .string()
    .max(100)
    .optional()
    .describe('Written by Oncebitten; outdated in a file that was edited by hand.'),
});

/** A parsed lesson file, or its fault with the line. Never throws. */
export type LessonFileResult = { readonly content: ParsedLessonFile } | LessonFileFault;

interface LessonFileFault {
  readonly reason: string;
  readonly line: number;
}

/** `slug`: from the file's name. */
export function parseLessonFile(slug: string, raw: string): LessonFileResult {
  const text = raw.replace(/^\ufeff/, '');
  try {
    const value: unknown = JSON.parse(text);
    const hostile = findHostileValue(value);
    if (hostile !== undefined) return toFault(text, hostile.path, hostile.reason);
    const parsed = lessonFileSchema.safeParse(value);
    if (!parsed.success) {
      const { path, reason } = toSchemaFault(parsed.error);
      return toFault(text, path, reason);
    }
    const { $schema: _, version: __, contentHash: ___, ...content } = parsed.data;
    if (content.slug !== slug) return toFault(text, ['slug'], 'is not the name of the file');
    return { content: content as ParsedLessonFile };
  } catch {
    return findSyntaxFault(text);
  }
}

function toFault(text: string, path: readonly (string | number)[], reason: string): LessonFileFault {
  return { reason: `${path.join('.') || 'lesson'}: ${reason}`, line: findLine(text, path) };
}

/** The line of the value, or of the nearest existing value around it. */
function findLine(text: string, path: readonly (string | number)[]): number {
  try {
    const tree = parseTree(text);
    for (let length = path.length; tree !== undefined && length > 0; length--) {
      const node: Node | undefined = findNodeAtLocation(tree, path.slice(0, length));
      if (node !== undefined) return toLine(text, node.offset);
    }
  } catch {
    // The text is nested too deeply for the parser.
  }
  return 1;
}

/** The parser's own message is not used, because it quotes the text. */
function findSyntaxFault(text: string): LessonFileFault {
  try {
    const errors: ParseError[] = [];
    parseTree(text, errors, { disallowComments: true });
    const [error] = errors;
    if (error !== undefined)
      return { reason: `is not JSON (${printParseErrorCode(error.error)})`, line: toLine(text, error.offset) };
  } catch {
    // The text is nested too deeply for the parser.
  }
  return { reason: 'is not JSON', line: 1 };
}

function toLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** A value that no lesson has and later checks should not have to handle: rejected before the schema runs. */
interface HostileValue {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

const MAX_VALUES = 2_000;
const MAX_DEPTH = 12;
/** For a regular expression, glob or word of a trigger, because they run while an agent waits. */
const MAX_TRIGGER_CHARS = 300;
/** Terminal codes and invisible characters; line breaks and tabs are allowed. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

interface Step {
  readonly value: unknown;
  readonly path: HostileValue['path'];
}

/** Walks without recursion, so that nesting uses no stack. */
function findHostileValue(root: unknown): HostileValue | undefined {
  const steps: Step[] = [{ value: root, path: [] }];
  for (let seen = 0, step = steps.pop(); step !== undefined; seen++, step = steps.pop()) {
    const { value, path } = step;
    if (seen > MAX_VALUES) return { path: [], reason: `has more than ${MAX_VALUES} values` };
    if (path.length > MAX_DEPTH) return { path: path.slice(0, 2), reason: 'is nested too deep' };
    const reason = typeof value === 'string' ? findTextFault(value, path) : undefined;
    if (reason !== undefined) return { path, reason };
    if (value === null || typeof value !== 'object') continue;
    const entries = Array.isArray(value) ? value.map((one, i) => [i, one] as const) : Object.entries(value);
    if (entries.length > MAX_VALUES) return { path, reason: `has more than ${MAX_VALUES} values` };
    for (const [key, one] of entries) steps.push({ value: one, path: [...path, key] });
  }
  return undefined;
}

function findTextFault(text: string, [field]: HostileValue['path']): string | undefined {
  const isTrigger = field === 'triggers';
  if (isTrigger && text.length > MAX_TRIGGER_CHARS) return `is longer than ${MAX_TRIGGER_CHARS} characters`;
  const visible = isTrigger || field === 'tags' || field === 'slug' ? text : text.replace(/[\n\t]/g, ' ');
  return UNSEEN.test(visible) ? 'contains invisible characters' : undefined;
}

/** `slug`: the name of the file. */
export function renderLessonFile(lesson: Lesson, slug: string): string {
  const { origin, contentHash } = lesson;
  const file = {
    $schema: LESSON_FILE_SCHEMA,
    version: LESSON_FILE_VERSION,
    ...toFileContent(lesson, slug),
    origin: { kind: origin.kind, by: origin.by },
    contentHash,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The content of a lesson's file. The same lesson gives the same bytes, so that a diff shows only real changes. */
export function toFileContent(lesson: Lesson, slug: string): LessonFileContent {
  const { type, summary, mistake, remediation, body, triggers, priority, mode, tags } = lesson;
  return {
    ...{ slug, type, summary, mistake, remediation },
    ...(body === undefined ? {} : { body: toSorted(body) }),
    ...{ triggers: toSorted(triggers), priority, mode, tags },
  };
}

/** Sorts the keys of inner objects, so that their origin does not matter. */
function toSorted<T>(value: T): T {
  return JSON.parse(toCanonicalJson(value)) as T;
}

/** Files with the same content have the same hash, however they are formatted. */
export function hashLessonFile(content: LessonFileContent): string {
  const { slug, type, summary, mistake, remediation, body, triggers, priority, mode, tags } = content;
  const all = { slug, type, summary, mistake, remediation, body, triggers, priority, mode, tags };
  return `sha256:${createHash('sha256').update(toCanonicalJson(all)).digest('hex')}`;
}
