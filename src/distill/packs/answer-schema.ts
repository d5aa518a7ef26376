/**
 * The answer of a model to a pack. Its trigger language is smaller than that of lessons: what a reader of one pack can
 * state exactly. Each part of an answer is checked alone, so that one bad part costs only itself.
 */

import * as z from 'zod';
import { isToolName } from '../../base/model/tool.ts';
import { parseRecord } from '../../base/records.ts';

const list = z.array(z.string().min(1).max(200)).max(12);

const triggerSchema = z.object({
  when: z
    .enum(['call', 'error'])
    .default('call')
    .describe(
      'call: the lesson is shown before a call that the fields below describe. error: no call shows the mistake beforehand; the lesson is shown with the same error, and the fields below stay empty.',
    ),
  tool: z
    .string()
    .refine(isToolName, 'is no tool: use shell, read, edit, write, glob, grep, task, web or mcp:server/tool')
    .default('shell')
    .describe('shell, or the tool as the pack names it.'),
  program: z.string().max(100).default('').describe('Base name of the program: git. Empty if any program.'),
  subcommand: list
    .default([])
    .describe('The first words after the program that are not options, in their order: ["pr", "diff"].'),
  with: list.default([]).describe('Options or whole words that must ALL be there: ["--stat"].'),
  withAny: list.default([]).describe('Options or whole words of which ONE must be there.'),
  without: list.default([]).describe('Options or whole words that must NOT be there: the fix has been applied.'),
  paths: list.default([]).describe('Globs on the file of read, edit or write: ["**/*.lock"].'),
  inFolder: z.string().max(200).default('').describe('The command runs in a folder whose path ends with this.'),
  outsideFolder: z.string().max(200).default('').describe('The command runs neither in this folder nor below it.'),
  matches: z
    .string()
    .max(300)
    .default('')
    .describe('Last resort: a regular expression on the command (shell), or on the JSON input (other tools).'),
  unlessMatches: z.string().max(300).default('').describe('A regular expression that makes the call harmless.'),
  unlessRan: list
    .default([])
    .describe('Programs with their first words; the lesson is silent once one ran in the session: ["npm install"].'),
});

export const addSchema = z.object({
  summary: z.string().trim().min(10).max(200).describe('The lesson in one line.'),
  mistake: z.string().trim().min(5).max(600).describe('Which call fails, and why.'),
  advice: z.string().trim().min(5).max(600).describe('What to do instead, with commands in backticks.'),
  type: z.enum(['warning', 'pattern', 'requirement']).default('warning'),
  trigger: triggerSchema,
  evidence: z.array(z.string().max(20)).min(1).max(30).describe('The failures of the pack that show it: ["e1", "e4"].'),
  fixes: z
    .array(z.string().max(20))
    .max(30)
    .default([])
    .describe('The calls of the pack that show the right way: ["e1.2"].'),
});

export const moreEvidenceSchema = z.object({
  lesson: z.string().max(20).describe('A lesson that exists already: "k1".'),
  evidence: z.array(z.string().max(20)).min(1).max(30),
});

export const retireSchema = z.object({
  lesson: z.string().max(20).describe('A lesson that exists already: "k1".'),
  reason: z.string().trim().min(5).max(300).describe('What in this pack shows that it is wrong.'),
});

/** The whole answer, for providers that can hold a model to it. */
export const answerSchema = z.object({
  add: z.array(addSchema).max(60),
  evidence: z.array(moreEvidenceSchema).max(60),
  retire: z.array(retireSchema).max(20),
});

export type AnswerTrigger = z.infer<typeof triggerSchema>;
export type AnsweredLesson = z.infer<typeof addSchema>;
export type AnsweredEvidence = z.infer<typeof moreEvidenceSchema>;
export type AnsweredRetirement = z.infer<typeof retireSchema>;

/** JSON Schema of the answer as a model writes it: what has a default may be left out. */
export function toAnswerJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(answerSchema, { io: 'input' });
}

export interface ParsedAnswer {
  readonly add: readonly AnsweredLesson[];
  readonly evidence: readonly AnsweredEvidence[];
  readonly retire: readonly AnsweredRetirement[];
  /** What is wrong with each part that is left out: `add[2]: trigger.tool: …`. */
  readonly errors: readonly string[];
}

/** Undefined if the text is no JSON object. */
export function parseAnswer(text: string): ParsedAnswer | undefined {
  // Models like to put their JSON into a fence, or words around it.
  const given = parseRecord(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  if (given === undefined) return undefined;
  const errors: string[] = [];
  const take = <T>(name: string, schema: z.ZodType<T>): readonly T[] => {
    const items = given[name] ?? [];
    if (!Array.isArray(items)) errors.push(`${name}: is not a list`);
    return (Array.isArray(items) ? items : []).flatMap((item, n) => {
      const parsed = schema.safeParse(item);
      if (parsed.success) return [parsed.data];
      const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      errors.push(`${name}[${n}]: ${faults.join('; ')}`);
      return [];
    });
  };
  const [add, evidence, retire] = [
    take('add', addSchema),
    take('evidence', moreEvidenceSchema),
    take('retire', retireSchema),
  ];
  return { add, evidence, retire, errors };
}
