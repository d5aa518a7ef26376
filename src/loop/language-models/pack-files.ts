/**
 * Packs and answers as files, for any model that Oncebitten cannot ask itself: `prompt.md`, `schema.json`, and for each
 * pack `<pack>.pack.md` with its text and `<pack>.index.json`, which says which call each id in the text stands for. Whoever
 * answers, a model or a person, writes `<pack>.answer.json`.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { UserError } from '../../base/errors.ts';
import { PACK_KINDS, type PackIndex } from '../../base/model/pack.ts';
import { compareTexts, parseJson } from '../../base/records.ts';
import { toAnswerJsonSchema } from '../../distill/packs/answer-schema.ts';
import { PROMPT } from '../../distill/packs/prompt.ts';
import { writeOwnFile } from '../home/write-file.ts';
import type { Pack } from './make-packs.ts';

export function writePacks(dir: string, packs: readonly Pack[]): void {
  mkdirSync(dir, { recursive: true });
  const write = (name: string, text: string): void => writeOwnFile(join(dir, name), text);
  write('prompt.md', PROMPT);
  write('schema.json', toJson(toAnswerJsonSchema()));
  for (const { index, text } of packs) {
    write(`${index.id}.pack.md`, text);
    write(`${index.id}.index.json`, toJson(index));
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

export interface AnswerFile {
  readonly index: PackIndex;
  /** The text of the answer, which may be anything. */
  readonly text: string;
}

const indexSchema = z.object({
  id: z.string(),
  promptVersion: z.int(),
  by: z.enum(PACK_KINDS),
  projectId: z.string(),
  until: z.string(),
  calls: z.record(
    z.string(),
    z.array(
      z.object({ agent: z.string(), sessionId: z.string(), callId: z.string(), file: z.string().exactOptional() }),
    ),
  ),
  lessons: z.record(z.string(), z.string()),
});

const ANSWER = '.answer.json';

/** The answers of a folder, each with the index of its pack, in the order of the packs' last calls. */
export function readAnswers(dir: string): readonly AnswerFile[] {
  if (!existsSync(dir))
    throw new UserError({
      subject: dir,
      reason: 'does not exist',
      next: 'give the folder that `learn --export` wrote',
    });
  const names = readdirSync(dir).filter((name) => name.endsWith(ANSWER));
  if (names.length === 0)
    throw new UserError({
      subject: dir,
      reason: 'has no answers',
      next: `write each answer beside its pack, as <pack>${ANSWER}`,
    });
  return names
    .map((name) => ({
      index: readIndex(dir, name.slice(0, -ANSWER.length)),
      text: readFileSync(join(dir, name), 'utf8'),
    }))
    .toSorted((a, b) => compareTexts(a.index.until, b.index.until) || compareTexts(a.index.id, b.index.id));
}

function readIndex(dir: string, id: string): PackIndex {
  const file = join(dir, `${id}.index.json`);
  const parsed = existsSync(file) ? indexSchema.safeParse(parseJson(readFileSync(file, 'utf8'))) : undefined;
  if (parsed?.success) return parsed.data;
  throw new UserError({
    subject: file,
    reason: parsed === undefined ? 'does not exist' : 'is not the index of a pack',
    next: `keep the files of \`learn --export\` beside ${id}${ANSWER}`,
  });
}
