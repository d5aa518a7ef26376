/**
 * The zod schemas of a lesson that a person or another tool writes: the whole lesson, its body, its triggers, and a
 * patch. Ids, counts and times are missing, because Oncebitten sets them itself.
 */

import * as z from 'zod';
import { DELIVERY_MODES, LESSON_TYPES } from '../../base/model/lesson.ts';
import { isToolName, type ToolName } from '../../base/model/tool.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { isLinearRegex } from './linear-regex.ts';

const words = z.array(z.string().min(1)).min(1).readonly();
const regexes = z
  .array(
    z
      .string()
      .min(1)
      .refine(isLinearRegex, 'is not a linear-time regular expression (no look-around, no backreference)'),
  )
  .min(1)
  .readonly();
const text = z
  .strictObject({ match: regexes.exactOptional(), unless: regexes.exactOptional() })
  .refine((given) => Object.keys(given).length > 0, 'would match any text: give match or unless');
/** Compared with words that are separated by one space. */
const ran = z.string().regex(/^\S+(?: \S+)*$/, 'is not a program and its first words, as in "npm install"');
const folder = z
  .string()
  .regex(/^[^/.][^*?]*[^/]$|^[^/.]$/, 'is not the path of a folder from above, as in "web/admin"');
export const sessionConditionSchema = z.union([z.strictObject({ ran }), z.strictObject({ read: z.string().min(1) })]);
const tool = z
  .string()
  .refine(isToolName, 'is not a tool we know (shell, read, edit, write, glob, grep, task, web, mcp:…)');

const tools = z
  .array(tool as unknown as z.ZodType<ToolName>)
  .min(1)
  .readonly();
const programs = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      sub: words.exactOptional(),
      words: z.int().min(1).exactOptional(),
      args: z
        .strictObject({ any: words.exactOptional(), all: words.exactOptional(), none: words.exactOptional() })
        .exactOptional(),
    }),
  )
  .min(1)
  .readonly();
const exceptions = z
  .strictObject({
    tools: tools.exactOptional(),
    programs: programs.exactOptional(),
    paths: words.exactOptional(),
    subagents: words.exactOptional(),
    workflows: words.exactOptional(),
    keywords: words.exactOptional(),
  })
  .refine((given) => Object.keys(given).length > 0, 'excepts nothing: name a tool, a program, a file or a keyword');

export const triggersSchema = z
  .strictObject({
    tools: tools.exactOptional(),
    programs: programs.exactOptional(),
    command: text.exactOptional(),
    line: text.exactOptional(),
    directory: z
      .union([z.literal('argument'), z.strictObject({ outside: folder }), z.strictObject({ in: folder })])
      .exactOptional(),
    paths: words.exactOptional(),
    reads: words.exactOptional(),
    content: text.exactOptional(),
    input: text.exactOptional(),
    session: z.strictObject({ unless: z.array(sessionConditionSchema).min(1).readonly() }).exactOptional(),
    subagents: words.exactOptional(),
    workflows: words.exactOptional(),
    actionKeywords: words.exactOptional(),
    contextKeywords: words.exactOptional(),
    unless: exceptions.exactOptional(),
    failure: z.literal(true).exactOptional(),
  })
  .refine(
    ({ session: _, directory: __, unless: ___, ...given }) => Object.keys(given).length > 0,
    'would match every call: name a program, a tool or a file',
  )
  .refine(
    ({ directory, programs, command }) => directory === undefined || (programs ?? command) !== undefined,
    'has a directory without a command: name a program',
  );

interface BodyTexts {
  readonly words: z.ZodString;
  readonly title?: z.ZodString;
  readonly items?: z.ZodType<readonly string[]>;
}

/** The body of a lesson. `base/model/lesson.ts` says which form belongs to which type. */
export function makeBodySchema({ words, title = words, items = z.array(words).readonly() }: BodyTexts) {
  const optional = words.exactOptional();
  return z.union([
    z.strictObject({ title, items, format: z.enum(['ordered', 'unordered']).exactOptional() }),
    z.strictObject({ situation: words, action: words, rationale: optional, example: optional }),
    z.strictObject({ risk: words, severity: optional, detection: optional, mitigation: optional }),
    z.strictObject({ constraint: words, rationale: optional, validation: optional }),
  ]);
}

/** As the store keeps it and as people write it. */
export const lessonBodySchema = makeBodySchema({ words: z.string() });

const MAX_BODY = 8_000;

/** As a person enters it. */
const bodyInputSchema = lessonBodySchema.refine(
  (parts) => JSON.stringify(parts).length <= MAX_BODY,
  `is longer than ${MAX_BODY} characters`,
);

export const lessonInputSchema = z.strictObject({
  type: z.enum(LESSON_TYPES).exactOptional().describe('The type that the body belongs to; without either: warning.'),
  summary: z.string().trim().min(1).max(300).describe('The lesson in one line.'),
  mistake: z.string().trim().max(4000).default(''),
  remediation: z.string().trim().max(4000).default('').describe('What to do, copy-pasteable.'),
  body: bodyInputSchema
    .exactOptional()
    .describe('The same in parts: what the agent is shown instead of the words above.'),
  triggers: triggersSchema,
  priority: z.int().min(1).max(10).exactOptional().describe('Without it 7, or 8 with the tag severity:data-loss.'),
  tags: z.array(z.string().min(1)).readonly().default([]),
});

export type LessonInput = Omit<z.infer<typeof lessonInputSchema>, 'triggers'> & { readonly triggers: Triggers };

const { type, summary, mistake, remediation, triggers, priority, tags } = lessonInputSchema.shape;
/** With a zone, or a day; compared as text with our own times. */
const moment = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\d(?:T.*(?:Z|[+-]\d\d:?\d\d))?$/.test(text) && !Number.isNaN(Date.parse(text)),
    'is not a day or a time with its zone: 2026-01-31 or 2026-01-31T12:00:00Z',
  )
  .transform((text) => new Date(text).toISOString());
const scope = z.union(
  [
    z.strictObject({ kind: z.enum(['user', 'team']) }),
    z.strictObject({ kind: z.enum(['project', 'session']), id: z.string().min(1) }),
  ],
  'is not {"kind": "user"}, {"kind": "team"} or {"kind": "project", "id": "prj_…"}',
);

/** The fields that a person may change; absent fields stay. */
export const lessonPatchSchema = z.strictObject({
  type: type.unwrap().optional(),
  summary: summary.optional(),
  mistake: mistake.unwrap().optional(),
  remediation: remediation.unwrap().optional(),
  body: bodyInputSchema.optional(),
  triggers: triggers.optional(),
  priority: priority.unwrap().optional(),
  tags: tags.unwrap().optional(),
  mode: z.enum(DELIVERY_MODES).optional(),
  scope: scope.optional(),
  validFrom: moment.nullable().optional(),
  validUntil: moment.nullable().optional(),
});
