/** A lesson as a person or another tool writes it: what is not here we know better (ids, counts, times). */
import { z } from 'zod';
import { LESSON_TYPES } from '../base/lesson.ts';
import { isToolName, type ToolName } from '../base/tool.ts';
import type { Triggers } from '../base/trigger.ts';
import { isLinearRegex } from './is-linear-regex.ts';
import { bodyInputSchema } from './lesson-body-schema.ts';

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
/** Compared with words that have one space between them. */
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
    content: text.exactOptional(),
    input: text.exactOptional(),
    session: z.strictObject({ unless: z.array(sessionConditionSchema).min(1).readonly() }).exactOptional(),
    subagents: words.exactOptional(),
    workflows: words.exactOptional(),
    actionKeywords: words.exactOptional(),
    contextKeywords: words.exactOptional(),
    unless: exceptions.exactOptional(),
  })
  .refine(
    ({ session: _, directory: __, unless: ___, ...given }) => Object.keys(given).length > 0,
    'would match every call: name a program, a tool or a file',
  )
  .refine(
    ({ directory, programs, command }) => directory === undefined || (programs ?? command) !== undefined,
    'has a directory without a command: name a program',
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
