/**
 * Parses, checks and cleans a lesson, or a change of one, that the user gives as flags or JSON. Secrets in its texts
 * are redacted, but a trigger with a secret is refused, because a redacted trigger matches nothing.
 */

import type { z } from 'zod';
import { UserError } from '../../../base/errors.ts';
import type { Lesson, LessonBody } from '../../../base/model/lesson.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { cleanTexts } from '../../../capture/secrets/clean-texts.ts';
import { makeSecretScan } from '../../../capture/secrets/scan-secrets.ts';
import { toBodyType } from '../../../distill/lessons/infer-type.ts';
import { renderSchemaFault } from '../../../keep/schemas/schema-texts.ts';
import { findTriggerSecret } from '../../../loop/checks/lesson-secrets.ts';
import { findTriggerFault } from '../../../loop/checks/trigger-faults.ts';
import { listTexts, mapTexts } from '../../../loop/import/lesson-words.ts';
import type { CommandInput } from '../command.ts';
import { UsageError, usageError } from '../errors.ts';
import { toPlainText } from '../text.ts';

type Texts = Readonly<Record<string, string | undefined>>;
type Lists = Readonly<Record<string, readonly string[] | undefined>>;

interface FlagWish {
  readonly type?: string;
  readonly summary?: string;
  readonly mistake?: string;
  readonly remediation?: string;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly triggers?: object;
}

/** What was given, and nothing else. */
export function toFlagWish(options: CommandInput['options']): FlagWish {
  const given = options as Texts;
  const triggers = toTriggers(options as Lists);
  return dropAbsent({
    type: given.type,
    summary: given.summary,
    mistake: given.mistake,
    remediation: given.fix,
    priority: given.priority === undefined ? undefined : Number(given.priority),
    tags: (options as Lists).tag,
    triggers: Object.keys(triggers).length === 0 ? undefined : triggers,
  });
}

function toTriggers({ program, with: any, without: none, tool, file, keyword }: Lists): object {
  const args = dropAbsent({ any, none });
  const hasArgs = Object.keys(args).length > 0;
  if (program === undefined && hasArgs)
    throw usageError(
      any === undefined ? '--without' : '--with',
      'needs --program',
      'name the program, too: --program <name>',
    );
  const programs = program?.map((words) => {
    const [name, ...sub] = words.trim().split(/\s+/);
    return { name, ...(sub.length === 0 ? {} : { sub }), ...(hasArgs ? { args } : {}) };
  });
  const tools = tool ?? (programs === undefined ? undefined : ['shell']);
  return dropAbsent({ tools, programs, paths: file, actionKeywords: keyword });
}

/** Where the lesson comes from. A fault in flags is a usage error, a fault in a text is not. */
export type WishSource = 'flags' | 'text';

/** Reports the first fault that the schema finds. */
export function parseLesson<T extends z.ZodType>(
  schema: T,
  wish: unknown,
  { command, from }: { readonly command: 'add' | 'edit'; readonly from: WishSource },
): z.infer<T> {
  const parsed = schema.safeParse(wish);
  if (parsed.success) return parsed.data;
  const next = `see the options: oncebitten lessons ${command} --help`;
  throw refuseLesson(renderSchemaFault(parsed.error), next, { from });
}

export function checkTrigger(triggers: Triggers, from: WishSource = 'text'): void {
  const fault = findTriggerFault(triggers);
  if (fault === undefined) return;
  throw refuseLesson(`triggers: ${fault}`, 'see how triggers match: docs/reference/triggers.md', { from });
}

export function checkBody({ type, body }: Pick<Lesson, 'type' | 'body'>): void {
  if (body === undefined || toBodyType(body) === type) return;
  const reason = `is a ${type}, but has the body of a ${toBodyType(body)}`;
  throw refuseLesson(reason, 'change the type or the body, so that they match');
}

export function parseLessonJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuseLesson('is not JSON', 'see schemas/lesson-input.schema.json for what is expected', { cause });
  }
}

export function refuseLesson(
  reason: string,
  next: string,
  { from = 'text', cause }: { readonly from?: WishSource; readonly cause?: unknown } = {},
): UserError {
  const facts = { subject: 'the lesson', reason, next, cause };
  return from === 'flags' ? new UsageError(facts) : new UserError(facts);
}

const WORDS = ['summary', 'mistake', 'remediation'] as const;

type Given = {
  readonly body?: LessonBody | undefined;
} & { readonly [K in (typeof WORDS)[number]]?: string | undefined } & {
  readonly tags?: readonly string[] | undefined;
  readonly triggers?: Triggers | undefined;
};

/**
 * Redacts the texts of a lesson, or of a change of one. A trigger with a secret is refused, because a redacted trigger
 * matches nothing.
 */
export async function cleanLessonInput<T extends Given>(input: T): Promise<T> {
  if (input.triggers !== undefined) checkTriggers(input.triggers);
  const scan = makeSecretScan({ log: () => {} });
  const given = WORDS.filter((key) => input[key] !== undefined);
  const texts = await cleanTexts(
    [...given.map((key) => input[key] ?? ''), ...(input.tags ?? [])].map(toPlainText),
    scan,
  );
  const words = Object.fromEntries(given.map((key, i) => [key, texts[i] ?? '']));
  const { body } = input;
  return {
    ...input,
    ...words,
    ...(input.tags === undefined ? {} : { tags: texts.slice(given.length) }),
    ...(body === undefined ? {} : { body: await mapTexts(body, (all) => cleanTexts(all.map(toPlainText), scan)) }),
  };
}

function checkTriggers(triggers: Triggers): void {
  const secret = findTriggerSecret(triggers);
  if (secret !== undefined)
    throw refuseLesson(`has a secret in its ${secret}`, 'name the program and the option without its value');
  if (listTexts(triggers).some((text) => toPlainText(text) !== text))
    throw refuseLesson('has control characters in its triggers', 'write them as escapes, or leave them out');
}
