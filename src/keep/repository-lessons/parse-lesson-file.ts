/** The text of a lesson's file as a lesson, or what is wrong with it and in which line. Never throws. */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { toSchemaFault } from '../to-schema-fault.ts';
import { findHostileValue } from './find-hostile-value.ts';
import { lessonFileSchema, type ParsedLessonFile } from './lesson-file-schema.ts';

export type LessonFileResult = { readonly content: ParsedLessonFile } | LessonFileFault;

export interface LessonFileFault {
  readonly reason: string;
  readonly line: number;
}

/** `slug`: what the file's name says. */
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

/** The line of the value, or of the nearest thing around it that is there. */
function findLine(text: string, path: readonly (string | number)[]): number {
  try {
    const tree = parseTree(text);
    for (let length = path.length; tree !== undefined && length > 0; length--) {
      const node: Node | undefined = findNodeAtLocation(tree, path.slice(0, length));
      if (node !== undefined) return toLine(text, node.offset);
    }
  } catch {
    // Nested deeper than the parser goes.
  }
  return 1;
}

/** Not the parser's own message: it quotes the text. */
function findSyntaxFault(text: string): LessonFileFault {
  try {
    const errors: ParseError[] = [];
    parseTree(text, errors, { disallowComments: true });
    const [error] = errors;
    if (error !== undefined)
      return { reason: `is not JSON (${printParseErrorCode(error.error)})`, line: toLine(text, error.offset) };
  } catch {
    // Nested deeper than the parser goes.
  }
  return { reason: 'is not JSON', line: 1 };
}

function toLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
